import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Ran, needsTerminal, runOnTerminal, useProjects } from "../project.ts";
import {
  ADA,
  LIST,
  PEOPLE,
  SEED,
  STATE,
  certificateOf,
  filesWith,
  list,
  opened,
  unsubscribing,
} from "./erase-project.ts";
import { NO_CHANGES } from "../no-changes.ts";

const openProject = useProjects();

const deletes = ({ sent }: Ran): readonly string[] => sent.filter((line) => line.startsWith("DELETE"));

describe("erase", () => {
  test("leaves the address in nothing but the list that it names", async () => {
    const project = await opened(openProject);
    const ran = await project.run(`erase ${ADA} --auto-approve --json`);
    expect([ran.code, ran.err, ran.sent]).toEqual([0, "", []]);
    const { people, erased, not_reached: notReached } = certificateOf(ran);
    expect(people).toEqual([
      { argument: 1, hash: expect.stringMatching(/^[0-9a-f]{8}$/), done: 1, waiting: 1, before: 0 },
    ]);
    expect(erased.map(({ kind, count }) => [kind, count])).toEqual([
      ["state", 2],
      ["backup", 1],
      ["plan", 1],
    ]);
    expect(notReached.map(({ kind, file, line }) => [kind, file, line])).toEqual([
      ["list", LIST, 2],
      ["list", LIST, 2],
      ["elsewhere", undefined, undefined],
    ]);
    expect(filesWith(project, ADA)).toEqual([LIST]);
    expect(ran.out).not.toContain(ADA);
    // The others stay as they were.
    expect(filesWith(project, "mary@example.net")).toEqual([LIST, STATE, `${STATE}.backup`].toSorted());
    const again = await project.run(`erase ${ADA} --auto-approve --json`);
    expect([again.code, certificateOf(again).people, certificateOf(again).erased]).toEqual([
      0,
      [{ ...people[0], done: 0, waiting: 0, before: 1 }],
      [],
    ]);
  });

  test("keeps what is done known: declared again, it is not sent, and the address does not come back", async () => {
    const project = await opened(openProject);
    await project.run(`erase ${ADA} --auto-approve`);
    project.write("outreach.yaml", unsubscribing("cam_000001"));
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([0, NO_CHANGES]);
    expect(plan.err).toContain("Note: Erased people are still declared");
    for (const command of ["apply --auto-approve", "recheck --all", "apply --auto-approve"]) {
      const ran = await project.run(command);
      expect([ran.code, deletes(ran).filter((line) => line.includes("ada"))]).toEqual([0, []]);
    }
    expect(filesWith(project, ADA)).toEqual([LIST]);
    // What was not done for the person is a change that somebody approves.
    project.write("outreach.yaml", unsubscribing("cam_000001", "cam_000002"));
    expect((await project.run("plan --detailed-exitcode")).out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
    const sent = deletes(await project.run("apply --auto-approve")).filter((line) => line.includes("ada"));
    expect(sent).toEqual(["DELETE /campaigns/cam_000002/leads/ada%40example.com 404"]);
    // Once more: the two erasures of one person are one.
    const last = await project.run(`erase ${ADA} --auto-approve --json`);
    expect(certificateOf(last).people[0]).toMatchObject({ done: 0, waiting: 1, before: 1 });
    expect(filesWith(project, ADA)).toEqual([LIST]);
  });

  test("keeps the outcome for the report, with what the user vouched for told apart", async () => {
    const project = await opened(openProject);
    project.write("outreach.yaml", unsubscribing("cam_000001").replace("recheck: 0s", "on_not_found: accept"));
    project.write(LIST, list([...PEOPLE, "katherine@example.net"]));
    expect(await project.run("apply --auto-approve --assume-unsubscribed")).toMatchObject({ code: 0 });
    await project.run(`erase ${PEOPLE.join(" ")} katherine@example.net --auto-approve`);
    const ran = await project.run("report unsubscriptions --format json --show-emails");
    const { people } = JSON.parse(ran.out) as {
      readonly people: readonly {
        readonly email: string;
        readonly campaigns: readonly { readonly outcome: string }[];
      }[];
    };
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).not.toContain("@example");
    expect(people.map(({ campaigns }) => campaigns.map(({ outcome }) => outcome)).toSorted()).toEqual([
      ["accepted"],
      ["accepted"],
      ["assumed"],
      ["done"],
    ]);
  });

  test("drops what the list said of the person, and the ids of the lead", async () => {
    const project = await openProject({ seed: SEED });
    project.write("outreach.yaml", unsubscribing("cam_000001"));
    project.write(LIST, `email,reason\n${ADA},Ada phoned us\n`);
    for (let run = 0; run < 2; run++) expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    const [{ id }] = (JSON.parse(project.read(STATE)) as { readonly instances: readonly [{ readonly id: string }] })
      .instances;
    expect(filesWith(project, "Ada phoned us")).toContain(STATE);
    await project.run(`erase ${ADA} --auto-approve`);
    expect([filesWith(project, "Ada phoned us"), filesWith(project, `"${id}"`)]).toEqual([[LIST], []]);
  });

  test("ends the watch for what waits", async () => {
    const project = await opened(openProject);
    await project.run(`erase ${ADA} --auto-approve`);
    project.write(LIST, list(PEOPLE.slice(1)));
    project.sandbox.add("leads", { campaignId: "cam_000002", email: ADA });
    const ran = await project.run("recheck --all");
    expect([ran.code, deletes(ran).filter((line) => line.includes("ada"))]).toEqual([0, []]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect((await project.run("state list --show-emails")).out).toMatch(/b0\["cam_000001\/erased:[0-9a-f]{32}"\]/);
    expect(filesWith(project, ADA)).toEqual([]);
  });

  test.each([
    ["in another case", "Ada@EXAMPLE.com", ADA],
    ["with its host in punycode", "jörg@xn--mnchen-3ya.example", "jörg@münchen.example"],
    ["with its host in Unicode", "Jörg@MÜNCHEN.example", "jörg@xn--mnchen-3ya.example"],
  ])("means the same person %s", async (_, typed, recorded) => {
    const project = await openProject({ seed: { ...SEED, leads: [{ campaignId: "cam_000001", email: recorded }] } });
    project.write("outreach.yaml", unsubscribing("cam_000001"));
    project.write(LIST, list([recorded]));
    await project.run("apply --auto-approve");
    project.write(LIST, list([typed]));
    await project.run("apply --auto-approve");
    const ran = await project.run(`erase ${typed} --auto-approve --json`);
    expect([ran.code, certificateOf(ran).people[0]?.done]).toEqual([0, 1]);
    for (const one of [typed, recorded]) expect(filesWith(project, one).filter((file) => file !== LIST)).toEqual([]);
    expect(certificateOf(ran).not_reached[0]).toMatchObject({ kind: "list", file: LIST, line: 2 });
  });

  test("says that nothing was recorded of a person whom nobody knows, and writes nothing", async () => {
    const project = await opened(openProject);
    const before = project.files();
    const ran = await project.run("erase nobody@example.com --auto-approve --json");
    expect([ran.code, certificateOf(ran).people, certificateOf(ran).erased]).toEqual([
      0,
      [{ argument: 1, hash: null, done: 0, waiting: 0, before: 0 }],
      [],
    ]);
    expect((await project.run("erase nobody@example.com --auto-approve")).out).toContain(
      "Nothing to erase: nothing was recorded.\n",
    );
    expect(project.files()).toEqual(before);
  });

  test("erases several people at once, and does not touch an address that contains another one", async () => {
    const project = await openProject({ seed: { ...SEED, leads: [] } });
    const people = [ADA, "bob+ada@example.com", "ada@example.com.au", "mary@example.net"];
    project.write(
      "outreach.yaml",
      unsubscribing("cam_000001").replace("    recheck: 0s\n", "    on_not_found: accept\n"),
    );
    project.write(LIST, list(people));
    await project.run("apply --auto-approve");
    project.write(LIST, list(people.slice(1, 3)));
    const ran = await project.run(`erase ${ADA} mary@example.net ADA@example.com --auto-approve --json`);
    expect(certificateOf(ran).people.map(({ argument, done }) => [argument, done])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect((await project.run("state list --show-emails")).out).toMatch(
      /^\S+\["ada@example\.com\.au"\]\n\S+\["bob\+ada@example\.com"\]\n\S+"cam_000001\/erased:\S+\n\S+erased:\S+\n$/,
    );
    expect(filesWith(project, "mary@")).toEqual([]);
  });

  test("erases outputs, and names the objects of the service that have the address", async () => {
    const project = await opened(openProject);
    const more = `webhooks:\n  crm: { target_url: "https://crm.example.com/?owner=${ADA}" }\noutputs:\n  who: { value: "asked: ${ADA}" }\n`;
    project.write("outreach.yaml", `${unsubscribing("cam_000001")}${more}`);
    expect(await project.run("apply --auto-approve --allow-shrink")).toMatchObject({ code: 0 });
    const ran = await project.run(`erase ${ADA} --auto-approve --json`);
    expect(certificateOf(ran).erased).toContainEqual(expect.objectContaining({ kind: "outputs", count: 1 }));
    expect(certificateOf(ran).not_reached).toContainEqual(
      expect.objectContaining({ kind: "object", detail: expect.stringContaining("outreach_webhook.crm") as string }),
    );
    expect(certificateOf(ran).not_reached).toContainEqual(
      expect.objectContaining({ kind: "file", file: "outreach.yaml" }),
    );
    expect(project.read(STATE)).toContain('"asked: erased:');
  });

  test("removes saved plans of this state, and names other files", async () => {
    const project = await opened(openProject);
    project.write("elsewhere/other.plan", project.read("saved.plan"));
    project.write("foreign.plan", project.read("saved.plan").replace(/"lineage":"[^"]*"/, '"lineage":"another"'));
    project.write("notes.txt", `first\nAsked: <${ADA.toUpperCase()}>\n`);
    const ran = await project.run(`erase ${ADA} --auto-approve --json --plan elsewhere/other.plan`);
    expect(certificateOf(ran).erased.filter(({ kind }) => kind === "plan")).toHaveLength(2);
    expect(certificateOf(ran).not_reached.filter(({ kind }) => kind === "file")).toEqual([
      { kind: "file", file: "foreign.plan", line: 1 },
      { kind: "file", file: "notes.txt", line: 2 },
    ]);
    expect(filesWith(project, ADA)).toEqual(["foreign.plan", LIST, "notes.txt"].toSorted());
  });

  test("is refused while a write of the person is open, and only then", async () => {
    const project = await opened(openProject, { realProcess: "it is killed" });
    project.write(LIST, list([...PEOPLE, "grace@example.net"]));
    project.sandbox.addFault({
      action: { kind: "late", delayMs: 60_000 },
      when: "before",
      operation: "unsubscribeLead",
      times: 9,
    });
    const before = project.sandbox.requests().length;
    const { child, ended } = project.start("apply --auto-approve");
    while (
      project.sandbox
        .requests()
        .slice(before)
        .every(({ method, target }) => method !== "DELETE" || !target.includes("grace"))
    )
      await new Promise((wait) => setTimeout(wait, 20));
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
    expect(filesWith(project, "grace@example.net")).toContain(`${STATE}.journal`);
    const kept = project.files()[`${STATE}.journal`];
    const refused = await project.run("erase grace@example.net --auto-approve");
    expect([refused.code, refused.out]).toEqual([3, ""]);
    expect(refused.err).toContain("Nothing was erased.");
    expect(refused.err).not.toContain("grace@example.net");
    expect(project.files()[`${STATE}.journal`]).toBe(kept);
    const other = await project.run("erase john@example.org --auto-approve --json");
    expect([other.code, filesWith(project, "john@example.org")]).toEqual([0, [LIST]]);
  });

  test("needs an approval, and a whole address", async () => {
    const project = await opened(openProject);
    const before = project.files();
    for (const [words, text] of [
      [ADA, "pass --auto-approve"],
      [`${ADA} --json`, "--json disables the question"],
      ["'ada at example' --auto-approve", "Argument 1 is not of the form name@host"],
    ] as const) {
      const ran = await project.run(`erase ${words}`);
      expect([ran.code, ran.out]).toEqual([1, expect.not.stringContaining("Erase")]);
      expect(ran.out + ran.err).toContain(text);
      expect(ran.err).not.toContain(ADA);
    }
    expect(project.files()).toEqual(before);
  });

  test.for([
    ["yes", 0, [LIST], "Erase complete: 1 person."],
    ["no", 1, [LIST, STATE, `${STATE}.backup`, "saved.plan"].toSorted(), "Erase cancelled. Nothing was changed."],
  ] as const)("asks on a terminal: %s", async ([answer, code, left, says], context) => {
    needsTerminal(context);
    const project = await opened(openProject, { realProcess: "it needs a terminal" });
    const ran = await runOnTerminal(project, `erase ${ADA}`, answer);
    expect([ran.code, filesWith(project, ADA)]).toEqual([code, left]);
    expect(ran.out).toContain("replace 1 record of outreach.state.json by keyed hashes, and remove 1 waiting record");
    expect(ran.out).toContain(says);
    expect(ran.out).not.toContain(ADA);
  });

  test("keeps everything encrypted, and reads encrypted plans", async () => {
    const project = await openProject({ seed: SEED });
    project.environment["STATE_KEY"] = Buffer.alloc(32, 7).toString("base64");
    const encrypted = `state:\n  encryption: { key: { env: STATE_KEY } }\n`;
    project.write("outreach.yaml", unsubscribing("cam_000001") + encrypted);
    project.write(LIST, list(PEOPLE));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write(LIST, list([...PEOPLE, "grace@example.net"]));
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    const ran = await project.run(`erase grace@example.net ${ADA} --auto-approve --json`);
    expect(certificateOf(ran).erased.map(({ kind }) => kind)).toEqual(["state", "backup", "plan"]);
    for (const file of [STATE, `${STATE}.backup`]) expect(project.read(file)).toMatch(/"encryption": ?1/);
    const pulled = await project.run("state pull --show-emails");
    expect([pulled.code, pulled.out.includes("grace@"), pulled.out.includes(ADA)]).toEqual([0, false, false]);
    // The backup has no trace either.
    rmSync(path.join(project.folder, STATE));
    writeFileSync(path.join(project.folder, STATE), project.read(`${STATE}.backup`));
    expect((await project.run("state pull --show-emails")).out).not.toContain("grace@");
  });

  test("erases a person from every team, and with --team from one", async () => {
    const project = await openProject({ seed: SEED });
    const team = "teams:\n  emea: {}\n  apac: {}\n";
    project.write("outreach.yaml", unsubscribing("cam_000001").replace("version: 1\n", `version: 1\n${team}`));
    project.write(LIST, list(PEOPLE));
    for (let run = 0; run < 2; run++) expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    await project.run(`erase ${ADA} --auto-approve --team emea`);
    expect(filesWith(project, ADA).filter((file) => file.startsWith("outreach."))).toEqual([
      "outreach.apac.state.json",
      "outreach.apac.state.json.backup",
    ]);
    const ran = await project.run(`erase ${ADA} --auto-approve --json`);
    expect(ran.code).toBe(0);
    expect(ran.out).not.toContain(ADA);
    expect(filesWith(project, ADA)).toEqual([LIST]);
  });
});
