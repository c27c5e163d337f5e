// The extension itself, with a small double of the interface of VS Code: it has none of its own to be started in.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "kinetree-"));
const written = path.join(folder, "arguments");
const program = path.join(folder, "my kinetree");
fs.writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${written}.part'\nmv '${written}.part' '${written}'\nexit $STATUS\n`);
fs.chmodSync(program, 0o755);

const state = { command: program, errors: [], handlers: {}, commands: {}, documents: [], clients: [], editor: undefined };

class LanguageClient {
  constructor(id, title, server, options) {
    Object.assign(this, { server, options, running: false });
    state.clients.push(this);
  }
  async start() {
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
}

const on = (name) => (handler) => ((state.handlers[name] = handler), { dispose() {} });
const doubles = {
  "vscode-languageclient/node": { LanguageClient },
  vscode: {
    commands: {
      registerCommand: (name, run) => ((state.commands[name] = run), { dispose() {} }),
      executeCommand: async () => undefined,
    },
    languages: { setTextDocumentLanguage: async (document, languageId) => Object.assign(document, { languageId }) },
    window: {
      get activeTextEditor() {
        return state.editor;
      },
      showErrorMessage: async (text) => void state.errors.push(text),
    },
    workspace: {
      get textDocuments() {
        return state.documents;
      },
      getConfiguration: () => ({ get: (name) => (name === "command" ? state.command : true) }),
      createFileSystemWatcher: (pattern) => pattern,
      onDidOpenTextDocument: on("opened"),
      onDidSaveTextDocument: on("saved"),
      onDidChangeConfiguration: on("configured"),
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => doubles[name] ?? load(name, ...rest);
const extension = require("../src/extension");
Module._load = load;

function document(file, text, languageId = "xml") {
  return {
    uri: { fsPath: path.join(folder, file) }, languageId, isDirty: false, isUntitled: false, saves: 0,
    getText: () => text,
    lineAt: (line) => ({ text: text.split("\n")[line] }),
    async save() {
      this.saves += 1;
      return true;
    },
  };
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test.after(() => fs.rmSync(folder, { recursive: true }));

test("XML of other programs starts nothing, a model gets its language and one server", async () => {
  const other = document("pom.xml", "<project/>");
  state.documents = [other];
  extension.activate({ subscriptions: [] });
  assert.equal(other.languageId, "xml");
  assert.equal(state.clients.length, 0);
  const models = [document("a.xml", "<mujoco/>"), document("b.urdf", "<robot name='b'/>", "urdf")];
  for (const each of models) await state.handlers.opened(each);
  assert.deepEqual(models.map((each) => each.languageId), ["mjcf", "urdf"]);
  assert.equal(state.clients.length, 1);
  assert.deepEqual(state.clients[0].server, { command: program, args: ["lsp"] });
  assert.ok(state.clients[0].options.documentSelector.every((each) => ["mjcf", "urdf"].includes(each.language)));
});

test("the place of the cursor is shown, after the text was saved", { skip: process.platform === "win32" }, async () => {
  process.env.STATUS = "0";
  const shown = document("odd 'name' $(x).xml", "<mujoco>\n  <geom/>\n</mujoco>", "mjcf");
  shown.isDirty = true;
  state.editor = { document: shown, selection: { active: { line: 1, character: 2 } } };
  await state.commands["kinetree.show"]();
  await until(() => fs.existsSync(written));
  assert.deepEqual(fs.readFileSync(written, "utf8").trim().split("\n"), ["--goto", `${shown.uri.fsPath}:2:3`]);
  assert.equal(shown.saves, 1);
  assert.deepEqual(state.errors, []);
});

test("failures are told with a remedy", { skip: process.platform === "win32" }, async () => {
  process.env.STATUS = "3";
  await state.commands["kinetree.open"]({ fsPath: path.join(folder, "a.xml") });
  await until(() => state.errors.length === 1);
  assert.match(state.errors[0], /status 3/);
  state.command = "no such program";
  await state.commands["kinetree.open"]({ fsPath: path.join(folder, "a.xml") });
  assert.match(state.errors[1], /was not found.*pipx install kinetree/);
});

test("another program in the settings restarts the server", async () => {
  state.documents = [document("a.xml", "<mujoco/>", "mjcf")];
  state.command = program;
  await state.handlers.configured({ affectsConfiguration: (name) => name === "kinetree.command" });
  await until(() => state.clients.length === 2 && state.clients[1].running);
  assert.equal(state.clients[0].running, false);
  await extension.deactivate();
});
