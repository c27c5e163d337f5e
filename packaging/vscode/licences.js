// Writes the licences of the packages that are bundled into the extension: node licences.js META OUTPUT
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [meta, output] = process.argv.slice(2);
const inputs = Object.keys(JSON.parse(fs.readFileSync(meta, "utf8")).inputs);
const folders = new Set(inputs.map((each) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(each)?.[1]).filter(Boolean));
const parts = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} has no licence text`);
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
});
fs.writeFileSync(output, parts.join(`\n${"-".repeat(80)}\n\n`));
