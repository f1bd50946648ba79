import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type StateDocument, decodeState, encodeState } from "../../../../src/core/state/document.ts";
import { maskEmail } from "../../../../src/core/secrets/personal-mask.ts";
import { type Ledger, decodeLedger, encodeLedger } from "../../../../src/frontends/provider-journal/ledger.ts";
import { nodeKeyedDigest } from "../../../../src/platform/node-digest.ts";
import { recorded } from "../../../core/toy.ts";
import { document, intent } from "../../../core/state/state-fixtures.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const STATE = "outreach.state.json";
const ADA = 'outreach_lead_unsubscription.stop["ada@example.com"]';

function hook(address: string, id: string, more: Partial<ReturnType<typeof recorded>> = {}) {
  return {
    ...recorded("x"),
    address,
    type: "outreach_webhook",
    provider: "outreach",
    id,
    attributes: { id, target_url: "https://crm.example.com/hooks", type: null, secret: { $secret: "feed" } },
    returned: {},
    ...more,
  };
}

const LOST_CREATE = {
  type: "outreach_webhook",
  address: "outreach_webhook.old",
  key: { target_url: "https://old.example.com" },
  preIds: [],
  planned: {},
  provider: "outreach",
  sentAtMs: 1,
};

function fullState(more: Partial<StateDocument> = {}): StateDocument {
  return document({
    instances: [
      hook(ADA, "lead_1", {
        type: "outreach_lead_unsubscription",
        attributes: {
          campaign_id: "cam_000001",
          email: "ada@example.com",
          on_not_found: "watch",
          recheck: "24h",
          reassert: "never",
          outcome: "unsubscribed",
        },
      }),
      hook('outreach_webhook.audit["emailsBounced"]', "hoo_000002"),
      hook('outreach_webhook.audit["emailsSent"]', "hoo_000003", {
        deposed: [{ id: "hoo_000009", attributes: { target_url: "https://old.example.com/hooks" }, returned: {} }],
      }),
      hook("outreach_webhook.crm", "hoo_000001", { masked: ["target_url"] }),
    ],
    outputs: [
      { name: "contact", value: "ada@example.com", sensitive: false },
      { name: "ids", value: ["cam_000001", { deep: null }], sensitive: false },
      { name: "limit", value: 3, sensitive: false },
      { name: "token", value: "hush", sensitive: true },
    ],
    lostCreates: [LOST_CREATE],
    ...more,
  });
}

/** Without base URL and key, and with a configuration that nothing else could work with. */
async function openRecorded(state: StateDocument | null = fullState()): Promise<Project> {
  const project = await openProject();
  Object.assign(project.environment, { OUTREACH_BASE_URL: undefined, OUTREACH_API_KEY: undefined });
  project.write(
    "outreach.yaml",
    "version: 1\nwebhooks:\n  broken: { target_url: 5, secret: { env: MISSING } }\nnonsense: 1\n",
  );
  if (state) project.write(STATE, new TextDecoder().decode(encodeState(state)));
  return project;
}

const stored = (project: Project): StateDocument => decodeState(new TextEncoder().encode(project.read(STATE)), STATE);
const addressesOf = ({ instances }: StateDocument): readonly string[] => instances.map(({ address }) => address);

describe("state list", () => {
  test("prints what is recorded, what is deposed as well, and leads masked", async () => {
    const { code, out, err } = await (await openRecorded()).run("state list");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `outreach_lead_unsubscription.stop["${maskEmail("0707", "ada@example.com", nodeKeyedDigest)}"]
outreach_webhook.audit["emailsBounced"]
outreach_webhook.audit["emailsSent"]
outreach_webhook.audit["emailsSent"] (deposed hoo_000009)
outreach_webhook.crm
`,
    );
  });

  test("prints what lies at an address, in a block or under an id", async () => {
    const project = await openRecorded();
    expect((await project.run("state list outreach_webhook.crm")).out).toBe("outreach_webhook.crm\n");
    expect((await project.run("state list outreach_webhook.audit")).out.split("\n")).toHaveLength(4);
    expect((await project.run("state list -id=hoo_000009")).out).toBe(
      'outreach_webhook.audit["emailsSent"] (deposed hoo_000009)\n',
    );
    const audit = { address: 'outreach_webhook.audit["emailsSent"]', id: "hoo_000009", deposed: true };
    expect(JSON.parse((await project.run("state list --json -id=hoo_000009")).out)).toEqual([audit]);
    const all = JSON.parse((await project.run("state list --json")).out) as readonly object[];
    expect(all).toContainEqual({
      address: "outreach_webhook.crm",
      id: expect.stringMatching(/^hoo_/) as string,
      deposed: false,
    });
    expect(all).toHaveLength((await project.run("state list")).out.trimEnd().split("\n").length);
  });

  test("names what is near to an address that is not there", async () => {
    const { code, err } = await (await openRecorded()).run("state list outreach_webhook.crn");
    expect(code).toBe(1);
    expect(err).toContain("Did you mean outreach_webhook.crm?");
  });

  test("says that there is no state", async () => {
    expect(await (await openRecorded(null)).run("state list")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("No state was found") as string,
    });
  });

  test("reads the state that the configuration, a variable or the environment names", async () => {
    const project = await openRecorded(null);
    const text = new TextDecoder().decode(encodeState(fullState()));
    project.write("deep/staging.json", text);
    project.write(
      "deep/outreach.yaml",
      "version: 1\nvariables:\n  stage: {}\nstate:\n  path: ${var.stage}.json\nwebhooks: { x: { target_url: 7 } }\n",
    );
    for (const line of ["state list -c deep/outreach.yaml --var stage=staging", "state list --state deep/staging.json"])
      expect((await project.run(line)).code).toBe(0);
    expect((await project.run("state list", { OUTREACH_STATE: "deep/staging.json" })).code).toBe(0);
    const { code, err } = await project.run("state list -c deep/outreach.yaml");
    expect(code).toBe(1);
    expect(err).toContain("The variable stage has no default and no value.");
    expect(err).toContain("--state PATH");
  });

  test.each([
    ["is not YAML", "version: 1\nstate: { path: other.json\nwebhooks:\n"],
    ["names another place in a way that is not understood", "version: 1\nstate: { pth: other.json }\n"],
  ])("does not guess the state where the configuration %s", async (_, text) => {
    const project = await openRecorded();
    project.write("outreach.yaml", text);
    expect(await project.run("state list")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("--state PATH") as string,
    });
  });
});

describe("state show", () => {
  test("prints an instance without what is sensitive", async () => {
    const { code, out } = await (await openRecorded()).run("state show outreach_webhook.crm");
    expect(code).toBe(0);
    expect(out).toBe(`# outreach_webhook.crm:
resource "outreach_webhook" "crm" {
    target_url = (sensitive value) (host crm.example.com)
    secret     = (sensitive value)
    id         = "hoo_000001"
}
`);
  });

  test("prints what is deposed below it, also as JSON", async () => {
    const project = await openRecorded();
    const address = `'outreach_webhook.audit["emailsSent"]'`;
    expect((await project.run(`state show ${address}`)).out).toContain(
      '# outreach_webhook.audit["emailsSent"] (deposed object hoo_000009):',
    );
    const json = JSON.parse((await project.run(`state show -json ${address}`)).out) as unknown;
    expect(json).toMatchObject({
      address: 'outreach_webhook.audit["emailsSent"]',
      type: "outreach_webhook",
      name: "audit",
      index: "emailsSent",
      // The sensitive URL of outreach_webhook.crm.
      values: { target_url: "https://crm.example.com/(sensitive value)", secret: "(sensitive value)" },
      sensitive_values: { secret: true },
      deposed: [{ deposed_key: "hoo_000009", values: { target_url: "https://old.example.com/hooks" } }],
    });
  });

  test("takes a masked address, and shows the lead in full only when asked to", async () => {
    const project = await openRecorded();
    const [masked = ""] = (await project.run("state list outreach_lead_unsubscription.stop")).out.split("\n");
    const shown = await project.run(`state show '${masked}'`);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain(`email        = "${maskEmail("0707", "ada@example.com", nodeKeyedDigest)}"`);
    expect(shown.out).not.toContain("ada@");
    expect((await project.run(`state show --show-emails '${masked}'`)).out).toContain("ada@example.com");
  });

  test("shows one instance, not a block", async () => {
    expect(await (await openRecorded()).run("state show outreach_webhook.audit")).toMatchObject({
      code: 1,
      err: expect.stringContaining("block of 2 instances") as string,
    });
  });
});

describe("state mv", () => {
  test("moves an instance, keeps the backup and gives the lock back", async () => {
    const project = await openRecorded();
    const before = project.read(STATE);
    const { code, out } = await project.run("state mv outreach_webhook.crm outreach_webhook.renamed");
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Move "outreach_webhook.crm" to "outreach_webhook.renamed"\nSuccessfully moved 1 object(s).\n',
    });
    expect(addressesOf(stored(project)).at(-1)).toBe("outreach_webhook.renamed");
    expect(stored(project)).toMatchObject({ serial: 4, lostCreates: [LOST_CREATE] });
    expect(project.read(`${STATE}.backup`)).toBe(before);
    expect(Object.keys(project.files())).toEqual([STATE, `${STATE}.backup`, "outreach.yaml"].toSorted());
  });

  test("moves every instance of a block", async () => {
    const project = await openRecorded();
    expect((await project.run("state mv outreach_webhook.audit outreach_webhook.trail")).code).toBe(0);
    expect(addressesOf(stored(project)).slice(2)).toEqual([
      'outreach_webhook.trail["emailsBounced"]',
      'outreach_webhook.trail["emailsSent"]',
    ]);
  });

  test("with --dry-run changes nothing", async () => {
    const project = await openRecorded();
    const before = project.files();
    expect((await project.run("state mv -dry-run outreach_webhook.audit outreach_webhook.trail")).out).toContain(
      'Would move "outreach_webhook.audit["emailsSent"]"',
    );
    expect(project.files()).toEqual(before);
  });

  test.each([
    ["onto what is recorded", "outreach_webhook.crm outreach_webhook.audit", "that address has a record already"],
    [
      "of one instance onto another",
      `outreach_webhook.crm 'outreach_webhook.audit["emailsSent"]'`,
      "that address has a record already",
    ],
    ["to another type", "outreach_webhook.crm outreach_lead_unsubscription.crm", "the resource types do not match"],
    [
      "of a block to one instance",
      `outreach_webhook.audit 'outreach_webhook.new["a"]'`,
      "cannot be moved to the single instance",
    ],
    ["of nothing", "outreach_webhook.nothing outreach_webhook.new", "records nothing at outreach_webhook.nothing"],
    ["to what is no address", "outreach_webhook.crm 'new hook'", "is not the address of a resource"],
  ])("is refused %s", async (_, words, detail) => {
    const project = await openRecorded();
    const before = project.files();
    expect(await project.run(`state mv ${words}`)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(detail) as string,
    });
    expect(project.files()).toEqual(before);
  });
});

describe("state rm", () => {
  test("forgets a block, says that nothing is deleted, and keeps the lostCreates", async () => {
    const project = await openRecorded();
    const { code, out, sent } = await project.run("state rm outreach_webhook.audit outreach_webhook.crm");
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(out).toBe(`Removed outreach_webhook.audit["emailsBounced"]
Removed outreach_webhook.audit["emailsSent"]
Removed outreach_webhook.crm
Successfully removed 3 resource instance(s).

outreach deleted nothing in the service.
These webhooks still exist, and are no longer managed: hoo_000002, hoo_000003, hoo_000009, hoo_000001.
`);
    expect(addressesOf(stored(project))).toEqual([ADA]);
    expect(stored(project).lostCreates).toEqual([LOST_CREATE]);
  });

  test("warns that a forgotten unsubscription is sent again, and counts long lists", async () => {
    const lead = (index: number) =>
      hook(`outreach_lead_unsubscription.stop["lead${String(index)}@example.com"]`, `lead_${String(index)}`, {
        type: "outreach_lead_unsubscription",
      });
    const project = await openRecorded(fullState({ instances: Array.from({ length: 30 }, (_, index) => lead(index)) }));
    const { out } = await project.run("state rm outreach_lead_unsubscription.stop");
    expect(out).toContain("Removed 30 instances of outreach_lead_unsubscription.stop\n");
    expect(out).toContain("The next apply sends unsubscriptions again that are still declared.");
  });

  test("with --dry-run, or with one address that is unknown, changes nothing", async () => {
    const project = await openRecorded();
    const before = project.files();
    expect((await project.run("state rm --dry-run outreach_webhook.crm")).out).toBe(
      "Would remove outreach_webhook.crm\n\nNothing was changed.\n",
    );
    expect((await project.run("state rm outreach_webhook.crm outreach_webhook.nothing")).code).toBe(1);
    expect(project.files()).toEqual(before);
  });
});

/** An apply whose create was cut off: its journal holds an intent without an outcome. */
async function interrupted(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", "version: 1\nwebhooks:\n  one: { target_url: https://one.example.com/h }\n");
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  project.write(
    "outreach.yaml",
    "version: 1\nwebhooks:\n  one: { target_url: https://one.example.com/h }\n  two: { target_url: https://two.example.com/h }\n",
  );
  project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "POST", when: "before" });
  const running = project.start("apply --auto-approve");
  for (
    let turn = 0;
    turn < 500 && project.sandbox.requests().filter(({ method }) => method === "POST").length < 2;
    turn++
  )
    await new Promise((resolve) => setTimeout(resolve, 10));
  running.child.kill("SIGKILL");
  await running.ended;
  expect(Object.keys(project.files())).toContain(`${STATE}.journal`);
  return project;
}

describe("next to a journal", () => {
  test("what is open stays open when something else is moved, and the journal is folded in", async () => {
    const project = await interrupted();
    expect((await project.run("state mv outreach_webhook.one outreach_webhook.uno")).code).toBe(0);
    expect(Object.keys(project.files())).not.toContain(`${STATE}.journal`);
    expect(stored(project).pending.at(-1)).toMatchObject({ kind: "intent", address: "outreach_webhook.two" });
  });

  test("what is open itself is neither moved nor removed, and no push loses it", async () => {
    const project = await interrupted();
    for (const line of [
      "state rm outreach_webhook.two",
      "state mv outreach_webhook.two outreach_webhook.due",
      "state mv outreach_webhook.one outreach_webhook.two",
    ])
      expect(await project.run(line)).toMatchObject({
        code: 3,
        err: expect.stringContaining("outreach resolve outreach_webhook.two --retry") as string,
      });
    project.write("copy.json", project.read(STATE));
    expect((await project.run("state push --force copy.json")).code).toBe(3);
  });
});

test("a state that was lost next to its journal is pushed again, and the journal goes on with it", async () => {
  const project = await interrupted();
  const copy = project.read(STATE);
  project.write("copy.json", copy);
  rmSync(path.join(project.folder, STATE));
  expect((await project.run("state list")).code).toBe(3);
  expect((await project.run("state push copy.json")).code).toBe(0);
  expect(project.read(STATE)).toBe(copy);
  expect((await project.run("state rm outreach_webhook.two")).err).toContain("undecided");
});

describe("no two records have one object", () => {
  const twice = (more: Partial<ReturnType<typeof recorded>>) =>
    document({
      instances: [
        hook("outreach_webhook.a", "hoo_000001"),
        hook("outreach_webhook.b", "hoo_000002", more),
        hook("outreach_webhook.c", "hoo_000003"),
      ],
    });
  const old = { id: "hoo_000001", attributes: {}, returned: {} };

  test.each([
    ["as its current object", { id: "hoo_000001" }],
    ["as one that it has replaced", { deposed: [old] }],
  ])("%s: nothing is stored or sent until one is removed", async (_name, more) => {
    const project = await openRecorded(twice(more));
    const words =
      "The webhook hoo_000001 is recorded at outreach_webhook.a and outreach_webhook.b, so a change of one would change both. The state was not stored.";
    const before = project.read(STATE);
    expect(await project.run("state mv outreach_webhook.c outreach_webhook.d")).toMatchObject({
      code: 1,
      err: expect.stringContaining(words) as string,
    });
    project.write("copy.json", before);
    const pushed = await project.run("state push --force copy.json");
    expect(pushed).toMatchObject({ code: 0, out: "The state already has these contents. Nothing was changed.\n" });
    project.write(STATE, new TextDecoder().decode(encodeState(document({ serial: 1, instances: [] }))));
    expect(await project.run("state push --force copy.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining(words) as string,
    });
    project.write(STATE, before);
    const configured = await openProject();
    configured.write("outreach.yaml", "version: 1\nwebhooks:\n  new: { target_url: 'https://new.example.com' }\n");
    configured.write(STATE, before);
    const applied = await configured.run(
      "apply --auto-approve --allow-deletes --allow-recreate --allow-service-change",
    );
    expect([applied.code, applied.sent.filter((line) => !line.startsWith("GET"))], applied.err).toEqual([1, []]);
    expect(applied.err).toContain(words);
    expect(configured.read(STATE)).toBe(before);
    expect((await project.run("state rm outreach_webhook.b")).code).toBe(0);
    expect(addressesOf(stored(project))).toEqual(["outreach_webhook.a", "outreach_webhook.c"]);
  });

  test("but a lead may be recorded once for each campaign", async () => {
    const lead = (address: string) =>
      hook(address, "lea_000001", {
        type: "outreach_lead_unsubscription",
        attributes: { campaign_id: address, email: "a" },
      });
    const project = await openRecorded(
      document({ instances: [lead("outreach_lead_unsubscription.a"), lead("outreach_lead_unsubscription.b")] }),
    );
    expect((await project.run("state mv outreach_lead_unsubscription.b outreach_lead_unsubscription.d")).code).toBe(0);
  });
});

describe("state pull and push", () => {
  test("what a run could not store is pushed over the intents that it had stored, and not over those of another run", async () => {
    const before = fullState();
    const open = {
      ...intent(before.journalSeq + 1, { ahead: true, address: "outreach_webhook.new", type: "outreach_webhook" }),
    };
    const project = await openRecorded({
      ...before,
      serial: before.serial + 1,
      journalSeq: open.seq,
      pending: [open],
      run: "one",
    });
    const push = (state: StateDocument) => {
      project.write("errored.outreach.state.json", new TextDecoder().decode(encodeState(state)));
      return project.run("state push errored.outreach.state.json");
    };
    const kept = { ...before, serial: before.serial + 2, journalSeq: open.seq + 1 };
    for (const other of [kept, { ...kept, run: "two" }]) expect((await push(other)).code).toBe(3);
    expect(await push({ ...kept, run: "one" })).toMatchObject({ code: 0, err: "" });
    expect(stored(project)).toMatchObject({ serial: before.serial + 2, pending: [] });
    const later = { ...kept, serial: kept.serial + 1, instances: [] };
    expect(await push({ ...later, run: "one" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("another run may have recorded") as string,
    });
    expect(stored(project).instances).toEqual(before.instances);
  });

  test("what is pulled in full can be pushed again", async () => {
    const project = await openRecorded();
    const pulled = await project.run("state pull --show-emails");
    expect(pulled).toMatchObject({ code: 0, err: "" });
    expect(pulled.out).toBe(project.read(STATE));
    project.write("copy.json", pulled.out);
    expect((await project.run("state rm outreach_webhook.crm")).code).toBe(0);
    const { err } = await project.run("state push copy.json");
    expect(err).toContain("The stored state is newer");
    expect(err).toContain("Pass --force only to drop what that run has recorded.");
    expect((await project.run("state push --force copy.json")).code).toBe(0);
    expect(addressesOf(stored(project))).toContain("outreach_webhook.crm");
    expect(stored(project).serial).toBe(5);
  });

  test("control characters of a state are escaped, and stay the same when it is pushed", async () => {
    const odd = "a\u001B[2J\u009Bb\u202E\u2028c";
    const state = fullState({
      instances: [hook("outreach_webhook.crm", "hoo_000001", { attributes: { id: "hoo_000001", target_url: odd } })],
      outputs: [],
    });
    const project = await openRecorded(state);
    const { code, out } = await project.run("state pull");
    expect(code).toBe(0);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    project.write("copy.json", out);
    expect(await project.run("state push --force copy.json")).toMatchObject({ code: 0 });
    expect(stored(project).instances).toEqual(state.instances);
  });

  test("off a terminal a state with leads is pulled in full or not at all: a masked copy could not be pushed again", async () => {
    const project = await openRecorded();
    const pulled = await project.run("state pull");
    expect(pulled).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /^Error: The state contains email addresses of leads \[pull_masked\]\n[^]*--show-emails/,
      ) as string,
    });
    const masked = project.read(STATE).replaceAll("ada@", "a***@");
    expect(masked).not.toBe(project.read(STATE));
    project.write("copy.json", masked);
    expect(await project.run("state push --force copy.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("The checksum does not match") as string,
    });
  });

  test.each([
    ["another lineage", { lineage: "other", serial: 9 }, "lineage"],
    ["an older serial", { serial: 2 }, "The stored state is newer"],
    ["the same serial and other contents", { instances: [] }, "but different contents"],
  ])("%s is refused without --force", async (_, more, detail) => {
    const project = await openRecorded();
    project.write("other.json", new TextDecoder().decode(encodeState(fullState(more))));
    expect(await project.run("state push other.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining(detail) as string,
    });
    expect(stored(project)).toEqual(fullState());
    expect((await project.run("state push --force other.json")).code).toBe(0);
    expect(stored(project)).toMatchObject({ ...more, serial: "lineage" in more ? 9 : 4 });
  });

  test("a forced push names the lost creates that it drops, and how to bring them back", async () => {
    const project = await openRecorded();
    const kept = { ...LOST_CREATE, address: "outreach_webhook.kept", sentAtMs: 2 };
    const missing = { ...LOST_CREATE, address: null, id: "hoo_000007", sentAtMs: 3 };
    const push = (lostCreates: StateDocument["lostCreates"], serial: number, flag: string) => {
      project.write("other.json", new TextDecoder().decode(encodeState(fullState({ serial, lostCreates }))));
      return project.run(`state push ${flag} other.json`);
    };
    expect(await push([LOST_CREATE, kept, missing], 8, "")).toMatchObject({ code: 0, err: "" });
    const { code, err } = await push([kept], 4, "--force");
    expect(code).toBe(0);
    expect(err).toContain("Warning: Lost creates are no longer in the state");
    expect(err).toContain("outreach_webhook.old, sent 1970-01-01T00:00:00.001Z");
    expect(err).toContain("outreach_webhook, hoo_000007, missing since 1970-01-01T00:00:00.003Z");
    expect(err).not.toContain("outreach_webhook.kept");
    expect(err).toContain(`outreach state push --force ${STATE}.backup`);
    expect(await project.run(`state push --force ${STATE}.backup`)).toMatchObject({ code: 0, err: "" });
    expect(stored(project).lostCreates).toEqual([LOST_CREATE, kept, missing]);
  });

  test("a newer one is taken as it is, from the standard input too, and where no state is", async () => {
    const project = await openRecorded(null);
    const text = new TextDecoder().decode(encodeState(fullState({ serial: 7 })));
    project.write("new.json", text);
    expect((await project.run("state push new.json")).code).toBe(0);
    expect(project.read(STATE)).toBe(text);
    const newer = new TextDecoder().decode(encodeState(fullState({ serial: 8 })));
    execFileSync(process.execPath, [project.command, "state", "push", "-"], { cwd: project.folder, input: newer });
    expect(project.read(STATE)).toBe(newer);
  });

  test("a state that cannot be read is replaced by its backup with --force", async () => {
    const project = await openRecorded();
    expect((await project.run("state rm outreach_webhook.crm")).code).toBe(0);
    project.write(STATE, "{ torn");
    const { err } = await project.run("state list");
    expect(err).toContain(`outreach state push --force ${STATE}.backup`);
    expect((await project.run(`state push ${STATE}.backup`)).code).toBe(1);
    expect((await project.run(`state push --force ${STATE}.backup`)).code).toBe(0);
    expect(stored(project)).toEqual(fullState());
  });

  test("pull prints nothing where there is no state", async () => {
    expect(await (await openRecorded(null)).run("state pull")).toMatchObject({ code: 0, out: "", err: "" });
  });
});

describe("force-unlock", () => {
  const LOCK = `${STATE}.lock`;
  const ID = "11111111-2222-3333-4444-555555555555";
  const holder = {
    id: ID,
    operation: "apply",
    who: "somebody",
    host: `${hostname()}-other`,
    bootId: "b",
    pidNamespace: "pid:[1]",
    pid: 1,
    startedAt: "1",
    since: "2026-01-01T00:00:00.000Z",
  };

  test("removes the lock that a refused command has named, and no other", async () => {
    const project = await openRecorded();
    project.write(LOCK, `${JSON.stringify(holder)}\n`);
    const refused = await project.run(`state rm --state ${STATE} outreach_webhook.crm`);
    expect(refused.err).toContain(`outreach force-unlock --state ${STATE} ${ID}`);
    expect(await project.run(`force-unlock --force ${ID}0`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`has the id ${ID}, not ${ID}0`) as string,
    });
    expect(Object.keys(project.files())).toContain(LOCK);
    expect(await project.run(`force-unlock --force ${ID}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("has been unlocked") as string,
    });
    expect(Object.keys(project.files())).not.toContain(LOCK);
    expect(await project.run(`force-unlock --force ${ID}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not locked") as string,
    });
  });

  test("asks first, so that without a terminal it needs --force", async () => {
    const project = await openRecorded();
    project.write(LOCK, `${JSON.stringify(holder)}\n`);
    expect(await project.run(`force-unlock ${ID}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("--force") as string,
    });
    expect(Object.keys(project.files())).toContain(LOCK);
  });

  test("releases the creates of the provider's run with this id: their records stay", async () => {
    const project = await openRecorded();
    const [folder, other] = [".terraform/outreach-journal", ID.replaceAll("1", "9")];
    const mark = { host: "there", bootId: "b", pidNamespace: "pid:[1]", pid: 7, startedAt: "1" };
    const create = (process: string) => ({
      process,
      intent: { ...intent(1), type: "outreach_webhook" },
      list: null,
      endsByMs: null,
      outcome: { kind: "open", cause: null, answered: false, lastAtMs: 0 } as const,
    });
    const scope = { workspace: "default", baseUrl: "https://api.example.com", key: "k" };
    const records = { scope, creates: { one: create(ID), two: create(other) }, lists: {}, lostCreates: {} };
    const ledger: Ledger = {
      journal: 1,
      serial: 1,
      processes: { [ID]: mark, [other]: { ...mark, pid: 8 } },
      scopes: [records],
      services: [],
    };
    const at = (place: string) => decodeLedger(new TextEncoder().encode(project.read(`${place}/ledger.json`)), place);
    const write = (place: string): void =>
      project.write(`${place}/ledger.json`, new TextDecoder().decode(encodeLedger(ledger)));
    write(folder);
    const refused = await project.run(`force-unlock ${ID}`);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("--force") as string });
    const { code, out } = await project.run(`force-unlock --force ${ID}`);
    expect({ code, out }).toEqual({
      code: 0,
      out: `The creates have been released.\n\nThe journal keeps the records of process 7 on there (${ID}). The next apply looks up its open creates.\n`,
    });
    const released = { ...records, creates: { one: { ...create(ID), process: null }, two: create(other) } };
    expect(at(folder)).toEqual({
      ...ledger,
      serial: 2,
      processes: { [other]: { ...mark, pid: 8 } },
      scopes: [released],
    });
    write("kept");
    expect(await project.run(`force-unlock --force ${ID}`, { OUTREACH_JOURNAL: "kept" })).toMatchObject({ code: 0 });
    expect(Object.keys(at("kept").processes)).toEqual([other]);
  });

  test("removes a lock that a killed run of the provider has left at the journal", async () => {
    const project = await openRecorded();
    const lock = ".terraform/outreach-journal/ledger.json.lock";
    project.write(lock, `${JSON.stringify(holder)}\n`);
    expect(await project.run(`force-unlock --force ${ID}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("has been unlocked") as string,
    });
    expect(Object.keys(project.files())).not.toContain(lock);
  });
});

test("force-unlock says that the provider's journal cannot be read, and still removes the lock of the state", async () => {
  const project = await openRecorded();
  project.write(".terraform/outreach-journal/ledger.json", "{");
  const missed = await project.run("force-unlock --force 22222222-2222-2222-2222-222222222222");
  expect([missed.code, missed.err]).toEqual([1, expect.stringContaining("Warning: The journal cannot be read")]);
  expect(missed.err).toContain("is not locked");
  const id = "11111111-1111-1111-1111-111111111111";
  const mark = { host: "there", bootId: "b", pidNamespace: "pid:[1]", pid: 7, startedAt: "1" };
  project.write(
    `${STATE}.lock`,
    `${JSON.stringify({ id, operation: "apply", who: "grace", since: "2026-01-01T00:00:00.000Z", ...mark })}\n`,
  );
  expect(await project.run(`force-unlock --force ${id}`)).toMatchObject({
    code: 0,
    err: expect.stringContaining("Warning: The journal") as string,
  });
});

describe("output", () => {
  test("prints all outputs with the sensitive ones hidden, and leads masked", async () => {
    const { code, out } = await (await openRecorded()).run("output");
    expect(code).toBe(0);
    expect(out).toBe(`contact = "${maskEmail("0707", "ada@example.com", nodeKeyedDigest)}"
ids = [
  "cam_000001",
  {
    "deep" = null
  },
]
limit = 3
token = (sensitive value)
`);
  });

  test.each([
    ["output token", '"hush"\n'],
    ["output --raw token", "hush"],
    ["output -raw limit", "3"],
    ["output -json token", '"hush"\n'],
    ["output limit", "3\n"],
  ])("%s prints the one value", async (line, expected) => {
    expect(await (await openRecorded()).run(line)).toMatchObject({ code: 0, out: expected });
  });

  test("prints JSON with types, as Terraform does", async () => {
    const { out } = await (await openRecorded()).run("output -json");
    expect(JSON.parse(out)).toMatchObject({
      limit: { sensitive: false, type: "number", value: 3 },
      ids: { type: ["tuple", ["string", ["object", { deep: "dynamic" }]]] },
      token: { sensitive: true, value: "hush" },
    });
  });

  test.each([
    ["output tken", "Did you mean token?"],
    ["output --raw ids", "is not a string, number or boolean"],
    ["output --raw", "Name the output"],
  ])("%s says what is wrong", async (line, hint) => {
    expect(await (await openRecorded()).run(line)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(hint) as string,
    });
  });

  test("without any warns, and is an empty object in JSON", async () => {
    const project = await openRecorded(fullState({ outputs: [] }));
    expect(await project.run("output")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("Warning: No outputs found") as string,
    });
    expect(await project.run("output -json")).toMatchObject({ code: 0, out: "{}\n", err: "" });
  });
});
