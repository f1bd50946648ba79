import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

/** A project with a state, and `outreach` on the path. */
async function openCompleted(): Promise<Project & { inShell(command: string, args: readonly string[]): string }> {
  const project = await openProject();
  project.write("outreach.yaml", "version: 1\n");
  project.write("outreach.state.json", "{}");
  const bin = path.join(project.folder, "bin");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "outreach"), `#!/bin/sh\nexec '${process.execPath}' '${project.command}' "$@"\n`);
  chmodSync(path.join(bin, "outreach"), 0o755);
  const env = { HOME: project.folder, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  return {
    ...project,
    inShell: (command, args) => execFileSync(command, args, { cwd: project.folder, env, encoding: "utf8" }),
  };
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
  [["state", "show", "outreach_webhook.c"], []],
  [["state", "show", "--state", "outreach.s"], ["outreach.state.json"]],
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
  [["listen", "--host", ""], []],
  [["controller", "--listen", ""], []],
  [["init", "--migrate-state", "--from", "outreach.s"], ["outreach.state.json"]],
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
});

test("the way to load a script is that of a command on the PATH, also through npx", async () => {
  const { out } = await (await openProject()).run("completion --help", { npm_command: "exec" });
  expect(out).toContain("source <(outreach completion bash)");
  expect(out).toContain("Shells complete outreach, not npx outreach-as-code");
});

describe("what the scripts ask for", () => {
  const offered = async (words: string): Promise<readonly string[]> => {
    const { out } = await (await openCompleted()).run(`completion zsh -- ${words}`);
    return out.split("\n").filter(Boolean);
  };

  test("candidates have a description behind a tab", async () => {
    expect(await offered("stat")).toContain(
      "state\tinspects and edits the state: list, show, mv, rm, pull, push, lock",
    );
    expect(await offered("plan -")).toContain("--detailed-exitcode\texit with 2 if there are changes");
    expect(await offered("plan -")).toContain(
      "-c\tthe configuration: a YAML file, a folder of YAML files, or a synthesized CDK stack",
    );
  });

  test.each([
    ["plan --lock=f", ["--lock=true\t", "--lock=false\t"]],
    ["plan --config=out", [":files\t"]],
    ["plan -c out", [":files\t"]],
    ["listen --regi", expect.arrayContaining([expect.stringMatching(/^--register\t/)])],
    ["state list outreach_", []],
    ["nothing st", []],
  ])("%s is completed", async (words, lines) => {
    expect(await offered(words)).toEqual(lines);
  });

  test("every command and every option that help shows", async () => {
    const { run } = await openCompleted();
    const names = async (words: string): Promise<readonly string[]> =>
      (await run(`completion zsh -- ${words}`)).out.split("\n").map((line) => line.split("\t")[0] ?? "");
    const { out } = await run("--help");
    const commands = [...out.slice(out.indexOf("Commands:"), out.indexOf("Example")).matchAll(/^ {2}([a-z][a-z-]+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "help");
    expect(commands).toContain("force-unlock");
    expect(await names("s")).toEqual(expect.arrayContaining(commands));
    for (const command of commands) {
      const options = [...(await run(`${command} --help`)).out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(
        ([, name = ""]) => name,
      );
      expect(await names(`${command} -`)).toEqual(expect.arrayContaining(options));
    }
  });
});
