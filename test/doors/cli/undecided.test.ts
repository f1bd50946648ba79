import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../src/sandbox/faults.ts";
import { type Project, oneWebhook, until, useProjects } from "./project.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");

function sentBy({ sent }: { readonly sent: readonly string[] }, method: string): number {
  return sent.filter((line) => line.startsWith(method)).length;
}

function posts({ sandbox }: Project): number {
  return sandbox.requests().filter(({ method }) => method === "POST").length;
}

/** Kills an apply once its `nth` request of a method has come, and been carried out if it is to be. */
async function killed(
  project: Project,
  method: "POST" | "DELETE",
  { when, line = "apply --auto-approve" }: { readonly when: "before" | "after"; readonly line?: string },
) {
  const live = project.sandbox.webhooks().length;
  const before = project.sandbox.requests().filter((request) => request.method === method).length;
  const then = when === "before" ? live : method === "POST" ? live + 1 : live - 1;
  project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, when, method });
  const { child, ended } = project.start(line);
  const hasCome = () => project.sandbox.requests().filter((request) => request.method === method).length === before + 1;
  await until(() => hasCome() && project.sandbox.webhooks().length === then, `the ${method} arrives`);
  child.kill("SIGKILL");
  await ended;
  project.sandbox.clearFaults();
}

describe("an apply that is killed while the service works", () => {
  test.each([
    ["before the service has carried the create out", "before", "Plan: 1 to add, 0 to change, 0 to destroy.", "was not carried out"],
    ["after the service has carried the create out", "after", "No changes.", "was carried out: hoo_000001 is recorded"],
  ] as const)("%s: a plan finds out and stores nothing, an apply finds out and ends with one", async (_name, when, planned, found) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await killed(project, "POST", { when });
    expect(Object.keys(project.files())).toEqual(["outreach.state.json", "outreach.state.json.journal", "outreach.state.json.lock", "outreach.yaml"]);
    const left = Object.fromEntries(Object.entries(project.files()).filter(([name]) => !name.endsWith(".lock")));
    for (const turn of [1, 2]) {
      const plan = await project.run("plan");
      expect({ turn, code: plan.code, posts: sentBy(plan, "POST") }).toEqual({ turn, code: 0, posts: 0 });
      expect([plan.out, plan.err]).toEqual([expect.stringContaining(planned), expect.stringContaining(found)]);
      expect(project.files()).toEqual(left);
    }
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(project.sandbox.webhooks()).toHaveLength(1);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files())).not.toContain("outreach.state.json.journal");
  });

  test.each(["before", "after"] as const)("between the two halves of a replace (%s): the next apply goes on with the second", async (when) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", CONFIGURATION.replace("emailsReplied", "emailsSent"));
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, when, method: "POST" });
    const before = posts(project);
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => posts(project) === before + 1 && project.sandbox.webhooks().length === (when === "before" ? 0 : 1), "the create arrives");
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
    expect((await project.run("plan")).err).toContain("The create (second half of a replace) of outreach_webhook.crm");
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(project.sandbox.webhooks()).toMatchObject([{ type: "emailsSent" }]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test.each(["before", "after"] as const)("in a delete (%s): the next run knows", async (when) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    await killed(project, "DELETE", { when, line: "destroy --auto-approve" });
    const next = await project.run("destroy --auto-approve");
    expect([next.code, sentBy(next, "DELETE")]).toEqual([0, when === "before" ? 1 : 0]);
    expect(project.sandbox.webhooks()).toHaveLength(0);
    expect((JSON.parse(project.read("outreach.state.json")) as { instances: readonly unknown[] }).instances).toEqual([]);
  });

  test("and another webhook looks like what it may have made: whatever comes next stops there with 3, until that is resolved", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await killed(project, "POST", { when: "after" });
    project.sandbox.add("webhooks", { _id: "hoo_twin", teamId: "tea_000001", targetUrl: "https://crm.example.com/hooks", type: "emailsReplied" });
    for (const command of ["plan", "plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"]) {
      const ran = await project.run(command);
      expect({ command, code: ran.code, writes: sentBy(ran, "POST") + sentBy(ran, "DELETE") }).toEqual({ command, code: 3, writes: 0 });
      expect(ran.err).toContain("Error: The outcome of an earlier write is undecided");
      expect(ran.err).toContain("outreach resolve 'outreach_webhook.crm' --adopt hoo_twin");
    }
    await project.run("resolve outreach_webhook.crm --adopt hoo_000001");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    expect(project.sandbox.webhooks()).toHaveLength(2);
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

describe("an outcome that is not definite is looked for in the list", () => {
  test.each(INDEFINITE)("a create, %s: sent again only if it is not there", async (_name, action, when) => {
    const project = await openProject();
    project.environment["OUTREACH_TIMEOUT"] = "2s";
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action, when, method: "POST" });
    const ran = await project.run("apply --auto-approve");
    expect([ran.code, sentBy(ran, "POST")]).toEqual([0, when === "before" ? 2 : 1]);
    expect(ran.out).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    expect(project.sandbox.webhooks()).toHaveLength(1);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test.each(INDEFINITE.filter(([name]) => !name.includes("id that is none") && !name.includes("without an id")))(
    "a delete, %s: sent again only if it is still there",
    async (_name, action, when) => {
      const project = await openProject();
      project.environment["OUTREACH_TIMEOUT"] = "2s";
      project.write("outreach.yaml", CONFIGURATION);
      await project.run("apply --auto-approve");
      project.sandbox.addFault({ action, when, method: "DELETE" });
      const ran = await project.run("destroy --auto-approve");
      expect([ran.code, sentBy(ran, "DELETE")]).toEqual([0, when === "before" ? 2 : 1]);
      expect(ran.out).toContain("1 destroyed");
      expect(project.sandbox.webhooks()).toHaveLength(0);
    },
  );

  test.each(["html", "cut off"] as const)("and stays open when the list is %s: exit 3, and nothing is sent there before it is settled", async (how) => {
    const project = await openProject(how === "html" ? {} : { profile: { offset: false } });
    project.write("outreach.yaml", CONFIGURATION);
    if (how === "cut off") {
      for (let index = 0; index < 10; index++)
        project.sandbox.add("webhooks", { teamId: "tea_000001", targetUrl: `https://other.example.com/${String(index)}` });
    }
    project.sandbox.addFault({ action: { kind: "drop" }, method: "POST" });
    if (how === "html")
      project.sandbox.addFault({ action: { kind: "answer", status: 200, body: '"no list"' }, operation: "listWebhooks", skip: 1, times: null });
    const first = await project.run("apply --auto-approve");
    expect([first.code, sentBy(first, "POST")]).toEqual([3, 1]);
    expect(first.err).toContain("outreach resolve 'outreach_webhook.crm' --retry");
    project.sandbox.clearFaults();
    const next = await project.run("apply --auto-approve");
    expect([next.code, sentBy(next, "POST")]).toEqual(how === "html" ? [0, 1] : [3, 0]);
  });

  test("the rest of the plan is carried out, and then what is missing", async () => {
    const project = await openProject();
    const names = Array.from({ length: 12 }, (_, index) => `w${String(index).padStart(2, "0")}`);
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com' }\n`).join("")}`);
    project.sandbox.addFault({ action: { kind: "html" }, method: "POST" });
    const { code, sent } = await project.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(13);
    expect(project.sandbox.webhooks()).toHaveLength(12);
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

  test("twice exits at once; the next apply finds what was made, and makes the rest", async () => {
    const project = await openProject();
    project.write("outreach.yaml", MANY);
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, when: "after", method: "POST", times: null });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.webhooks().length === 4, "four creates are in flight");
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGINT");
    expect((await ended).code).not.toBe(0);
    project.sandbox.clearFaults();
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, out: expect.stringContaining("8 added") as string });
    expect(project.sandbox.webhooks()).toHaveLength(12);
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
  /** A state that was put back to the one before the last apply, beside the journal of an apply that was killed after it. */
  async function restored(when: "before" | "after") {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const older = project.read("outreach.state.json");
    const other = "  other: { target_url: 'https://other.example.com' }\n";
    project.write("outreach.yaml", `${CONFIGURATION}${other}`);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", `${CONFIGURATION}${other}${other.replaceAll("other", "third")}`);
    await killed(project, "POST", { when });
    project.write("outreach.state.json", older);
    return project;
  }

  test("an older state that was put back: what its journal does not tell for certain stays open, with 3, until it is resolved", async () => {
    const project = await restored("after");
    for (const command of ["plan", "apply --auto-approve", "plan"]) {
      const ran = await project.run(command);
      expect({ command, code: ran.code, writes: sentBy(ran, "POST") + sentBy(ran, "DELETE") }).toEqual({
        command,
        code: command === "plan" ? 1 : 1,
        writes: 0,
      });
      expect(ran.err).toContain("outreach resolve 'outreach_webhook.third' --adopt hoo_000003");
      expect(ran.err).toContain("outreach import 'outreach_webhook.other' hoo_000002");
    }
    expect((await project.run("resolve outreach_webhook.third --adopt hoo_000003")).code).toBe(0);
    expect((await project.run("import outreach_webhook.other hoo_000002")).code).toBe(0);
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
    expect(project.sandbox.webhooks()).toHaveLength(3);
  });

  test("a journal of another state is set aside, exit 3, and said under its name", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await killed(project, "POST", { when: "after" });
    const journal = project.read("outreach.state.json.journal");
    const another = await openProject();
    another.write("outreach.yaml", CONFIGURATION);
    await another.run("apply --auto-approve");
    another.write("outreach.state.json.journal", journal);
    const { code, err, sent } = await another.run("apply --auto-approve");
    const aside = Object.keys(another.files()).find((name) => name.startsWith("outreach.state.json.journal."));
    expect([code, sent, another.read(String(aside))]).toEqual([3, [], journal]);
    expect(err).toContain(String(aside));
    expect(await another.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
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
    for (const command of ["plan", "plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"])
      expect(await project.run(command)).toMatchObject({ code: 1, out: "", sent: [], err: expect.stringContaining(words) as string });
    expect(project.read("outreach.state.json")).toBe(broken);
  });
});
