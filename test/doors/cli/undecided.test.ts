import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../src/sandbox/faults.ts";
import { type Project, oneWebhook, until, useProjects } from "./project.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");
const COMMANDS = ["plan", "plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"];

function posts({ sandbox }: Project): number {
  return sandbox.requests().filter(({ method }) => method === "POST").length;
}

describe("an apply that is killed while the service works", () => {
  test.each([
    ["before the service has carried the create out", "before", 0],
    ["after the service has carried the create out", "after", 1],
  ] as const)("%s: whatever comes next sends nothing and exits with 3", async (_name, when, live) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, when, method: "POST" });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.requests().some(({ method }) => method === "POST") && project.sandbox.webhooks().length === live, "the create arrives");
    child.kill("SIGKILL");
    await ended;
    expect(Object.keys(project.files())).toEqual(["outreach.state.json", "outreach.state.json.journal", "outreach.state.json.lock", "outreach.yaml"]);
    for (const command of [...COMMANDS, ...COMMANDS]) {
      const { code, out, err, sent } = await project.run(command);
      expect({ command, code, out, sent }).toEqual({ command, code: 3, out: "", sent: [] });
      expect(err).toContain(
        "Error: The outcome of an earlier write is undecided\n\n  with outreach_webhook.crm\n\nThe create of outreach_webhook.crm may or may not have been carried out: the run ended before the service's answer was stored. Nothing was sent in this run.",
      );
    }
    expect(project.sandbox.webhooks()).toHaveLength(live);
  });

  test("between the two halves of a replace: the next runs say which half is open", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", CONFIGURATION.replace("emailsReplied", "emailsSent"));
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "POST" });
    const before = posts(project);
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => posts(project) === before + 1, "the create arrives");
    child.kill("SIGKILL");
    await ended;
    expect(await project.run("plan")).toMatchObject({
      code: 3,
      sent: [],
      err: expect.stringContaining("The create (second half of a replace) of outreach_webhook.crm may or may not") as string,
    });
  });

  test("in a delete: the next runs exit with 3", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "DELETE", when: "after" });
    const { child, ended } = project.start("destroy --auto-approve");
    await until(() => project.sandbox.webhooks().length === 0, "the delete is carried out");
    child.kill("SIGKILL");
    await ended;
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 3,
      sent: [],
      err: expect.stringContaining("The delete of outreach_webhook.crm may or may not") as string,
    });
  });

  test("what the service has is taken over by an import; then the plan is clean", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    const undecided = await project.run("apply --auto-approve");
    expect(undecided.code).toBe(3);
    const stopped = await project.run("plan");
    expect(stopped.err).toContain("If it is there, take it over:   outreach import 'outreach_webhook.crm' ID");
    const [live] = project.sandbox.webhooks();
    expect(await project.run(`import outreach_webhook.crm ${live?._id ?? ""}`)).toMatchObject({ code: 0, err: "" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });
});

type Case = readonly [name: string, action: FaultAction, when: "before" | "after"];
const INDEFINITE: readonly Case[] = [
  ["dropped before it was processed", { kind: "drop" }, "before"],
  ["dropped after it was processed", { kind: "drop" }, "after"],
  ["reset without an answer", { kind: "reset", afterBytes: 0 }, "after"],
  ["reset in the body", { kind: "reset" }, "after"],
  ["cut short", { kind: "truncate" }, "after"],
  ["500 before", { kind: "answer", status: 500 }, "before"],
  ["500 after", { kind: "answer", status: 500 }, "after"],
  ["503 with Retry-After after", { kind: "answer", status: 503, headers: { "retry-after": "1" } }, "after"],
  ["502 as HTML", { kind: "html" }, "before"],
  ["200 as HTML", { kind: "html", status: 200 }, "after"],
  ["404 as HTML", { kind: "html", status: 404 }, "before"],
  ["200 with null", { kind: "answer", status: 200, body: "null" }, "after"],
  ["200 with a list", { kind: "answer", status: 200, body: "[]" }, "after"],
  ["200 without an id", { kind: "answer", status: 200, body: '{"targetUrl":"https://crm.example.com/hooks"}' }, "after"],
  ["200 with an id that is none", { kind: "answer", status: 200, body: '{"_id":"../x"}' }, "after"],
  ["200 with bytes that are not text", { kind: "answer", status: 200, bodyBase64: "/////w==" }, "after"],
  ["301 elsewhere", { kind: "answer", status: 301, headers: { location: "https://elsewhere.example.com" } }, "after"],
  ["307 elsewhere", { kind: "answer", status: 307, headers: { location: "https://elsewhere.example.com" } }, "before"],
  ["an unknown 400", { kind: "answer", status: 400, body: "Something new" }, "before"],
  ["a documented message with another status", { kind: "answer", status: 500, body: "Bad team" }, "before"],
  ["never answered", { kind: "late", delayMs: 60_000 }, "after"],
];

describe("an outcome that is not definite stops the apply with 3, and is never sent again", () => {
  test.each(INDEFINITE)("a create, %s", async (_name, action, when) => {
    const project = await openProject();
    project.environment["OUTREACH_TIMEOUT"] = "2s";
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action, when, method: "POST" });
    const first = await project.run("apply --auto-approve");
    expect({ code: first.code, sent: first.sent.map((line) => line.split(" ")[0]) }).toEqual({ code: 3, sent: ["GET", "POST"] });
    expect(first.err).toContain("Error: The outcome of a write is undecided\n");
    expect(first.out).toContain("Apply incomplete. Resources: 0 added, 0 changed, 0 destroyed.");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3, out: "", sent: [] });
  });

  test.each(INDEFINITE.filter(([name]) => !name.includes("id that is none") && !name.includes("without an id")))(
    "a delete, %s",
    async (_name, action, when) => {
      const project = await openProject();
      project.environment["OUTREACH_TIMEOUT"] = "2s";
      project.write("outreach.yaml", CONFIGURATION);
      await project.run("apply --auto-approve");
      project.sandbox.addFault({ action, when, method: "DELETE" });
      const first = await project.run("destroy --auto-approve");
      expect({ code: first.code, sent: first.sent.map((line) => line.split(" ")[0]) }).toEqual({ code: 3, sent: ["GET", "DELETE"] });
      expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3, out: "", sent: [] });
    },
  );

  test("the rest of the plan is carried out", async () => {
    const project = await openProject();
    const names = Array.from({ length: 12 }, (_, index) => `w${String(index).padStart(2, "0")}`);
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com' }\n`).join("")}`);
    project.sandbox.addFault({ action: { kind: "html" }, method: "POST" });
    const { code, sent } = await project.run("apply --auto-approve");
    expect(code).toBe(3);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(12);
    expect(project.sandbox.webhooks()).toHaveLength(11);
    expect((JSON.parse(project.read("outreach.state.json")) as { instances: readonly unknown[] }).instances).toHaveLength(11);
  });
});

describe("a refusal is definite", () => {
  test.each([
    ["a seconds' 429", { "retry-after": "1" }],
    ["a 429 without Retry-After", { "retry-after": null }],
  ])("%s is waited for, and the create is sent once more", async (_name, headers) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "answer", status: 429, headers, body: "Too many requests" }, method: "POST", times: 2 });
    const begun = Date.now();
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200", "POST /hooks 429", "POST /hooks 429", "POST /hooks 200"],
    });
    expect(Date.now() - begun).toBeGreaterThan(1900);
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });

  test("a wait longer than anybody wants is an error that nothing is sent after", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "answer", status: 429, headers: { "retry-after": "86400" }, body: "" }, method: "POST", times: null });
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 1,
      sent: ["GET /hooks 200", "POST /hooks 429"],
      err: expect.stringContaining("refused by the rate limit") as string,
    });
    project.sandbox.clearFaults();
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  });

  test("the limit of the service is kept: forty webhooks are made without a refusal", async () => {
    const project = await openProject({ rateLimit: {} });
    project.write(
      "outreach.yaml",
      `version: 1\nwebhooks:\n${Array.from({ length: 40 }, (_, index) => `  w${String(index)}: { target_url: 'https://x.example.com/${String(index)}' }\n`).join("")}`,
    );
    const { code, sent } = await project.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(sent.filter((line) => line.endsWith(" 429"))).toEqual([]);
    expect(project.sandbox.webhooks()).toHaveLength(40);
  });
});

describe("Ctrl-C", () => {
  const names = Array.from({ length: 12 }, (_, index) => `w${String(index).padStart(2, "0")}`);
  const MANY = `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com' }\n`).join("")}`;

  test.each(["SIGINT", "SIGTERM"] as const)("%s once finishes what is in flight, saves it and exits with 1", async (signal) => {
    const project = await openProject();
    project.write("outreach.yaml", MANY);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 800 }, when: "after", method: "POST", times: null });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.webhooks().length === 4, "four creates are in flight");
    child.kill(signal);
    const { code, out, err } = await ended;
    expect(code).toBe(1);
    expect(err).toMatch(/Interrupted.*Once more to exit at once\./);
    expect(out).toContain("Apply interrupted. Resources: 4 added, 0 changed, 0 destroyed.");
    expect(project.sandbox.webhooks()).toHaveLength(4);
    expect(Object.keys(project.files())).toEqual(["outreach.state.json", "outreach.state.json.backup", "outreach.yaml"]);
    project.sandbox.clearFaults();
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, out: expect.stringContaining("8 added") as string });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("twice exits at once; the next run says what is open", async () => {
    const project = await openProject();
    project.write("outreach.yaml", MANY);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, when: "after", method: "POST", times: null });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.webhooks().length === 4, "four creates are in flight");
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGINT");
    expect((await ended).code).not.toBe(0);
    expect(await project.run("plan")).toMatchObject({ code: 3, sent: [] });
  });

  test("while a plan reads ends it without a trace", async () => {
    const project = await openProject();
    project.write("outreach.yaml", MANY);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "GET" });
    const { child, ended } = project.start("plan");
    await until(() => project.sandbox.requests().length === 1, "the list is asked for");
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain("Interrupted. Nothing more was sent.");
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });
});

describe("a journal or state that does not fit", () => {
  test("an older state that was put back stops everything with 3", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const older = project.read("outreach.state.json");
    project.write("outreach.yaml", CONFIGURATION.replace("emailsReplied", "emailsSent"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "POST" });
    const before = posts(project);
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => posts(project) === before + 1, "the create arrives");
    child.kill("SIGKILL");
    await ended;
    project.write("outreach.state.json", older);
    for (const command of COMMANDS)
      expect(await project.run(command)).toMatchObject({ code: 3, sent: [], err: expect.stringContaining("an older state was restored") as string });
  });

  test.each([
    ["torn", (text: string) => text.slice(0, -40), "The file is not JSON."],
    ["empty", () => "", "The file is empty."],
    ["edited", (text: string) => text.replace("emailsReplied", "emailsSent"), "The checksum does not match"],
    ["of a later format", () => '{ "format": 3 }', "this version reads formats 1 and 2"],
    ["something else", () => "[]", "The file is not a state of this tool."],
  ])("a state that is %s is an error, and nothing is sent", async (_name, change, words) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const broken = change(project.read("outreach.state.json"));
    project.write("outreach.state.json", broken);
    for (const command of COMMANDS)
      expect(await project.run(command)).toMatchObject({ code: 1, out: "", sent: [], err: expect.stringContaining(words) as string });
    expect(project.read("outreach.state.json")).toBe(broken);
  });
});
