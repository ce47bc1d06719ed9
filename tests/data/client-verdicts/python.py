"""Runs the cases through an official Python client: VENV/bin/python python.py VERSION PROTOCOL < cases. Prints one JSON
line a case."""
import json
import logging
import os
import sys

import anyio
from mcp import ClientSession

try:
    from mcp.shared.message import SessionMessage
except ImportError:
    SessionMessage = None
try:
    from mcp.types import JSONRPCMessage
    parse = getattr(JSONRPCMessage, "model_validate", None)
except ImportError:
    parse = None
if parse is None:
    from mcp.types import jsonrpc_message_adapter
    parse = jsonrpc_message_adapter.validate_python

logging.disable(logging.CRITICAL)
VERSION, PROTOCOL = sys.argv[1:]
MODERN = PROTOCOL >= "2026-07-28"
LISTS = {"tool": ("tools/list", "tools"), "prompt": ("prompts/list", "prompts"), "resource": ("resources/list", "resources"),
         "resource_template": ("resources/templates/list", "resourceTemplates")}


def answer(method, kind, definition):
    shown = {"server_info": {"name": "s", "version": "1"}, "capabilities": {"tools": {}, "prompts": {}, "resources": {}}}
    if kind not in LISTS:
        shown[kind] = definition
    extra = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if MODERN else {}
    said = {"instructions": shown["instructions"]} if "instructions" in shown else {}
    if method == "initialize":
        return {"protocolVersion": PROTOCOL, "capabilities": shown["capabilities"], "serverInfo": shown["server_info"], **said}
    if method == "server/discover":
        return {"supportedVersions": [PROTOCOL], "capabilities": shown["capabilities"], **said, **extra,
                "_meta": {"io.modelcontextprotocol/serverInfo": shown["server_info"]}}
    for own, (name, member) in LISTS.items():
        if name == method:
            return {member: [definition] if own == kind else [], **extra}
    return None


async def verdict(kind, definition):
    to_client, from_server = anyio.create_memory_object_stream(10)
    to_server, from_client = anyio.create_memory_object_stream(10)

    async def serve():
        async for message in from_client:
            said = message.message if SessionMessage and isinstance(message, SessionMessage) else message
            said = getattr(said, "root", said)
            if getattr(said, "id", None) is None or not hasattr(said, "method"):
                continue
            result = answer(said.method, kind, definition)
            reply = {"jsonrpc": "2.0", "id": said.id, "result": result}
            if result is None:
                reply = {"jsonrpc": "2.0", "id": said.id, "error": {"code": -32601, "message": "no"}}
            reply = parse(reply)
            await to_client.send(SessionMessage(reply) if SessionMessage else reply)

    refused = "list refused" if kind in LISTS else "server refused"
    found = [refused]
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(serve)
            try:
                with anyio.fail_after(4):
                    async with ClientSession(from_server, to_server) as session:
                        await (session.discover() if MODERN else session.initialize())
                        calls = {"tool": session.list_tools, "prompt": session.list_prompts, "resource": session.list_resources,
                                 "resource_template": session.list_resource_templates}
                        result = await calls.get(kind, session.list_tools)()
                        if kind in LISTS:
                            member = LISTS[kind][1]
                            items = getattr(result, member, None) or getattr(result, "resource_templates", None) or []
                            found[0] = "accepted" if len(items) == 1 else "item dropped"
                        else:
                            found[0] = "accepted"
            except BaseException as error:
                if os.environ.get("WHY"):
                    print(repr(error)[:300], file=sys.stderr)
            group.cancel_scope.cancel()
    except BaseException as error:
        print(repr(error)[:300], file=sys.stderr)
    for stream in (to_client, from_server, to_server, from_client):
        stream.close()
    return found[0]


for line in sys.stdin:
    one = json.loads(line)
    said = anyio.run(verdict, one["kind"], one["definition"])
    print(json.dumps({"case": one["case"], "client": "python", "version": VERSION, "protocol": PROTOCOL, "verdict": said},
                     separators=(",", ":")))
