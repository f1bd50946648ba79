import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, describe, expect, test } from "vitest";
import { encodeState } from "../../../../src/core/state/document.ts";
import { recorded } from "../../../core/toy.ts";
import { document } from "../../../core/state/state-fixtures.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

/** Two instances of a block, and one of another. */
const STATE = encodeState(
  document({
    instances: ['outreach_webhook.audit["emailsBounced"]', 'outreach_webhook.audit["emailsSent"]', "outreach_webhook.crm"].map((address) => ({
      ...recorded("x"),
      address,
      type: "outreach_webhook",
    })),
  }),
);

/** A project with a state, and `outreach` on the path. */
async function openCompleted(): Promise<Project & { inShell(command: string, args: readonly string[]): string }> {
  const project = await openProject();
  project.write("outreach.yaml", "version: 1\n");
  project.write("outreach.state.json", new TextDecoder().decode(STATE));
  const bin = path.join(project.folder, "bin");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "outreach"), `#!/bin/sh\nexec '${process.execPath}' '${project.command}' "$@"\n`);
  chmodSync(path.join(bin, "outreach"), 0o755);
  const env = { HOME: project.folder, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  return { ...project, inShell: (command, args) => execFileSync(command, args, { cwd: project.folder, env, encoding: "utf8" }) };
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

function needs(shell: string, context: TestContext): void {
  if (!isInstalled(shell)) context.skip(`no ${shell} on the PATH`);
}

/** What is typed, and what is offered for its last word. */
const TYPED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [["st"], ["state"]],
  [
    ["state", ""],
    ["list", "lock", "mv", "pull", "push", "rm", "show"],
  ],
  [["plan", "--state", "state", "--detailed"], ["--detailed-exitcode"]],
  [["state", "show", "outreach_webhook.c"], ["outreach_webhook.crm"]],
  [["state", "rm", "outreach_webhook.crm", "outreach_webhook.c"], ["outreach_webhook.crm"]],
  [["state", "show", "--state", "outreach.state.json", "outreach_webhook.c"], ["outreach_webhook.crm"]],
  [["state", "show", "--state", "nowhere.json", "outreach_webhook.c"], []],
  [["plan", "--lock-"], ["--lock-timeout"]],
  [["get", "campaigns", "--status", "a"], ["archived"]],
  [
    ["plan", "--lock", ""],
    ["false", "true"],
  ],
  [["plan", "-c", "outreach.y"], ["outreach.yaml"]],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["import", "outreach_webhook.crm", ""], []],
  [["sandbox", ""], ["trigger"]],
  [["sandbox", "--po"], ["--port"]],
  [["sandbox", "trigger", "emailsI"], ["emailsInterested"]],
  [["sandbox", "trigger", "emailsSent", "--th"], ["--third-party"]],
];

describe("in bash", () => {
  const inBash = async (words: readonly string[], source = "outreach.bash"): Promise<readonly string[]> => {
    const project = await openCompleted();
    project.write("outreach.bash", (await project.run("completion bash")).out);
    const script = [
      `source ${source} && complete -p outreach > /dev/null || exit 1`,
      `COMP_WORDS=(outreach "$@")`,
      `COMP_CWORD=$#`,
      "_outreach",
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ].join("\n");
    return project
      .inShell("bash", ["--norc", "-c", script, "bash", ...words])
      .trim()
      .split("\n")
      .filter(Boolean)
      .toSorted();
  };

  test.each(TYPED)("%j is completed by %j", async (words, offered) => {
    expect(await inBash(words)).toEqual(offered);
  });

  test("the script is taken from a pipe, too", async () => {
    expect(await inBash(["st"], "<(outreach completion bash)")).toEqual(["state"]);
  });

  test("a value behind = is completed, which bash takes for a word of its own", async () => {
    expect(await inBash(["plan", "--lock", "=", "f"])).toEqual(["false"]);
  });

  test("addresses are quoted for the shell", async () => {
    expect(await inBash(["state", "show", "outreach_webhook.a"])).toEqual([
      'outreach_webhook.audit\\[\\"emailsBounced\\"\\]',
      'outreach_webhook.audit\\[\\"emailsSent\\"\\]',
    ]);
  });
});

describe("in fish", () => {
  test("the same is offered", async (context) => {
    needs("fish", context);
    const project = await openCompleted();
    for (const [words, offered] of TYPED) {
      const script = `outreach completion fish | source; complete -C "outreach ${words.join(" ")}"`;
      const lines = project.inShell("fish", ["--no-config", "-c", script]).trim().split("\n").filter(Boolean);
      expect(lines.map((line) => line.split("\t")[0]).toSorted(), words.join(" ")).toEqual(offered);
    }
  });

  test("the script opens as many blocks as it ends, and every quote is closed", async () => {
    const script = (await (await openCompleted()).run("completion fish")).out;
    const words = script.split("\n").map((line) => line.trim().split(" ")[0] ?? "");
    expect(words.filter((word) => ["function", "if", "for", "switch", "while", "begin"].includes(word))).toHaveLength(
      words.filter((word) => word === "end").length,
    );
    for (const line of script.split("\n")) expect(line.replaceAll("\\'", "").split("'").length % 2, line).toBe(1);
  });
});

describe("in zsh", () => {
  test("the script is one that zsh can read", async (context) => {
    needs("zsh", context);
    const project = await openCompleted();
    project.write("_outreach", (await project.run("completion zsh")).out);
    expect(project.inShell("zsh", ["-f", "-n", "_outreach"])).toBe("");
  });

  test("what it looks commands, options and addresses up in is the same as in bash", async () => {
    const project = await openCompleted();
    const scripts = [(await project.run("completion bash")).out, (await project.run("completion zsh")).out];
    const [inBash, inZsh] = scripts.map((script) => /^_outreach_is_command\(\)[^]*?(?=^_outreach(_describe)?\(\))/m.exec(script)?.[0]);
    expect(inBash).toContain("'/state/show --state'");
    expect(inZsh).toBe(inBash);
  });
});

test("there is a script for every command and every option that help shows", async () => {
  const project = await openCompleted();
  const script = (await project.run("completion bash")).out;
  const { out } = await project.run("--help");
  const commands = [...out.slice(out.indexOf("Commands:"), out.indexOf("Example")).matchAll(/^ {2}([a-z][a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  expect(commands).toContain("force-unlock");
  for (const command of commands) {
    expect(script).toContain(`'/${command}'`);
    const options = [...(await project.run(`${command} --help`)).out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name);
    const known = new RegExp(`^    '/${command}'\\) printf .*$`, "gm");
    const line = [...script.matchAll(known)].map(([text]) => text).join("\n");
    for (const option of options) expect(line).toContain(`'${option}\t`);
  }
});
