"""Writes the cases, one JSON object a line: what a server shows, in one member of one list, or in its handshake."""
import json

NULL, NUMBER, LIST, OBJECT, TEXT, FLAG = None, 7, ["a"], {"a": 1}, "text", True
KINDS = {"null": NULL, "number": NUMBER, "list": LIST, "object": OBJECT, "text": TEXT, "flag": FLAG}
BASES = {
    "tool": {"name": "t", "inputSchema": {"type": "object"}},
    "prompt": {"name": "p"},
    "resource": {"name": "r", "uri": "memo://r"},
    "resource_template": {"name": "r", "uriTemplate": "memo://{r}"},
    "server_info": {"name": "s", "version": "1"},
    "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
    "instructions": "text",
}
GONE = object()


def case(name, kind, definition):
    print(json.dumps({"case": f"{kind}: {name}", "kind": kind, "definition": definition}, separators=(",", ":")))


def put(kind, path, value):
    """The base of a kind with the member at `path` set, or without it."""
    made = json.loads(json.dumps(BASES[kind]))
    place = made
    for token in path[:-1]:
        if isinstance(place, list):
            place = place[token]
        else:
            place = place.setdefault(token, {})
    if value is GONE:
        place.pop(path[-1], None)
    else:
        place[path[-1]] = value
    return made


def kinds(kind, *path, at=None, extra=()):
    """The member missing, and with a value of each kind of JSON."""
    name = "/".join(path)
    case(f"{name} missing", kind, put(kind, path, GONE))
    for word, value in [*KINDS.items(), *extra]:
        case(f"{name} {word}", kind, put(kind, path, value))


for kind in BASES:
    if kind in ("capabilities", "instructions"):
        for word, value in [*KINDS.items(), ("empty", {}), ("blank", "")]:
            case(f"itself {word}", kind, value)
        continue
    for word, value in KINDS.items():
        case(f"itself {word}", kind, value)
    case("plain", kind, BASES[kind])
    case("unknown member", kind, put(kind, ["xVendor"], NULL))
    for member in ["name", "title", "description", "_meta"]:
        kinds(kind, member, extra=[("blank", "")])
    kinds(kind, "icons", extra=[("empty", [])])
    for member in ["src", "mimeType", "sizes", "theme"]:
        for word, value in [*KINDS.items(), ("list of number", [7])]:
            case(f"icons/0/{member} {word}", kind, put(kind, ["icons"], [{"src": "data:x", member: value}]))
    case("icons/0/theme dark", kind, put(kind, ["icons"], [{"src": "data:x", "theme": "dark"}]))
    for word, value in KINDS.items():
        case(f"icons/0 {word}", kind, put(kind, ["icons"], [value]))
    case("icons/0/sizes empty", kind, put(kind, ["icons"], [{"src": "data:x", "sizes": []}]))
    case("icons/0/src missing", kind, put(kind, ["icons"], [{"mimeType": "image/png"}]))
    case("icons/0/src no URL", kind, put(kind, ["icons"], [{"src": "not a url"}]))
    case("icons/0/sizes text any", kind, put(kind, ["icons"], [{"src": "data:x", "sizes": "any"}]))
    if kind in ("resource", "resource_template"):
        kinds(kind, "uri" if kind == "resource" else "uriTemplate", extra=[("blank", "")])
        kinds(kind, "mimeType")
        kinds(kind, "size", extra=[("negative", -1), ("fraction", 1.5), ("huge", 10**20), ("whole fraction", 2.0),
                                     ("text number", "5"), ("text fraction", "1.5"), ("text spaced", " 5 ")])
        kinds(kind, "annotations", extra=[("empty", {})])
        kinds(kind, "annotations", "audience", extra=[("user", ["user"]), ("both", ["user", "assistant", "user"]), ("null list", [None]), ("number list", [7]), ("empty", [])])
        kinds(kind, "annotations", "priority", extra=[("half", 0.5), ("above", 1.1), ("below", -0.1), ("text number", "0.5"),
                                                           ("text above", "7"), ("one", 1)])
        kinds(kind, "annotations", "lastModified", extra=[
            ("date", "2025-01-12T15:00:58Z"), ("date with offset", "2025-01-12T15:00:58+02:00"),
            ("day", "2025-01-12"), ("date local", "2025-01-12T15:00:58"), ("date minutes", "2025-01-12T15:00Z")])
    if kind == "server_info":
        kinds(kind, "version", extra=[("blank", "")])
        kinds(kind, "websiteUrl", extra=[("address", "https://a.example")])

# URIs that a parser could find wrong.
for word, uri in [("relative", "notes/a"), ("spaces", "memo://a b"), ("no scheme", "://x"), ("bad port", "http://a:b/"),
                  ("bare", "x"), ("host empty", "http://"), ("unicode", "memo://\u00e9"), ("brackets", "http://[::1/")]:
    case(f"uri {word}", "resource", put("resource", ["uri"], uri))
case("uriTemplate broken", "resource_template", put("resource_template", ["uriTemplate"], "memo://{r"))

# Capabilities.
for member in ["tools", "prompts", "resources", "logging", "completions", "experimental", "tasks", "extensions", "vendor"]:
    for word, value in [*KINDS.items(), ("empty", {}), ("object of object", {"a": {}})]:
        case(f"{member} {word}", "capabilities", put("capabilities", [member], value))
for path in ["tools/listChanged", "prompts/listChanged", "resources/listChanged", "resources/subscribe"]:
    for word, value in [*KINDS.items(), ("text true", "true"), ("one", 1)]:
        case(f"{path} {word}", "capabilities", put("capabilities", path.split("/"), value))

# Prompts.
kinds("prompt", "arguments", extra=[("empty", [])])
for word, value in KINDS.items():
    case(f"arguments/0 {word}", "prompt", put("prompt", ["arguments"], [value]))
for member in ["name", "title", "description", "required"]:
    case(f"arguments/0/{member} missing", "prompt", put("prompt", ["arguments"], [{"name": "a"} if member != "name" else {}]))
    for word, value in [*KINDS.items(), ("blank", ""), ("text true", "true"), ("one", 1)]:
        case(f"arguments/0/{member} {word}", "prompt", put("prompt", ["arguments"], [{"name": "a", member: value}]))

# Tools.
kinds("tool", "annotations", extra=[("empty", {})])
for hint in ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "vendorHint"]:
    kinds("tool", "annotations", hint, extra=[("text true", "true"), ("one", 1), ("text yes", "yes"), ("zero", 0.0),
                                               ("two", 2), ("half", 0.5), ("text On", "On"), ("text F", "F"), ("text 0", "0"),
                                               ("text spaced", " true"), ("text 2", "2"), ("text 1.0", "1.0")])
kinds("tool", "execution", extra=[("empty", {})])
kinds("tool", "execution", "taskSupport", extra=[(word, word) for word in ["required", "optional", "forbidden", "Required"]])
for root in ["inputSchema", "outputSchema"]:
    kinds("tool", root, extra=[("false", False), ("empty list", []), ("blank", "")])
    for word, schema in {
        "empty": {}, "type string": {"type": "string"}, "type Object": {"type": "Object"}, "type null": {"type": None},
        "type list object": {"type": ["object"]}, "type list object null": {"type": ["object", "null"]},
        "anyOf": {"anyOf": [{"type": "object"}]}, "anyOf and type": {"type": "object", "anyOf": [{"type": "object"}]},
        "oneOf": {"oneOf": [{"type": "object"}]}, "allOf": {"allOf": [{"type": "object"}]},
        "ref": {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}},
        "ref and type": {"type": "object", "$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}},
        "const": {"const": {}}, "array root": {"type": "array", "items": {"type": "object"}},
        "ref draft-07": {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/A", "definitions": {"A": {"type": "object"}}},
    }.items():
        case(f"{root} {word}", "tool", put("tool", [root], schema))
    for keyword in ["properties", "required", "$schema", "$id", "$ref", "$defs", "$comment", "$anchor", "definitions", "title",
                    "description", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties",
                    "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties", "allOf", "anyOf", "oneOf",
                    "not", "if", "then", "else", "enum", "const", "default", "examples", "deprecated", "readOnly", "format",
                    "pattern", "minLength", "minimum", "items", "prefixItems", "contains", "multipleOf", "nullable", "discriminator",
                    "unknownKeyword", "x-mcp-header"]:
        for word, value in [*KINDS.items(), ("empty object", {}), ("empty list", []), ("list of number", [7])]:
            case(f"{root} {keyword} {word}", "tool", put("tool", [root], {"type": "object", keyword: value}))
    for word, value in KINDS.items():
        case(f"{root} property {word}", "tool", put("tool", [root], {"type": "object", "properties": {"a": value}}))
    for keyword in ["type", "enum", "const", "pattern", "format", "minimum", "exclusiveMinimum", "minLength", "items", "required",
                    "properties", "$ref", "description", "title", "default", "examples", "anyOf", "not", "additionalProperties",
                    "uniqueItems", "multipleOf", "prefixItems", "contains", "$id", "$anchor", "if", "nullable"]:
        for word, value in [*KINDS.items(), ("empty list", []), ("empty object", {})]:
            case(f"{root} property's {keyword} {word}", "tool",
                 put("tool", [root], {"type": "object", "properties": {"a": {keyword: value}}}))
    for word, inside in {
        "dangling ref": {"$ref": "#/$defs/A"}, "dangling ref in ref": {"$ref": "#/$defs/B"}, "dangling anchor": {"$ref": "#a"},
        "remote ref": {"$ref": "https://a.example/schema"}, "relative ref": {"$ref": "a.json"}, "whole ref": {"$ref": "#"},
        "meta ref": {"$ref": "http://json-schema.org/draft-07/schema#"}, "meta ref 2020": {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        "dangling dynamic ref": {"$dynamicRef": "#x"}, "dangling recursive ref": {"$recursiveRef": "#x"},
        "type unknown": {"type": "text"}, "type list unknown": {"type": ["string", "text"]}, "type list empty": {"type": []},
        "type twice": {"type": ["string", "string"]},
        "pattern broken": {"pattern": "("}, "pattern lookbehind": {"pattern": "(?<=a)b"}, "pattern python": {"pattern": "(?P<a>b)"},
        "pattern inline flag": {"pattern": "(?i)a"}, "pattern escape": {"pattern": "\\_"}, "pattern posix": {"pattern": "\\Aa\\z"},
        "format unknown": {"format": "colour"}, "enum empty": {"enum": []}, "enum twice": {"enum": [1, 1]}, "items a list": {"items": [{}]},
        "items list draft-07": {"items": [{}], "additionalItems": False}, "enum dangling": {"enum": [{"$ref": "#/nowhere"}]},
        "const dangling": {"const": {"$ref": "#/nowhere"}}, "default dangling": {"default": {"$ref": "#/nowhere"}},
        "not dangling": {"not": {"$ref": "#/nowhere"}}, "items dangling": {"items": {"$ref": "#/nowhere"}},
        "draft-04 exclusive": {"minimum": 1, "exclusiveMinimum": True}, "required a flag": {"required": True},
        "name ref": {"properties": {"$ref": {"type": "string"}}}, "nullable alone": {"nullable": True},
        "own schema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "string"},
        "ref to no schema": {"$ref": "#/properties/a/default", "default": 5},
        "ref to text": {"$ref": "#/title"}, "ref to percent": {"$ref": "#/$defs/a%20b"},
        "if alone": {"if": {"type": "string"}}, "then alone": {"then": {"type": "string"}},
        "minimum infinite": {"minimum": 1e308}, "minLength negative": {"minLength": -1}, "minLength fraction": {"minLength": 1.5},
        "multipleOf zero": {"multipleOf": 0}, "minContains alone": {"minContains": 2}, "discriminator": {"discriminator": {"propertyName": "k"}, "oneOf": [{"type": "object"}]},
    }.items():
        schema = {"type": "object", "title": "x", "properties": {"a": inside},
                  "$defs": {"B": {"$ref": "#/$defs/Gone"}, "a b": {"type": "string"}}}
        case(f"{root} {word}", "tool", put("tool", [root], schema))
    case(f"{root} dangling in unused $defs", "tool", put("tool", [root], {"type": "object", "$defs": {"A": {"$ref": "#/nowhere"}}}))
    for word, dialect in {
        "draft-04": "http://json-schema.org/draft-04/schema#", "draft-07": "http://json-schema.org/draft-07/schema#",
        "2019-09": "https://json-schema.org/draft/2019-09/schema", "2020-12": "https://json-schema.org/draft/2020-12/schema",
        "unknown": "https://a.example/dialect", "no URL": "no url", "blank": "",
    }.items():
        case(f"{root} dialect {word}", "tool", put("tool", [root], {"$schema": dialect, "type": "object", "properties": {"a": {"type": "string"}}}))
    for word, name in {"simple": "a", "urn": "urn:x:y", "fragment": "#a", "url": "https://a.example/s", "two fragments": "#a#b"}.items():
        case(f"{root} id {word}", "tool", put("tool", [root], {"$id": name, "type": "object"}))
