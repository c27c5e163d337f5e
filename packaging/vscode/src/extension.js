// Kinetree in VS Code: starts the language server for models, and shows places in Kinetree's window.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { failure, findProgram, gotoArguments, languageOf, notFound } = require("./places");

const LANGUAGES = ["mjcf", "urdf"];
const SAID = 4000; // characters of standard error that are kept

let client;
let starting;

exports.activate = (context) => {
  const { commands, window, workspace } = vscode;
  context.subscriptions.push(
    commands.registerCommand("kinetree.show", showInWindow),
    commands.registerCommand("kinetree.open", openModel),
    commands.registerCommand("kinetree.restart", restart),
    workspace.onDidOpenTextDocument(recognise),
    workspace.onDidSaveTextDocument(recognise),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("kinetree.command") && restart()),
  );
  workspace.textDocuments.forEach(recognise);
};

exports.deactivate = () => client?.stop();

function setting(name) {
  return vscode.workspace.getConfiguration("kinetree").get(name);
}

/** Give a model in an .xml file its language, and start the server with the first model. */
async function recognise(document) {
  if (document.languageId === "xml" && setting("recogniseModels")) {
    const language = languageOf(document.getText());
    if (language) document = await vscode.languages.setTextDocumentLanguage(document, language);
  }
  if (LANGUAGES.includes(document.languageId)) await start();
}

function start() {
  starting ??= startServer();
  return starting;
}

async function startServer() {
  const command = program();
  if (!command) return;
  const documentSelector = LANGUAGES.flatMap((language) =>
    ["file", "untitled"].map((scheme) => ({ scheme, language })),
  );
  const fileEvents = vscode.workspace.createFileSystemWatcher("**/*.{xml,urdf,mjcf,obj,stl,msh,png}");
  client = new LanguageClient(
    "kinetree",
    "Kinetree",
    { command, args: ["lsp"] },
    { documentSelector, synchronize: { fileEvents } },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Kinetree's language server did not start: ${error.message ?? error}`);
  }
}

async function restart() {
  const old = client;
  client = starting = undefined;
  await old?.stop().catch(() => undefined); // one that never started cannot be stopped
  if (vscode.workspace.textDocuments.some((each) => LANGUAGES.includes(each.languageId))) await start();
}

/** The path of the program; "" after a message where it is not found. */
function program() {
  const command = setting("command");
  const found = findProgram(command);
  if (!found) {
    vscode.window.showErrorMessage(notFound(command), "Open Settings").then((chosen) => {
      if (chosen) vscode.commands.executeCommand("workbench.action.openSettings", "kinetree.command");
    });
  }
  return found;
}

async function showInWindow() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document, selection } = editor;
  if (document.isUntitled || document.isDirty) {
    if (!(await document.save())) return; // the window reads the file
  }
  const { line, character } = selection.active;
  run(gotoArguments(document.uri.fsPath, line, document.lineAt(line).text.slice(0, character)));
}

async function openModel(uri) {
  const file = uri?.fsPath ?? vscode.window.activeTextEditor?.document.uri.fsPath;
  if (file) run([file]);
}

/** Start the program and let it run on without us. Says why it ended, if it does so with an error. */
function run(args) {
  const command = program();
  if (!command) return;
  const shell = process.platform === "win32" && /\.(cmd|bat)$/i.test(command);
  if (shell) return void vscode.window.showErrorMessage(`Write the path of kinetree.exe into kinetree.command, not ${command}`);
  const folder = path.dirname(args[args.length - 1]);
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "ignore", "pipe"], cwd: safe(folder) });
  let said = "";
  child.stderr.on("data", (data) => (said = (said + data).slice(-SAID)));
  child.on("error", (error) => vscode.window.showErrorMessage(`Kinetree did not start: ${error.message}`));
  child.on("exit", (status, signal) => {
    const message = failure(status, signal, said);
    if (message) vscode.window.showErrorMessage(message);
  });
  child.unref();
  child.stderr.unref?.();
}

function safe(folder) {
  return path.isAbsolute(folder) ? folder : undefined;
}
