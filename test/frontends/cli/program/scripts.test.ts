import { createServer } from "node:net";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { createProgram } from "../../../../src/frontends/cli/program/program.ts";
import { type Project, type Ran, needsTerminal, oneWebhook, runOnTerminal, until, useProjects } from "../project.ts";
import { EVERY_COMMAND } from "./every-command.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks");

let closed = "";
beforeAll(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  closed = `http://127.0.0.1:${String(typeof address === "object" ? address?.port : 0)}/api`;
  await new Promise<unknown>((resolve) => server.close(resolve));
});

async function withState(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  await project.run("apply --auto-approve");
  return project;
}

async function optionsOf(command: string): Promise<ReadonlySet<string | undefined>> {
  const words = command.split(" ");
  let found: Command | undefined = await createProgram({ words });
  for (const word of words) found = found?.commands.find((one) => one.name() === word);
  return new Set(found?.options.map(({ long }) => long));
}

/** The error that a program reads on stdout: the document of a command has it among its diagnostics, everything else is lines. */
function errorIn({ out }: Ran): string | undefined {
  const documents =
    out.startsWith("{\n") || out.startsWith("[")
      ? [JSON.parse(out) as unknown]
      : out
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown);
  const found = documents.flatMap((one) => {
    const {
      diagnostic,
      diagnostics = [],
      problems = [],
    } = one as { diagnostic?: Said; diagnostics?: readonly Said[]; problems?: readonly Said[] };
    return [...(diagnostic ? [diagnostic] : []), ...diagnostics, ...problems];
  });
  return found.find(({ severity }) => severity === "error")?.summary;
}

interface Said {
  readonly severity: string;
  readonly summary: string;
}

describe("an exit code tells whether a command did its work", () => {
  const trials = Object.entries(EVERY_COMMAND).flatMap(([command, { story, without }]) =>
    without ? [{ command, words: story?.words ?? "", ...without }] : [],
  );
  test.each(trials)("outreach $command", async ({ command, words, service, key }) => {
    const project = await withState();
    const options = await optionsOf(command);
    const cases: readonly (readonly [
      name: string,
      words: string,
      environment: { readonly [name: string]: string },
      code: number,
    ])[] = [
      ["an unknown option", `${words} --frob`, {}, 1],
      ...(options.has("--config") ? [["no configuration", `${words} -c nowhere.yaml`, {}, 1] as const] : []),
      ["no service", words, { OUTREACH_BASE_URL: closed }, service],
      ["no permission", words, { OUTREACH_API_KEY: "wrong-key" }, key],
    ];
    for (const [name, line, environment, code] of cases) {
      const text = await project.run(line, environment);
      expect({ name, code: text.code }).toEqual({ name, code });
      expect(text.err.includes("Error: "), `${name}: ${text.err}`).toBe(code !== 0);
      if (!options.has("--json") && name !== "an unknown option") continue;
      const asJson = await project.run(`${line} --json`, environment);
      expect({ name, code: asJson.code, err: asJson.err }).toEqual({ name, code, err: "" });
      if (code === 0) expect(() => JSON.parse(asJson.out) as unknown).not.toThrow();
      else expect(errorIn(asJson), `${name}: ${asJson.out}`).toMatch(/\S/);
    }
  });
});

describe("no question is asked", () => {
  test.each([
    ["--input=false", "apply --input=false", {}, "--input=false forbids questions"],
    ["-input=false, as in Terraform", "destroy -input=false", {}, "--input=false forbids questions"],
    ["OUTREACH_INPUT=0", "apply", { OUTREACH_INPUT: "0" }, "OUTREACH_INPUT forbids questions"],
    ["OUTREACH_INPUT=false", "force-unlock some-id", { OUTREACH_INPUT: "false" }, "OUTREACH_INPUT forbids questions"],
  ])("on a terminal, with %s", async (_, line, environment, why) => {
    const project = await openProject();
    Object.assign(project.environment, environment);
    project.write("outreach.yaml", CONFIGURATION);
    const ran = await runOnTerminal(project, line, "yes");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(why);
    expect(ran.out).not.toContain("Enter a value");
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("--input=true asks", async (context) => {
    needsTerminal(context);
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    expect(await runOnTerminal(project, "apply --input=true", "yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added") as string,
    });
  });

  test.each(["maybe", "toString"])(
    "OUTREACH_INPUT=%s, which means nothing, is an error before anything is done",
    async (value) => {
      const project = await openProject();
      project.write("outreach.yaml", CONFIGURATION);
      const { code, err, sent } = await project.run("apply --auto-approve", { OUTREACH_INPUT: value });
      expect([code, sent, err]).toEqual([
        1,
        [],
        expect.stringContaining(`OUTREACH_INPUT is "${value}", which is neither true nor false.`),
      ]);
    },
  );

  test("a saved plan, a plan and a refresh take the option too", async () => {
    const project = await withState();
    project.write("outreach.yaml", CONFIGURATION.replace("/hooks", "/other"));
    for (const line of [
      "plan --input=false --out saved.plan",
      "apply --input=false saved.plan",
      "refresh --input=false",
    ])
      expect(await project.run(line), line).toMatchObject({ code: 0, err: "" });
  });
});

test.each([
  ["show --format json --frob", "Unknown option"],
  ["show --format=json one.plan two.plan", "Unexpected argument"],
])("a mistake after %s is JSON, too", async (line, summary) => {
  const project = await openProject();
  const ran = await project.run(line);
  expect([ran.code, ran.err, errorIn(ran)]).toEqual([1, "", summary]);
});

test("an interrupt is a diagnostic for programs", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  let isAsked = false;
  project.sandbox.addFault({
    action: { kind: "late", delayMs: 3_600_000 },
    operation: "listWebhooks",
    where: () => (isAsked = true),
  });
  const { child, ended } = project.start("plan --json");
  await until(() => isAsked, "the list is asked for");
  child.kill("SIGINT");
  const ran = await ended;
  expect([ran.code, errorIn(ran)]).toEqual([1, "Interrupted"]);
});
