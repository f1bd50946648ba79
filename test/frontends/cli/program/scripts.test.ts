import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { commandWords } from "../../../../src/frontends/cli/program/command-list.ts";
import { type Project, type Ran, needsTerminal, oneWebhook, runOnTerminal, until, useProjects } from "../project.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks");

/** How each command ends where something is missing: a configuration, a service that answers, a valid key. */
interface Expected {
  readonly words: string;
  /** Without the file of the configuration; absent: the command takes none. */
  readonly configuration?: number;
  readonly service: number;
  readonly key: number;
  /** Whether it has --json. */
  readonly json?: true;
}

const COMMANDS: { readonly [command: string]: Expected } = {
  version: { words: "version", service: 0, key: 0, json: true },
  validate: { words: "validate", configuration: 1, service: 0, key: 0, json: true },
  plan: { words: "plan", configuration: 1, service: 1, key: 1, json: true },
  explain: { words: "explain outreach_webhook.crm", configuration: 1, service: 1, key: 1, json: true },
  drift: { words: "drift", configuration: 1, service: 1, key: 1, json: true },
  audit: { words: "audit", configuration: 1, service: 1, key: 1, json: true },
  apply: { words: "apply --auto-approve", configuration: 1, service: 1, key: 1, json: true },
  generate: { words: "generate", configuration: 1, service: 1, key: 1 },
  comment: { words: "comment --dry-run", configuration: 1, service: 1, key: 1 },
  recheck: { words: "recheck", configuration: 1, service: 1, key: 1, json: true },
  refresh: { words: "refresh", configuration: 1, service: 1, key: 1, json: true },
  destroy: { words: "destroy --auto-approve", configuration: 1, service: 1, key: 1, json: true },
  import: { words: "import outreach_webhook.crm hoo_000001", configuration: 1, service: 1, key: 1 },
  resolve: { words: "resolve outreach_webhook.crm --retry", configuration: 1, service: 1, key: 1 },
  show: { words: "show", configuration: 1, service: 0, key: 0, json: true },
  output: { words: "output", configuration: 1, service: 0, key: 0, json: true },
  "report unsubscriptions": { words: "report unsubscriptions", configuration: 1, service: 0, key: 0 },
  "state list": { words: "state list", configuration: 1, service: 0, key: 0, json: true },
  "state show": { words: "state show outreach_webhook.crm", configuration: 1, service: 0, key: 0, json: true },
  "state mv": {
    words: "state mv --dry-run outreach_webhook.crm outreach_webhook.b",
    configuration: 1,
    service: 0,
    key: 0,
  },
  "state rm": { words: "state rm --dry-run outreach_webhook.crm", configuration: 1, service: 0, key: 0 },
  "state pull": { words: "state pull", configuration: 1, service: 0, key: 0 },
  "state push": { words: "state push nothing.json", configuration: 1, service: 1, key: 1 },
  "state lock": { words: "state lock", configuration: 1, service: 0, key: 0, json: true },
  "force-unlock": {
    words: "force-unlock --force 00000000-0000-4000-8000-000000000000",
    configuration: 1,
    service: 1,
    key: 1,
  },
  "get campaigns": { words: "get campaigns", configuration: 1, service: 1, key: 1, json: true },
  "get schedules": { words: "get schedules cam_000001", configuration: 1, service: 1, key: 1, json: true },
  "get warmup": { words: "get warmup usm_000001", configuration: 1, service: 1, key: 1, json: true },
  "get webhooks": { words: "get webhooks", configuration: 1, service: 1, key: 1, json: true },
  export: { words: "export cam_000001", configuration: 1, service: 1, key: 1, json: true },
  "sandbox trigger": { words: "sandbox trigger emailsReplied", service: 1, key: 0 },
  doctor: { words: "doctor", configuration: 1, service: 1, key: 1, json: true },
  events: { words: "events", service: 0, key: 0, json: true },
  "listen replay": { words: "listen replay nowhere.json --to 9", service: 1, key: 1 },
  // There is no database.
  "controller status": { words: "controller status", configuration: 1, service: 1, key: 1, json: true },
  "controller set": { words: "controller set --auto none", configuration: 1, service: 1, key: 1 },
  "controller run": { words: "controller run emea", configuration: 1, service: 1, key: 1 },
  "controller adopt": { words: "controller adopt emea", configuration: 1, service: 1, key: 1 },
  "controller pause": { words: "controller pause emea", configuration: 1, service: 1, key: 1 },
  "controller resume": { words: "controller resume emea", configuration: 1, service: 1, key: 1 },
  "controller approve": {
    words: "controller approve emea b2600695-9ab3-401e-871b-e99656168a8d",
    configuration: 1,
    service: 1,
    key: 1,
  },
};

/** These run until they are stopped, or write into folders of the machine: other tests have them. */
const ELSEWHERE = new Set(["controller", "listen", "sandbox", "mcp", "init", "completion", "provider install"]);

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

test("every command is in the table", () => {
  expect([...Object.keys(COMMANDS), ...ELSEWHERE].toSorted()).toEqual(commandWords().toSorted());
});

describe("an exit code tells whether a command did its work", () => {
  test.each(Object.entries(COMMANDS))("outreach %s", async (_, { words, configuration, service, key, json }) => {
    const project = await withState();
    const cases: readonly (readonly [
      name: string,
      words: string,
      environment: { readonly [name: string]: string },
      code: number,
    ])[] = [
      ["an unknown option", `${words} --frob`, {}, 1],
      ...(configuration === undefined
        ? []
        : [["no configuration", `${words} -c nowhere.yaml`, {}, configuration] as const]),
      ["no service", words, { OUTREACH_BASE_URL: closed }, service],
      ["no permission", words, { OUTREACH_API_KEY: "wrong-key" }, key],
    ];
    for (const [name, line, environment, code] of cases) {
      const text = await project.run(line, environment);
      expect({ name, code: text.code }).toEqual({ name, code });
      expect(text.err.includes("Error: "), `${name}: ${text.err}`).toBe(code !== 0);
      if (json !== true && name !== "an unknown option") continue;
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
