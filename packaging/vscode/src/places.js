// The parts of the extension that need no VS Code: which texts are models, what the program is given, what its failures mean.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const BEFORE_ROOT = /^(?:\uFEFF|\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)/;

/** The language of a text: "mjcf" or "urdf" by its root element, "" for XML of other programs. */
function languageOf(text) {
  for (let skipped; (skipped = BEFORE_ROOT.exec(text)); ) text = text.slice(skipped[0].length);
  const root = /^<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/.exec(text);
  if (!root) return "";
  if (["mujoco", "mujocoinclude", "x_xy"].includes(root[1])) return "mjcf";
  // Other programs have a <robot> too: that of a URDF has a name, and is made by no generator.
  return root[1] === "robot" && /\sname\s*=/.test(root[2]) && !/\sgenerator\s*=/.test(root[2]) ? "urdf" : "";
}

/** Arguments that show a place in the window. `before`: the text of the line before the cursor; `line` from 0. */
function gotoArguments(file, line, before) {
  return ["--goto", `${file}:${line + 1}:${[...before].length + 1}`]; // columns count characters, VS Code UTF-16 units
}

/** The path of a program, found as a shell finds it; "" where there is none. */
function findProgram(command, env = process.env, platform = process.platform) {
  const windows = platform === "win32";
  const endings = windows ? ["", ...(env.PATHEXT || ".EXE;.CMD;.BAT").split(";")] : [""];
  const isPath = command.includes("/") || (windows && command.includes("\\"));
  const variable = Object.keys(env).find((name) => name.toUpperCase() === "PATH") || "PATH";
  const folders = isPath ? [""] : (env[variable] || "").split(windows ? ";" : ":");
  for (const folder of folders) {
    for (const ending of endings) {
      const file = folder ? path.join(folder, command + ending) : command + ending;
      try {
        fs.accessSync(file, windows ? fs.constants.F_OK : fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // not here
      }
    }
  }
  return "";
}

/** Message for a program that is not found. */
function notFound(command) {
  return (
    `The program "${command}" was not found. Install Kinetree (pipx install kinetree), or write its path into the ` +
    "setting kinetree.command."
  );
}

/** Message for a program that ended with a status; "" for one that did what it should. */
function failure(status, signal, said) {
  if (!status && !signal) return "";
  const last = said.trim().split("\n").slice(-3).join("\n");
  return `Kinetree ended with ${signal ? `signal ${signal}` : `status ${status}`}${last ? `: ${last}` : ""}`;
}

module.exports = { languageOf, gotoArguments, findProgram, notFound, failure };
