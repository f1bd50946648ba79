import { describe, expect, test } from "vitest";
import { type Project, type Ran, needsTerminal, runOnTerminal, useProjects } from "../project.ts";

const openProject = useProjects();

const NAMES = ["ada", "Bob.O'Brien", "mixed+tag", "eve"];
const EMAILS = NAMES.map((name) => `${name}@Leads.example`);
const LISTED = "zoe@leads.example";

/** Three leads that are there, one that is not, and one from a file. */
async function openLeads(): Promise<Project> {
  const project = await openProject();
  for (const email of [...EMAILS.slice(0, 3), LISTED])
    project.sandbox.add("leads", { campaignId: "cam_000001", email });
  project.write("stop.csv", `name,email\nZoe,${LISTED}\n`);
  project.write(
    "outreach.yaml",
    `version: 1
lead_unsubscriptions:
  stop:
    campaign_id: cam_000001
    emails: [ada@Leads.example, "Bob.O'Brien@Leads.example", mixed+tag@Leads.example]
    emails_from: stop.csv
  absent:
    campaign_id: cam_000001
    emails: [eve@Leads.example]
outputs:
  contact: ada@Leads.example
`,
  );
  return project;
}

function expectMasked({ out, err }: Pick<Ran, "out" | "err">, where: string): void {
  for (const text of [out, err].map((one) => one.toLowerCase().replaceAll("%40", "@")))
    for (const name of [...NAMES, "zoe", "o'brien", "tag", "o'\\''brien"])
      expect(text.includes(`${name.toLowerCase()}@`), `${name} in what ${where} prints:\n${text}`).toBe(false);
}

const masksIn = (text: string): readonly string[] =>
  [...new Set(text.match(/\w?\*\*\*@leads\.example#[0-9a-f]{8}/g))].toSorted();

describe("off a terminal", () => {
  test("no command prints an address of a lead, and all of them print the same mask for it", async () => {
    const project = await openLeads();
    for (const line of [
      "validate",
      "plan",
      "plan --json",
      "plan --out saved.plan",
      "show saved.plan",
      "show -json saved.plan",
    ])
      expectMasked(await project.run(line), line);
    const applied = await project.run("apply saved.plan");
    expect(applied.code, applied.err).toBe(0);
    expectMasked(applied, "apply");
    const listed = await project.run("state list");
    expect(masksIn(listed.out)).toHaveLength(5);
    for (const line of [
      "show",
      "show -json",
      "state pull",
      "state list",
      "output",
      "output -json",
      "output --raw contact",
      "plan",
      "plan --json",
      "drift",
      "refresh",
    ]) {
      const ran = await project.run(line);
      expectMasked(ran, line);
      for (const mask of masksIn(ran.out)) expect(masksIn(listed.out), line).toContain(mask);
    }
    project.write("outreach.yaml", "version: 1\n");
    const forgotten = await project.run("apply --json --auto-approve");
    expect(forgotten.code, forgotten.err).toBe(0);
    expectMasked(forgotten, "apply --json");
  });

  test("--show-emails prints them in full", async () => {
    const project = await openLeads();
    expect((await project.run("plan --show-emails")).out).toContain("ada@leads.example");
    expect((await project.run("plan --json --show-emails")).out).toContain("ada@leads.example");
    expect((await project.run("apply --auto-approve --show-emails")).out).toContain("mixed+tag@");
    expect((await project.run("state list --show-emails")).out).toContain("ada@");
  });

  test("every address that state list prints can be given to other commands", async () => {
    const project = await openLeads();
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    const addresses = (await project.run("state list")).out.trim().split("\n");
    expect(addresses).toHaveLength(5);
    for (const address of addresses) expect((await project.run(`state show '${address}'`)).code).toBe(0);
    const [first = "", second = ""] = addresses;
    const moved = await project.run(`state mv '${first}' outreach_lead_unsubscription.elsewhere`);
    expect(moved.code).toBe(0);
    expectMasked(moved, "state mv");
    const removed = await project.run(`state rm '${second}'`);
    expect(removed.out).toContain(`Removed ${second}`);
    expect((await project.run("state list")).out.trim().split("\n")).toHaveLength(4);
  });
});

test("an answer of the service shows no known address, in no notation, neither in messages nor in the state", async () => {
  const project = await openLeads();
  for (const body of [
    "ada(at)leads.example",
    "ada at leads.example",
    "ａｄａ＠ｌｅａｄｓ．ｅｘａｍｐｌｅ",
    "a\u200bda@leads.exam\u00adple",
    '"ada"@leads.example',
    "ada @ leads . example",
    "ada[@]leads[.]example",
    "ada\\@leads\\.example",
    "ada=40leads.example",
    "ada@leads。example",
    "ada&shy;@leads.example",
  ]) {
    project.sandbox.addFault({
      action: { kind: "answer", status: 422, body },
      operation: "unsubscribeLead",
      times: null,
    });
    for (const line of ["apply --auto-approve", "apply --auto-approve --json"]) {
      const { code, out, err } = await project.run(line);
      expect(code).toBe(1);
      expect(`${out}${err}`).toMatch(/422 \W*a\*\*\*@leads\.example#/);
      expect(`${out}${err}`.normalize("NFKC")).not.toMatch(/ada(@|\(at| at )|da@/i);
    }
    project.sandbox.clearFaults();
  }
});

describe("what is mistyped is masked in messages and in the lines that they show", () => {
  const block = (emails: string): string =>
    `version: 1\nlead_unsubscriptions:\n  stop: { campaign_id: cam_000001, emails: ${emails} }\n`;

  test.each([
    ["no @", block("[ada.lovelace]"), "lovelace"],
    ["two of them", block('["ada@lovelace@leads.example"]'), "lovelace"],
    ["a blank in it", block('["ada @leads.example"]'), "ada "],
    ["a comma for a dot", block("[lovelace@leads,example]"), "lovelace"],
    ["a key that is there twice", block("[ada@leads.example], emails: [x@leads.example]"), "ada@"],
    ["no list", block("ada@leads.example"), "ada@"],
    ["another key", block("[ada@leads.example]").replace("emails", "email"), "ada@"],
    ["the place of the campaign", block("[x@leads.example]").replace("cam_000001", "ada@leads.example"), "ada@"],
  ])("%s", async (_, text, address) => {
    const project = await openProject();
    project.write("outreach.yaml", text);
    for (const line of ["validate", "validate --json", "plan", "plan --json"]) {
      const { code, out, err } = await project.run(line);
      expect(code).toBe(1);
      expect(`${out}${err}`, line).not.toContain(address);
    }
    expect((await project.run("validate --show-emails")).err).toContain(address);
  });

  test("the caret stays below what it points at", async () => {
    const project = await openProject();
    project.write("outreach.yaml", block("[ada@leads.example, bob@x@leads.example]"));
    const lines = (await project.run("validate")).err.split("\n");
    const at = lines.findIndex((line) => line.includes("emails:"));
    const caret = (lines[at + 1] ?? "").indexOf("^");
    expect((lines[at] ?? "").slice(caret)).toMatch(/^b\*\*\*@/);
  });

  test("in a file of addresses too", async () => {
    const project = await openProject();
    project.write("outreach.yaml", block("[]\n").replace("emails: []\n }", "emails_from: stop.txt }"));
    project.write("stop.txt", "bob@leads.example\nada @leads.example\n");
    const { code, out, err } = await project.run("validate");
    expect(code).toBe(1);
    expect(`${out}${err}`).not.toMatch(/ada |bob@/);
  });
});

describe("on a terminal", () => {
  const inTerminal = async (project: Project, line: string): Promise<string> => {
    const { code, out } = await runOnTerminal(project, line);
    expect(code).toBe(0);
    return out;
  };

  test("addresses are printed in full, but for JSON", async (context) => {
    needsTerminal(context);
    const project = await openLeads();
    const plan = await inTerminal(project, "plan");
    expect(plan).toContain("ada@leads.example");
    expect(plan, "TERM=dumb").not.toContain("\u001b");
    const json = await inTerminal(project, "plan --json");
    expect(json).toContain("a***@leads.example#");
    expectMasked({ out: json, err: "" }, "plan --json");
    expect(await inTerminal(project, "plan --json --show-emails")).toContain("ada@leads.example");
  });
});
