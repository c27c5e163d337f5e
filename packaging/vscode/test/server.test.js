// The server as the extension starts it, asked over the protocol that VS Code speaks. KINETREE_COMMAND names the program.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const test = require("node:test");
const { findProgram } = require("../src/places");

const program = findProgram(process.env.KINETREE_COMMAND || "kinetree");
let protocol;
try {
  protocol = require("vscode-languageserver-protocol/node");
} catch {
  // npm ci was not run
}
const skip = !program ? "kinetree is not installed" : !protocol && "npm ci was not run";

test("the server gives errors, completion and definitions", { skip }, async () => {
  const child = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = protocol;
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const problems = new Promise((resolve) =>
    connection.onNotification("textDocument/publishDiagnostics", (found) => found.diagnostics.length && resolve(found)),
  );
  connection.onRequest("workspace/configuration", (asked) => asked.items.map(() => null));
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.listen();
  const started = await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  assert.ok(started.capabilities.completionProvider && started.capabilities.definitionProvider);
  await connection.sendNotification("initialized", {});
  const uri = "untitled:model.xml";
  const text = '<mujoco>\n  <worldbody>\n    <body name="a"><geom siz="1"/></body>\n  </worldbody>\n</mujoco>\n';
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "mjcf", version: 1, text } });
  const found = await problems;
  assert.ok(found.diagnostics.some((each) => each.message.includes("siz") && each.range.start.line === 2));
  const position = { line: 2, character: 25 };
  const offers = await connection.sendRequest("textDocument/completion", { textDocument: { uri }, position });
  assert.ok((offers.items ?? offers).some((each) => each.label === "size"));
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await new Promise((resolve) => child.on("exit", resolve)), 0);
  connection.dispose();
});
