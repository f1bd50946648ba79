import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const STEP = /^ +run: (.*::add-mask::.*)$/gm;
const steps = readdirSync("examples/ci", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yml"))
  .flatMap((file) =>
    [...readFileSync(path.join("examples/ci", file), "utf8").matchAll(STEP)].map(
      ([, run = ""]) => [file, run] as const,
    ),
  );

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "outreach-team-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("there are workflows with the secrets of many teams", () => expect(steps).toHaveLength(7));

test.each(steps)("%s masks each value as the runner will decode it", (_, run) => {
  const values = ["plain", "100%25 sure%", "a=%0Ab", "%%"];
  const file = path.join(folder, "environment");
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-e", "-c", run], {
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      GITHUB_ENV: file,
      TEAM_SECRETS: values.map((value, index) => `NAME_${String(index)}=${value}\r\n`).join(""),
    },
  });
  // As the runner reads a command: %25 last.
  const decoded = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) =>
      line.replace("::add-mask::", "").replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%"),
    );
  expect([stderr, decoded]).toEqual(["", values]);
  expect(readFileSync(file, "utf8")).toBe(values.map((value, index) => `NAME_${String(index)}=${value}\n`).join(""));
});
