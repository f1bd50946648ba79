import { type TestContext, describe, expect, test } from "vitest";
import { CTRL_C, CTRL_D, type Project, type Typed, needsTerminal, runOnTerminal, useProjects } from "../project.ts";

const openProject = useProjects();

const URL = "Base URL";
const KEY = "API key (not shown)";
const CHOICE = "Adopt all, none, or numbers";
const TYPED_KEY = "key-that-somebody-types";

/** A project of somebody who has set nothing yet, with webhooks that were made by hand. */
async function openNew(context: TestContext): Promise<Project> {
  needsTerminal(context);
  const project = await openProject({ realProcess: "it needs a terminal" });
  Object.assign(project.environment, { OUTREACH_BASE_URL: undefined, OUTREACH_API_KEY: undefined });
  project.sandbox.add("keys", { name: "typed", key: TYPED_KEY, userId: "usr_000001" });
  project.sandbox.add("webhooks", {
    _id: "hoo_900001",
    targetUrl: "https://crm.example.com/hooks/replies",
    type: "emailsReplied",
    campaignId: "cam_000001",
  });
  project.sandbox.add("webhooks", { _id: "hoo_900002", targetUrl: "https://audit.example.com/" });
  project.sandbox.add("webhooks", {
    _id: "hoo_900003",
    targetUrl: "http://old.example.com/hook",
    type: "emailsBounced",
  });
  return project;
}

function connected({ sandbox }: Project): readonly Typed[] {
  return [
    [URL, sandbox.baseUrl],
    [KEY, TYPED_KEY],
  ];
}

/** Runs init, and looks for the key in everything that it showed and left. */
async function guided(project: Project, answers: readonly Typed[], line = "init --no-color") {
  const ran = await runOnTerminal(project, line, answers);
  expect([ran.out, ...Object.values(project.files())].filter((text) => text.includes(TYPED_KEY))).toEqual([]);
  expect(ran.sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
  return { ...ran, files: Object.keys(project.files()) };
}

const BOTH = [".gitignore", "outreach.yaml"];

describe("init on a terminal", () => {
  test.for([["dumb"], ["xterm-256color"]])(
    "asks, lists, plans and writes, and keeps the key in memory (TERM=%s)",
    async ([TERM], context) => {
      const project = await openNew(context);
      Object.assign(project.environment, { TERM });
      const { code, out, files } = await guided(project, [...connected(project), [CHOICE, "all"]]);
      expect([code, files]).toEqual([0, BOTH]);
      expect(out).toContain("hoo_900003: target_url uses http");
      expect(out).toMatch(
        /^ {2}1 {2}hoo_900001 {2}emailsReplied {2}Q3 launch {6}https:\/\/crm\.example\.com\/hooks\/replies\n {2}2 {2}hoo_900002 {2}all events/m,
      );
      expect(out).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.");
      expect(out).toContain(
        "read -rs OUTREACH_API_KEY && export OUTREACH_API_KEY\n  PowerShell:  $env:OUTREACH_API_KEY = ",
      );
      expect(project.read("outreach.yaml")).toContain(
        `  base_url: ${project.sandbox.baseUrl}\n  api_key: { env: OUTREACH_API_KEY }\n`,
      );
      expect(project.read(".gitignore")).toContain("\n*.plan\nkeys/\nsecrets/\n");
      project.environment["OUTREACH_API_KEY"] = TYPED_KEY;
      expect((await project.run("apply --auto-approve")).out).toContain(
        "Apply complete! Resources: 2 imported, 0 added, 0 changed, 0 destroyed.",
      );
    },
  );

  test.for([
    ["", ["hoo_900001", "hoo_900002"]],
    ["ALL", ["hoo_900001", "hoo_900002"]],
    ["2", ["hoo_900002"]],
    ["2, 1", ["hoo_900001", "hoo_900002"]],
    ["1-2", ["hoo_900001", "hoo_900002"]],
    ["none", []],
  ] as const)("adopts what was chosen: %j", async ([answer, ids], context) => {
    const project = await openNew(context);
    const { code, out } = await guided(project, [...connected(project), [CHOICE, answer]]);
    expect(code).toBe(0);
    const text = project.read("outreach.yaml");
    expect([...text.matchAll(/, id: (hoo_\d+) \}$/gm)].map(([, id]) => id).toSorted()).toEqual(ids);
    expect(text.includes("# - hoo_900001: It was not chosen.")).toBe(
      ids.length > 0 && !ids.some((id) => id === "hoo_900001"),
    );
    expect(text).toContain(`\n  base_url: ${project.sandbox.baseUrl}\n`);
    expect(out.includes(" to import, ")).toBe(ids.length > 0);
    expect(out).toContain("read -rs OUTREACH_API_KEY");
  });

  test("asks again after each mistake", async (context) => {
    const project = await openNew(context);
    const { baseUrl } = project.sandbox;
    const mistakes: readonly (readonly [...Typed, said: string])[] = [
      [URL, "", "No base URL"],
      [URL, "api.example.com/api", '"api.example.com/api" is not a URL.'],
      [URL, "http://api.example.com/api", "does not use https"],
      [URL, baseUrl, ""],
      [KEY, "", "No API key"],
      [KEY, `"${TYPED_KEY}"`, "The API key is in quotes. Nothing was sent."],
      [URL, "", ""],
      [KEY, TYPED_KEY, ""],
      [CHOICE, "3", '"3" is neither a number from 1 to 2 nor a range of them.'],
      [CHOICE, "0", '"0" is neither'],
      [CHOICE, "2-1", '"2-1" is neither'],
      [CHOICE, "1,some", '"some" is neither'],
      [CHOICE, "1", ""],
    ];
    const { code, out } = await guided(
      project,
      mistakes.map(([shown, typed]) => [shown, typed]),
    );
    expect(code).toBe(0);
    expect(mistakes.filter(([, , said]) => !out.includes(said))).toEqual([]);
    expect(out).toContain(`Base URL [${baseUrl}]: `);
  });

  test.for<
    readonly [name: string, (project: Project) => { readonly baseUrl?: string; readonly key?: string }, said: string]
  >([
    [
      "an address where nothing answers",
      () => ({ baseUrl: "http://127.0.0.1:9/api" }),
      "Error: Cannot reach the service [init_unreachable]\n\nhttp://127.0.0.1:9/api refused the connection.",
    ],
    [
      "an unknown host",
      () => ({ baseUrl: "https://nowhere.invalid/api" }),
      "Error: Cannot reach the service [init_unreachable]\n\nhttps://nowhere.invalid/api has ",
    ],
    [
      "a URL without its path",
      ({ sandbox }) => ({ baseUrl: sandbox.baseUrl.replace("/api", "") }),
      "Error: Not the outreach automation service",
    ],
    [
      "another service",
      ({ sandbox }) => {
        sandbox.addFault({
          action: { kind: "answer", status: 200, body: '{"status":"up"}' },
          operation: "listWebhooks",
        });
        return {};
      },
      "Error: Not the outreach automation service",
    ],
    [
      "a service that fails",
      ({ sandbox }) => {
        sandbox.addFault({
          action: { kind: "answer", status: 500, body: "down" },
          operation: "listWebhooks",
          times: 4,
        });
        return {};
      },
      "Error: The service could not be read",
    ],
    ["a wrong key", () => ({ key: "wrong-key" }), "Error: The service refused the API key"],
    [
      "the key of a blocked user",
      ({ sandbox }) => ({ key: sandbox.keys.blocked }),
      "User linked to this API key is blocked.",
    ],
  ])("says what is wrong, and asks again: %s", async ([, mistake, said], context) => {
    const project = await openNew(context);
    const { baseUrl = project.sandbox.baseUrl, key = TYPED_KEY } = mistake(project);
    const again: readonly Typed[] = [
      [URL, project.sandbox.baseUrl],
      ...(key === TYPED_KEY ? [] : [[KEY, TYPED_KEY] as const]),
    ];
    const { code, out, files } = await guided(project, [[URL, baseUrl], [KEY, key], ...again, [CHOICE, "all"]]);
    expect([code, files]).toEqual([0, BOTH]);
    expect(out).toContain(said);
    expect(out).not.toContain("wrong-key");
  });

  test.for([
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", CTRL_D],
  ] as const)("leaves nothing behind after %s at any question", async ([, character], context) => {
    const project = await openNew(context);
    const answers: readonly Typed[] = [...connected(project), [CHOICE, ""]];
    for (const [index, [shown]] of answers.entries()) {
      const { code, out, files } = await guided(project, [...answers.slice(0, index), [shown, character]]);
      expect([shown, code, files]).toEqual([shown, 1, []]);
      expect(out).toContain("\nInit cancelled. Nothing was written.\n");
    }
  });

  test("leaves nothing behind after Ctrl-C while it reads the service", async (context) => {
    const project = await openNew(context);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 3_600_000 }, operation: "listWebhooks" });
    // The exit code is that of the shell, which the terminal interrupts too.
    const { out, files } = await guided(project, [...connected(project), ["Checking the service", CTRL_C]]);
    expect(files).toEqual([]);
    expect(out).toContain("Interrupted. No further requests were sent.");
  });

  test("asks nothing that the environment and the options say", async (context) => {
    const project = await openNew(context);
    project.environment["OUTREACH_API_KEY"] = TYPED_KEY;
    const { code, out } = await guided(project, [[CHOICE, "1"]], `init --base-url ${project.sandbox.baseUrl}`);
    expect(code).toBe(0);
    for (const question of [URL, KEY, "read -rs"]) expect(out).not.toContain(question);
  });

  test("does not ask for another key than that of the environment", async (context) => {
    const project = await openNew(context);
    project.environment["OUTREACH_API_KEY"] = "wrong-key";
    const { code, out, files } = await guided(project, [[URL, project.sandbox.baseUrl]]);
    expect([code, files]).toEqual([1, []]);
    expect(out).toContain("The service refused the API key");
  });

  test("writes the starter configuration for a service without webhooks", async (context) => {
    const project = await openNew(context);
    for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
    const { code, out } = await guided(project, connected(project));
    expect(code).toBe(0);
    expect(out).toContain("The service lists no webhooks.");
    expect(project.read("outreach.yaml")).toContain(
      `  base_url: ${project.sandbox.baseUrl}\n  api_key: { env: OUTREACH_API_KEY }\n\n# The state`,
    );
  });

  test("asks nothing where the file exists", async (context) => {
    const project = await openNew(context);
    project.write("outreach.yaml", "mine");
    const { code, out, sent } = await guided(project, [[URL, CTRL_C]]);
    expect([code, sent, project.read("outreach.yaml")]).toEqual([0, [], "mine"]);
    expect(out).toMatch(/^outreach\.yaml exists and is unchanged\.\n/);
  });

  test.for([
    ["init --input=false", {}],
    ["init", { OUTREACH_INPUT: "0" }],
    ["init --adopt none", {}],
  ] as const)("writes the starter configuration without a question: %s %j", async ([line, environment], context) => {
    const project = await openNew(context);
    Object.assign(project.environment, environment);
    const { code, out, sent, files } = await guided(project, [[URL, CTRL_C]], line);
    expect([code, sent, files]).toEqual([0, [], BOTH]);
    expect(out).not.toContain(URL);
  });
});
