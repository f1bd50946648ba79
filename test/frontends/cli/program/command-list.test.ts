import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS, commandWords } from "../../../../src/frontends/cli/program/command-list.ts";
import { createProgram } from "../../../../src/frontends/cli/program/program.ts";
import { rows } from "../../../catalog/kinds.ts";
import { PAGE } from "../../../../src/frontends/cli/commands/mcp/tool-schemas.ts";
import { useProjects } from "../project.ts";
import { EVERY_COMMAND, trialsFile } from "./every-command.ts";

const openProject = useProjects();
const PATHS = commandWords().map((words) => words.split(" "));

test.each(PATHS.map((path) => [path.join(" "), path] as const))(
  "%s loads that command alone, under the name that it is listed by",
  async (_, path) => {
    const [first, ...more] = (await createProgram({ words: path })).commands;
    expect(more).toEqual([]);
    const found = path.length === 1 ? [first] : [first, ...(first?.commands ?? [])];
    expect(found.map((command) => command?.name())).toEqual(path);
  },
);

test("the words of every command are in the list once", () => {
  expect(commandWords()).toEqual([...new Set(commandWords())]);
  expect(commandWords().length).toBeGreaterThan(30);
  expect(commandWords()).toEqual(
    expect.arrayContaining(["plan", "state mv", "sandbox", "sandbox trigger", "listen", "listen replay"]),
  );
});

/** Where a text names a command: others than these are a sentence about what outreach does. */
const NAMED =
  /(?:\b(?:[Rr]un|If|with|of|by)|:|`|\() outreach (?!(?:will|configuration)\b)([a-z-]+(?<!s))\b|"outreach (?!configuration)([a-z-]+)"/g;

test("the texts in src name commands that there are", () => {
  const src = new URL("../../../../src/", import.meta.url);
  const known = new Set(["help", ...commandWords().map((words) => words.split(" ")[0])]);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const named = files.flatMap((file) =>
    readFileSync(new URL(file, src), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(NAMED)].map(([, said, run]) => [said ?? run, `src/${file}:${String(index + 1)}`] as const),
      ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(
    named.flatMap(([name, place]) =>
      known.has(name) ? [] : [`${place} names the command ${String(name)}, which there is not`],
    ),
  ).toEqual([]);
});

test("where no command is named, help has all of them in the order of the list", async () => {
  const { commands } = await createProgram();
  const isGroup = (name: string): boolean => COMMANDS.some((row) => row.words === name && !("load" in row));
  expect(
    commands.flatMap((one) => [
      ...(isGroup(one.name()) ? [] : [[one.name()]]),
      ...one.commands.map((inner) => [one.name(), inner.name()]),
    ]),
  ).toEqual(PATHS);
});

const WEBHOOKS = `version: 1
webhooks:
${["a", "b", "c"].map((name) => `  ${name}: { target_url: https://${name}.example.com/ }\n`).join("")}`;

function tools() {
  return rows().flatMap(({ words, tool }) => (tool ? [[words, tool] as const] : []));
}

describe("what runs every command", () => {
  test("has no command that there is not", () => {
    const gone = Object.keys(EVERY_COMMAND).filter((words) => !commandWords().includes(words));
    expect(gone.map((words) => `${words} is no command: take it out of ${trialsFile(words)}.`)).toEqual([]);
  });

  test("a tool of agents belongs to a command that is read-only", () => {
    expect(tools().length).toBeGreaterThan(3);
    expect(rows().filter(({ tool, writes }) => tool && writes)).toEqual([]);
  });

  test("one that is read-only sends no writes, and changes no file but those that its options name", async () => {
    const project = await openProject();
    project.write("outreach.yaml", WEBHOOKS);
    await project.run("plan --out saved.plan");
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", WEBHOOKS.replace("  b:", "  d:"));
    for (const { words, writes, serves } of rows()) {
      if (writes || serves) continue;
      for (const line of EVERY_COMMAND[words]?.lines ?? []) {
        const before = project.files();
        const { sent, err } = await project.run(line);
        const changed = Object.entries(project.files()).filter(([file, text]) => before[file] !== text);
        expect({
          line,
          sent: sent.filter((request) => !request.startsWith("GET ") || request.includes("/export/start")),
          changed: changed.map(([file]) => file).filter((file) => !line.includes(file)),
          gone: Object.keys(before).filter((file) => project.files()[file] === undefined),
        }).toEqual({ line, sent: [], changed: [], gone: [] });
        expect(err, line).not.toContain("Unknown option");
      }
    }
  });

  test.each(tools())("docs/guides/agents.md has the tool %s with its arguments", async (name, load) => {
    const page = readFileSync(new URL("../../../../docs/guides/agents.md", import.meta.url), "utf8");
    const [, args = ""] = new RegExp(`^\\| \`${name}\` \\| (.*?) \\|`, "m").exec(page) ?? [];
    const { tool } = await load();
    expect(args.split(", ").toSorted(), "its row in docs/guides/agents.md").toEqual(
      Object.keys({ ...tool.parameters, ...(tool.lists ? PAGE : {}) })
        .map((argument) => `\`${argument}\``)
        .toSorted(),
    );
  });
});
