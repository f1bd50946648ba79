import { expect, test } from "vitest";
import { checksumOf } from "../../../../src/core/state/document.ts";
import { encodeLine } from "../../../../src/core/state/journal.ts";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const TITLE = "\u001B]0;title\u0007";
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";

const MARK = { bootId: "b", pidNamespace: null, pid: 1, startedAt: "1" };

test("control characters in a lock of another program do not reach the terminal", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  project.write(
    "outreach.state.json.lock",
    JSON.stringify({ ...MARK, id: TITLE, host: "here", who: "ada", operation: "apply", since: TITLE }),
  );
  const { out, code } = await project.run("state lock");
  expect({ code, hasEscapes: out.includes("\u001B") }).toEqual({ code: 0, hasEscapes: false });
  expect(out).toContain("locked by ada on here");
});

test("control characters in addresses of a state do not reach the terminal", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  const { checksum: _, ...state } = JSON.parse(project.read("outreach.state.json")) as {
    readonly checksum: string;
    readonly instances: readonly object[];
  };
  const changed = { ...state, instances: [...state.instances, { ...state.instances[0], address: TITLE, id: "hoo_9" }] };
  project.write("outreach.state.json", JSON.stringify({ ...changed, checksum: checksumOf(changed) }));
  const { out, code } = await project.run("state list");
  expect({ code, hasEscapes: out.includes("\u001B") }).toEqual({ code: 0, hasEscapes: false });
  expect(out.split("\n")).toContain("outreach_webhook.crm");
  const shown = await project.run("show --json");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(shown.out)).toMatchObject({
    values: { root_module: { resources: [{}, { address: TITLE, mode: "managed", name: TITLE }] } },
  });
});

test("the id of a lock that somebody has written is one word of the command that removes it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  const lock = {
    id: "1; touch ran #",
    host: "elsewhere",
    ...MARK,
    who: "ada",
    operation: "apply",
    since: "2026-11-26T00:00:00.000Z",
  };
  project.write("outreach.state.json.lock", JSON.stringify(lock));
  const { code, err } = await project.run("apply --auto-approve");
  expect(code).toBe(1);
  expect(err).toContain("remove its lock: outreach force-unlock '1; touch ran #'\n");
});

const LINES = `a\nApply complete!\n${"a".repeat(100_000)}`;

test.each<readonly [what: string, state: object]>([
  ["place that a state has moved to", { format: 1, lineage: "line", serial: 1, movedTo: LINES }],
  ["place that an encrypted state has moved to", { encryption: 1, kind: "state", key: { id: "ab" }, movedTo: LINES }],
  ["id of a key", { encryption: 1, kind: "state", key: { id: LINES } }],
  ["lineage", { format: 1, lineage: LINES, salt: "salt", planKey: "ab".repeat(32), serial: 1, instances: [] }],
])("no line of a message comes from the %s of a state that somebody has written", async (_, state) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  project.write("outreach.state.json", JSON.stringify({ ...state, checksum: checksumOf(state) }));
  const { code, out, err } = await project.run("plan");
  expect([code, out]).toEqual([1, ""]);
  expect(err.length).toBeLessThan(1000);
  expect(err).not.toMatch(/^Apply complete!/m);
});

test("a journal that somebody has written is moved nowhere else", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  project.write("outreach.state.json.journal.x/folder", "");
  project.write(
    "outreach.state.json.journal",
    encodeLine({ journal: 1, lineage: "x/../elsewhere", baseSerial: 1, baseSeq: 1 }),
  );
  const before = project.files();
  const { code, err } = await project.run("apply --auto-approve");
  expect([code, err]).toEqual([3, expect.stringContaining("Line 1 of outreach.state.json.journal is damaged.")]);
  expect(project.files()).toEqual(before);
});
