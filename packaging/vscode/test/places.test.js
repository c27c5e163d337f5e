"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { failure, findProgram, gotoArguments, languageOf, notFound } = require("../src/places");

test("models are recognised by their root element", () => {
  assert.equal(languageOf('<mujoco model="a"/>'), "mjcf");
  assert.equal(languageOf('\uFEFF<?xml version="1.0"?>\n<!-- <robot name="no"> -->\n<mujocoinclude>'), "mjcf");
  assert.equal(languageOf('<!DOCTYPE robot [<!ENTITY a "b">]>\n<robot\n  name = "r2"\n>'), "urdf");
  assert.equal(languageOf("<x_xy>"), "mjcf");
  assert.equal(languageOf("<mujoco"), "mjcf", "while it is typed");
});

test("XML of other programs stays what it is", () => {
  const others = [
    '<project name="a"><mujoco/></project>',
    '<robot generator="Robot 7.0" name="suite">',
    "<robot>",
    "<mujocos/>",
    "<!-- <mujoco/> -->",
    "no XML <mujoco/>",
    "",
  ];
  for (const text of others) assert.equal(languageOf(text), "", text);
});

test("recognition takes no long time on hostile texts", () => {
  const start = process.cpuUsage().user;
  for (const text of ["<!--".repeat(50000), "<robot " + 'a="b" '.repeat(50000), " ".repeat(300000), "<!DOCTYPE [".repeat(50000)]) {
    languageOf(text);
  }
  assert.ok(process.cpuUsage().user - start < 5e6);
});

test("columns count characters, from 1", () => {
  assert.deepEqual(gotoArguments("/a b/c.xml", 0, ""), ["--goto", "/a b/c.xml:1:1"]);
  assert.deepEqual(gotoArguments("/c.xml", 11, "  <!-- 🤖é "), ["--goto", "/c.xml:12:11"]);
});

test("a program is found as a shell finds it", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "kinetree-"));
  const file = path.join(folder, "kinetree");
  fs.writeFileSync(file, "");
  const env = { PATH: `/nowhere:${folder}` };
  assert.equal(findProgram("kinetree", env, "linux"), "", "it cannot be run");
  fs.chmodSync(file, 0o755);
  assert.equal(findProgram("kinetree", env, "linux"), file);
  assert.equal(findProgram(file, { PATH: "" }, "linux"), file);
  assert.equal(findProgram(path.join(folder, "other"), env, "linux"), "");
  fs.writeFileSync(path.join(folder, "win.exe"), "");
  assert.equal(findProgram("win", { Path: folder, PATHEXT: ".COM;.exe" }, "win32"), path.join(folder, "win.exe"));
  fs.rmSync(folder, { recursive: true });
});

test("messages have a remedy", () => {
  assert.match(notFound("kinetree"), /"kinetree" was not found.*pipx install kinetree.*kinetree\.command/);
  assert.equal(failure(0, null, "a warning"), "");
  assert.equal(failure(2, null, "a\nb\nc\nd\n"), "Kinetree ended with status 2: b\nc\nd");
  assert.equal(failure(null, "SIGSEGV", ""), "Kinetree ended with signal SIGSEGV");
});
