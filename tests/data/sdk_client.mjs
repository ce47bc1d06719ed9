// The official TypeScript client against a server: everything that it can ask, and what came of it, as one line of JSON.
// SDK is the folder of the package, SERVER the command line as a JSON array.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const part = (name) => import(pathToFileURL(join(process.env.SDK, "dist/esm", name)).href);
const { Client } = await part("client/index.js");
const { StdioClientTransport } = await part("client/stdio.js");

const [command, ...args] = JSON.parse(process.env.SERVER);
const client = new Client({ name: "pinwatch-test", version: "1" }, { capabilities: {} });
const heard = [];
client.fallbackNotificationHandler = async (notification) => void heard.push(notification.method);
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));

const said = [];
const ask = async (name, work) => {
  let answer;
  try {
    answer = await work();
  } catch (error) {
    answer = { code: error.code, message: error.message };
  }
  said.push([name, answer]);
};

await ask("version", async () => client.getServerVersion());
await ask("capabilities", async () => client.getServerCapabilities());
await ask("instructions", async () => client.getInstructions());
await ask("ping", () => client.ping());
await ask("tools/list", () => client.listTools());
await ask("prompts/list", () => client.listPrompts());
await ask("resources/list", () => client.listResources());
await ask("resources/templates/list", () => client.listResourceTemplates());
const call = (name, args = {}) => ask(`call ${name}`, () => client.callTool({ name, arguments: args }));
await call("echo", { message: "h\u00e9\u{1f600}" });
await call("echo", { wrong: 1 });
await call("get-sum", { a: 2, b: 40 });
await call("get-tiny-image");
await call("get-annotated-message", { messageType: "error", includeImage: true });
await call("get-resource-links", { count: 3 });
await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
await call("get-structured-content", { location: "New York" });
const progress = [];
await ask("call with progress", () =>
  client.callTool({ name: "trigger-long-running-operation", arguments: { duration: 0.4, steps: 4 } }, undefined, {
    onprogress: (one) => progress.push(one),
  }),
);
// Whether the SDK hands on the last one depends on how it and the answer came together.
said.push(["progress", progress.slice(0, 3)]);
await ask("call that is cancelled", () =>
  client.callTool({ name: "trigger-long-running-operation", arguments: { duration: 60, steps: 2 } }, undefined, {
    signal: AbortSignal.timeout(300),
  }),
);
await ask("prompt", () => client.getPrompt({ name: "simple-prompt" }));
await ask("prompt with arguments", () => client.getPrompt({ name: "args-prompt", arguments: { city: "Paris" } }));
await ask("completion", () =>
  client.complete({
    ref: { type: "ref/prompt", name: "completable-prompt" },
    argument: { name: "department", value: "S" },
  }),
);
await ask("text resource", () => client.readResource({ uri: "demo://resource/dynamic/text/1" }));
await ask("blob resource", () => client.readResource({ uri: "demo://resource/dynamic/blob/1" }));
await ask("subscription", () => client.subscribeResource({ uri: "demo://resource/dynamic/text/1" }));
await ask("end of it", () => client.unsubscribeResource({ uri: "demo://resource/dynamic/text/1" }));
await ask("log level", () => client.setLoggingLevel("error"));
await client.close();
// Resources say when they were made, in a text and in base64.
const clock = /\d{1,2}:\d{2}:\d{2}( [AP]M)?/g;
const plain = JSON.stringify(said, (key, value) =>
  key === "blob" ? Buffer.from(value, "base64").toString().replace(clock, "T") : value,
);
process.stdout.write(plain.replace(clock, "T") + "\n");
process.exit(0);
