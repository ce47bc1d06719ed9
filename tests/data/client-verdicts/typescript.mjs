// Runs the cases through an official TypeScript client: node typescript.mjs CLIENT-MODULE VERSION PROTOCOL < cases
// CLIENT-MODULE is the file that exports `Client`. Prints one JSON line a case.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, version, protocol] = process.argv.slice(2);
const { Client } = await import(pathToFileURL(module));
console.warn = console.debug = () => {};
const modern = protocol >= "2026-07-28";
const LISTS = { tool: ["tools/list", "tools"], prompt: ["prompts/list", "prompts"], resource: ["resources/list", "resources"],
  resource_template: ["resources/templates/list", "resourceTemplates"] };

class Pipe {
  constructor(answer) { this.answer = answer; }
  async start() {}
  async close() { this.onclose?.(); }
  setProtocolVersion() {}
  async send(message) {
    if (message.id === undefined || message.method === undefined) return;
    const result = this.answer(message.method);
    setTimeout(() => this.onmessage?.(result === undefined
      ? { jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "no" } }
      : { jsonrpc: "2.0", id: message.id, result }), 0);
  }
}

async function verdict({ kind, definition }) {
  const shown = { server_info: { name: "s", version: "1" }, capabilities: { tools: {}, prompts: {}, resources: {} } };
  if (!LISTS[kind]) shown[kind] = definition;
  const extra = modern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
  const instructions = "instructions" in shown ? { instructions: shown.instructions } : {};
  const answer = (method) => {
    if (method === "initialize") return { protocolVersion: protocol, capabilities: shown.capabilities, serverInfo: shown.server_info, ...instructions };
    if (method === "server/discover") return { supportedVersions: [protocol], capabilities: shown.capabilities, ...instructions, ...extra,
      _meta: { "io.modelcontextprotocol/serverInfo": shown.server_info } };
    const list = Object.values(LISTS).find(([name]) => name === method);
    return list && { [list[1]]: LISTS[kind]?.[0] === method ? [definition] : [], ...extra };
  };
  const options = modern ? { versionNegotiation: { mode: { pin: protocol } } } : {};
  const client = new Client({ name: "c", version: "1" }, options);
  client.onerror = () => {};
  try {
    await client.connect(new Pipe(answer), { timeout: 4000 });
    if (LISTS[kind]) {
      const call = { tool: "listTools", prompt: "listPrompts", resource: "listResources", resource_template: "listResourceTemplates" }[kind];
      const result = await client[call](undefined, { timeout: 4000 });
      if (result[LISTS[kind][1]].length !== 1) return "item dropped";
    } else {
      await client.listTools(undefined, { timeout: 4000 });
    }
    return "accepted";
  } catch (error) {
    if (process.env.WHY) console.error(String(error).slice(0, 300));
    return LISTS[kind] ? "list refused" : "server refused";
  } finally {
    await client.close().catch(() => {});
  }
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const one = JSON.parse(line);
  console.log(JSON.stringify({ case: one.case, client: "typescript", version, protocol, verdict: await verdict(one) }));
}
process.exit(0);
