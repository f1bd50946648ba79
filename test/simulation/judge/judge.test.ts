import { expect, it } from "vitest";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { type StateDocument, emptyState, encodeState } from "../../../src/core/state/document.ts";
import type { JournalFact } from "../../../src/core/state/journal-event.ts";
import { encodeLine } from "../../../src/core/state/journal.ts";
import { COPIED_TYPE, type GivenHook, type ServiceSetup, type Stored, type Write, newService } from "../service.ts";
import type { StorePart, World } from "../world.ts";
import { judgeRest, judgeRun } from "./judge.ts";
import { newMemory } from "./memory.ts";
import { managedIds, parseStored } from "./parse.ts";
import type { Judged, RunReport } from "./report.ts";

const URL = "https://crm.example.com/hooks";
const LEAD = "cam_000001/ada@example.com";
const NOW = 1_700_000_000_000;
const SECRET = 'pa"ss/wörd-0123';
const HOOK: GivenHook = { targetUrl: URL, isOurs: true, secret: SECRET };

const webhook: Declaration = declaration(
  "outreach_webhook.a",
  { target_url: URL },
  { secret: { kind: "env", name: "S" } },
);
const lead: Declaration = declaration("outreach_lead_unsubscription.u", {
  campaign_id: "cam_000001",
  email: "ada@example.com",
});
const JUDGED: Judged = {
  removals: [],
  declarations: [webhook],
  secretOf: { S: SECRET },
  apiKey: "key-0123456789",
  marks: false,
};
const CLEAN: RunReport = {
  exit: 0,
  said: [],
  texts: [],
  plan: null,
  wrote: false,
  sawOldState: false,
  approved: false,
  unstored: null,
};

function declaration(
  address: string,
  attributes: Declaration["attributes"],
  secrets: Declaration["secrets"] = {},
): Declaration {
  return {
    address,
    type: address.split(".")[0] ?? "",
    provider: "",
    attributes,
    secrets,
    masked: [],
    locate: () => undefined,
  };
}

function record(id: string | null, more: Partial<RecordedInstance> = {}): RecordedInstance {
  const attributes = { target_url: URL, id, secret: { $secret: "0123" } };
  return {
    address: webhook.address,
    type: "outreach_webhook",
    provider: "",
    schemaVersion: 0,
    id,
    attributes,
    ...EMPTY,
    recordedAtMs: 1,
    ...more,
  };
}
const EMPTY = { returned: {}, unobserved: [], assumed: [] };

const state = (more: Partial<StateDocument> = {}): Uint8Array =>
  encodeState({ ...emptyState({ lineage: "the-lineage", salt: "00", planKey: "00".repeat(32) }), serial: 3, ...more });
const recorded = (...instances: readonly RecordedInstance[]): Stored => ({
  state: state({ instances }),
  journal: null,
});

function journal(...facts: readonly JournalFact[]): Uint8Array {
  const header = { journal: 1, lineage: "the-lineage", baseSerial: 3, baseSeq: 0 } as const;
  const lines = [header, ...facts.map((fact, index) => ({ seq: index + 1, ...fact }))];
  return new TextEncoder().encode(lines.map(encodeLine).join(""));
}

const creating: JournalFact = {
  kind: "intent",
  op: "create",
  address: webhook.address,
  type: "outreach_webhook",
  provider: "",
  id: null,
  key: { target_url: URL, type: null, campaign_id: null },
  planned: { target_url: URL },
  listed: null,
  serverDate: "",
  sentAtMs: 1,
};

function worldOf(stored: Stored, setup: ServiceSetup = {}, texts: readonly string[] = []): World {
  const store: StorePart = {
    copy: () => store,
    key: () => "",
    afterDeath: () => [store],
    stored: () => stored,
    texts: () => texts,
    unlock: () => undefined,
    putBack: () => undefined,
  };
  return { nowMs: NOW, chance: 0, service: newService(setup, NOW), store, judge: newMemory() };
}

type Given = Partial<Omit<Write, "number">> & Pick<Write, "kind">;

/** A world in which these writes were sent, and carried out or lost. */
function sent(world: World, writes: readonly Given[], fate: "done" | "dropped" = "dropped"): World {
  for (const write of writes) {
    const departed = world.service.depart({
      sentMs: NOW,
      hook: null,
      id: null,
      lead: null,
      stored: world.store.stored(),
      ...write,
    });
    world.service.land(departed, fate, NOW);
  }
  return world;
}

const adding: Given = {
  kind: "add",
  hook: { targetUrl: URL, type: null, campaignId: null, secret: null, isFirst: null },
};
const unsubscribing: Given = { kind: "unsubscribe", lead: LEAD };
const intended = (...facts: readonly JournalFact[]): Stored => ({ state: state(), journal: journal(...facts) });
const unsubscription: JournalFact = {
  ...creating,
  address: lead.address,
  type: lead.type,
  key: {},
  planned: lead.attributes,
};

function planOf(...steps: Plan["steps"]): Plan {
  return { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [] };
}
const planned = planOf({
  action: "create",
  address: lead.address,
  type: lead.type,
  provider: "",
  because: [],
  masked: [],
  after: lead.attributes,
});

const damaged = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
const twoEvents = journal(creating, { kind: "failed", of: 1, code: "no" });

it.each<readonly [string, World, Partial<RunReport>, RegExp | null]>([
  ["a state that is whole", worldOf(recorded()), {}, null],
  ["a state with a changed byte", worldOf({ state: damaged(state(), 40), journal: null }), {}, /checksum|not JSON/],
  ["half a state", worldOf({ state: state().slice(0, 50), journal: null }), {}, /not JSON/],
  ["an empty state", worldOf({ state: new Uint8Array(), journal: null }), {}, /not JSON/],
  ["a journal with a torn end", worldOf({ state: state(), journal: twoEvents.slice(0, -5) }), { exit: 1 }, null],
  [
    "a journal with a damaged line in the middle",
    worldOf({ state: state(), journal: damaged(twoEvents, 200) }),
    { exit: 1 },
    /line 2 of the journal/,
  ],
  [
    "a journal of another lineage",
    worldOf({ state: state({ lineage: "other" }), journal: twoEvents }),
    {},
    /another lineage/,
  ],
  ["a journal without a state", worldOf({ state: null, journal: twoEvents }), {}, /without a state/],
  ["exit 0 with an open create", worldOf(intended(creating)), {}, /exit 0 with an open create/],
  [
    "exit 0 with an open create that an old state did not show",
    worldOf(intended(creating)),
    { sawOldState: true },
    null,
  ],
  ["a create with an intent", sent(worldOf(intended(creating)), [adding]), { exit: 1 }, null],
  ["a create without an intent", sent(worldOf(recorded()), [adding]), {}, /without an intent/],
  [
    "a create whose intent has an outcome",
    sent(worldOf({ state: state(), journal: twoEvents }), [adding]),
    {},
    /without an intent/,
  ],
  [
    "two creates that a list cannot tell apart",
    sent(worldOf(intended(creating, creating)), [adding]),
    { exit: 1 },
    /cannot tell apart/,
  ],
  [
    "a delete of what was never managed",
    sent(worldOf(intended({ ...creating, op: "delete", id: "hoo_9" })), [{ kind: "delete", id: "hoo_9" }]),
    { exit: 1 },
    /not managed/,
  ],
  [
    "an unsubscription that another run has recorded as unconfirmed",
    sent(worldOf(recorded(leadRecord("unconfirmed"))), [unsubscribing]),
    { exit: 1, plan: planned },
    null,
  ],
  [
    "an unsubscription that is recorded as carried out",
    sent(worldOf(recorded(leadRecord("unsubscribed"))), [unsubscribing]),
    { exit: 1, plan: planned },
    /without an intent/,
  ],
  [
    "an unsubscription of the plan",
    sent(worldOf(intended(unsubscription)), [unsubscribing]),
    { exit: 1, plan: planned },
    null,
  ],
  [
    "an unsubscription outside the plan",
    sent(worldOf(intended(unsubscription)), [unsubscribing]),
    { exit: 1, plan: planOf() },
    /not in the approved plan/,
  ],
  [
    "an unsubscription without a plan",
    sent(worldOf(intended(unsubscription)), [unsubscribing]),
    { exit: "died" },
    /not in the approved plan/,
  ],
  [
    "an unsubscription sent four times",
    sent(worldOf(intended(unsubscription)), [unsubscribing, unsubscribing, unsubscribing, unsubscribing]),
    { exit: 1, plan: planned },
    /4 times/,
  ],
  ["a secret in a file", worldOf(recorded(), {}, [`x${SECRET}`]), {}, /a secret/],
  ["a secret in a message", worldOf(recorded()), { said: [said("a", SECRET)] }, /a secret/],
  ["a secret in other output", worldOf(recorded()), { texts: [encodeURIComponent(SECRET)] }, /a secret/],
  [
    "the key in a state that was not stored",
    worldOf(recorded()),
    { unstored: new TextEncoder().encode(`"${JUDGED.apiKey}"`) },
    /a secret/,
  ],
  [
    "somebody else's webhook recorded silently",
    worldOf(recorded(record("hoo_000001")), { webhooks: [{ targetUrl: URL }] }),
    {},
    /recorded silently/,
  ],
  [
    "somebody else's webhook recorded with a word",
    worldOf(recorded(record("hoo_000001")), { webhooks: [{ targetUrl: URL }] }),
    { said: [said("a", "hoo_000001")] },
    null,
  ],
])("judges a run: %s", (_name, world, report, rule) => {
  const broken = judgeRun(world, { ...CLEAN, ...report }, JUDGED).join("\n");
  if (rule) expect(broken).toMatch(rule);
  else expect(broken).toBe("");
});

function said(code: string, detail: string, severity: Diagnostic["severity"] = "warning"): Diagnostic {
  return { code, severity, summary: code, detail };
}

const MARK = "3a4b5c6d00000001";
const MARKED_URL = `${URL}?outreach=${MARK}`;
const hookOf = (targetUrl: string): NonNullable<Write["hook"]> => ({
  targetUrl,
  type: null,
  campaignId: null,
  secret: null,
  isFirst: null,
});
const copyOfUrl = (type: string, setup: ServiceSetup = {}): World =>
  worldOf(recorded(record("hoo_000001")), { ...setup, webhooks: [{ targetUrl: MARKED_URL, type }] });
function deleted(world: World): World {
  const write = {
    kind: "delete",
    sentMs: NOW,
    hook: null,
    id: "hoo_000001",
    lead: null,
    stored: world.store.stored(),
  } as const;
  world.service.land(world.service.depart(write), "done", NOW);
  return world;
}

it.each<readonly [string, World, RegExp | null]>([
  [
    "a create with the mark of its intent",
    sent(worldOf(intended({ ...creating, mark: MARK })), [{ kind: "add", hook: hookOf(MARKED_URL) }]),
    null,
  ],
  [
    "a create with a mark that its intent does not have",
    sent(worldOf(intended(creating)), [{ kind: "add", hook: hookOf(MARKED_URL) }]),
    /without an intent/,
  ],
  [
    "a create without a mark",
    sent(worldOf(intended(creating)), [{ kind: "add", hook: hookOf(URL) }]),
    /without a mark/,
  ],
  [
    "two open creates with different marks",
    sent(worldOf(intended({ ...creating, mark: MARK }, { ...creating, mark: "3a4b5c6d00000002" })), [
      { kind: "add", hook: hookOf(MARKED_URL) },
    ]),
    null,
  ],
  ["a copy of a URL for another event that is recorded", copyOfUrl(COPIED_TYPE), /without proof/],
  ["a copy whose event the list does not show", copyOfUrl(COPIED_TYPE, { isPoor: true }), null],
  ["a copy for the same event that is recorded", copyOfUrl("emailsReplied"), null],
  ["a copy for another event that is deleted", deleted(copyOfUrl(COPIED_TYPE)), /with a copied URL/],
  [
    "a webhook without a mark that is recorded by resemblance",
    worldOf(recorded(record("hoo_000001")), { webhooks: [{ targetUrl: URL }] }),
    /without proof/,
  ],
])("judges marks: %s", (_name, world, rule) => {
  const broken = judgeRun(
    world,
    { ...CLEAN, exit: 1, said: [said("a", "hoo_000001")] },
    { ...JUDGED, marks: true },
  ).join("\n");
  if (rule) expect(broken).toMatch(rule);
  else expect(broken).toBe("");
});

it("lets no create with a mark end undecided, unless a copy has taken its place", () => {
  const open = intended({ ...creating, mark: MARK });
  const undecided = { ...CLEAN, exit: 3, said: [said("outcome_open", "undecided", "error")] } as const;
  const broken = (world: World): string => judgeRest(world, undecided, { ...JUDGED, marks: true }).join();
  expect(broken(worldOf(open))).toMatch(/stays undecided, although its mark decides it/);
  expect(broken(worldOf(open, { webhooks: [{ targetUrl: MARKED_URL, type: COPIED_TYPE }] }))).toBe("");
});

it("counts the requests of a process in any 2 s", () => {
  const world = worldOf(recorded());
  const at = (ms: number, count: number, sender = "one"): boolean[] =>
    Array.from({ length: count }, () => world.service.admit(sender, NOW + ms));
  expect([...at(0, 10), ...at(1999, 10), ...at(2000, 10)].every(Boolean)).toBe(true);
  expect(judgeRun(world, CLEAN, JUDGED)).toEqual([]);
  expect(at(2001, 1, "another")).toEqual([false]);
  expect(judgeRun(world, CLEAN, JUDGED)).toEqual([]);
  expect(at(2001, 1)).toEqual([false]);
  expect(judgeRun(world, CLEAN, JUDGED).join()).toMatch(/21 requests/);
});

it("remembers serial and lineage from run to run", () => {
  const first = worldOf(recorded());
  expect(judgeRun(first, { ...CLEAN, wrote: true }, JUDGED)).toEqual([]);
  const later = (stored: Stored): readonly string[] =>
    judgeRun({ ...worldOf(stored), judge: first.judge.copy() }, CLEAN, JUDGED);
  expect(later(recorded())).toEqual([]);
  expect(later({ state: state({ serial: 2 }), journal: null }).join()).toMatch(/from 3 to 2/);
  expect(later({ state: state({ lineage: "another" }), journal: null }).join()).toMatch(/another lineage/);
  expect(later({ state: null, journal: null }).join()).toMatch(/is gone/);
  const onlyRead = worldOf(recorded());
  expect(judgeRun(onlyRead, CLEAN, JUDGED)).toEqual([]);
  expect(judgeRun({ ...worldOf({ state: null, journal: null }), judge: onlyRead.judge }, CLEAN, JUDGED)).toEqual([]);
  const restored = first.judge.copy();
  restored.forgive();
  expect(
    judgeRun({ ...worldOf({ state: state({ serial: 2 }), journal: null }), judge: restored }, CLEAN, JUDGED),
  ).toEqual([]);
});

it("lets an unsubscription be sent again in a later run only with a word of approval", () => {
  const again = (approved: boolean, fate: "dropped" | "refused"): string => {
    const world = worldOf(intended(unsubscription));
    const depart = (): Write =>
      world.service.depart({
        sentMs: NOW,
        hook: null,
        id: null,
        stored: world.store.stored(),
        kind: "unsubscribe",
        lead: LEAD,
      });
    world.service.land(depart(), fate, NOW);
    expect(judgeRun(world, { ...CLEAN, exit: 1, plan: planned }, JUDGED)).toEqual([]);
    world.service.land(depart(), "done", NOW);
    return judgeRun(world, { ...CLEAN, exit: 1, plan: planned, approved }, JUDGED).join();
  };
  expect(again(false, "dropped")).toMatch(/again silently/);
  expect(again(true, "dropped")).toBe("");
  expect(again(false, "refused")).toBe("");
});

it("also judges what a dying process has in flight", () => {
  const world = worldOf(recorded());
  world.service.depart({
    sentMs: NOW,
    hook: adding.hook ?? null,
    id: null,
    lead: null,
    kind: "add",
    stored: world.store.stored(),
  });
  expect(judgeRun(world, { ...CLEAN, exit: "died" }, JUDGED).join()).toMatch(/without an intent/);
});

it("asks of an adopted webhook only what a list shows", () => {
  const rest = (setup: ServiceSetup, more: Partial<GivenHook>, attributes: Declaration["attributes"] = {}): string => {
    const world = worldOf(own, { ...setup, webhooks: [{ targetUrl: URL, ...more }] });
    world.judge.adopted = new Set(["hoo_000001"]);
    const declarations = [{ ...webhook, attributes: { ...webhook.attributes, ...attributes } }];
    return judgeRest(world, CLEAN, { ...JUDGED, declarations }).join();
  };
  expect(rest({ isPoor: true }, { type: "emailsSent", campaignId: "cam_000001" })).toBe("");
  expect(rest({}, { type: "emailsSent" })).toMatch(/type of hoo_000001/);
  expect(rest({}, { campaignId: "cam_000001" })).toMatch(/campaignId of hoo_000001/);
  expect(rest({}, {}, { type: "emailsSent", campaign_id: "cam_000001" })).toBe("");
});

const live = (more: Partial<GivenHook> = {}): ServiceSetup => ({ webhooks: [{ ...HOOK, ...more }] });
const own = recorded(record("hoo_000001"));

it.each<readonly [string, World, Partial<RunReport>, Partial<Judged>, RegExp | null]>([
  ["one live webhook", worldOf(own, live()), {}, {}, null],
  ["a plan that still writes", worldOf(own, live()), { wrote: true }, {}, /a converged plan writes/],
  ["no record of a declaration", worldOf(recorded(), {}), {}, {}, /is declared, and not recorded/],
  ["a record without a declaration", worldOf(own, live()), {}, { declarations: [] }, /recorded, and not declared/],
  ["a record of what is gone", worldOf(own), {}, {}, /is not live/],
  ["another URL", worldOf(own, live({ targetUrl: `${URL}/2` })), {}, {}, /targetUrl of hoo_000001/],
  ["another secret", worldOf(own, live({ secret: "old" })), {}, {}, /has another secret/],
  ["somebody else's webhook", worldOf(own, live({ isOurs: false })), {}, {}, /somebody else's/],
  ["a second one of ours", worldOf(own, { webhooks: [HOOK, HOOK] }), {}, {}, /hoo_000002 is ours, not managed/],
  [
    "a second one of ours that the run names",
    worldOf(own, { webhooks: [HOOK, HOOK] }),
    { said: [said("late_duplicate", "hoo_000002")] },
    {},
    null,
  ],
  [
    "an older object that is left",
    worldOf(recorded(record("hoo_000001", { deposed: [{ id: "hoo_7", attributes: {}, returned: {} }] })), live()),
    {},
    {},
    /hoo_7 to delete/,
  ],
  [
    "an undecided outcome that is reported",
    worldOf(recorded()),
    { exit: 3, said: [said("outcome_pending", "…", "error")] },
    {},
    null,
  ],
  [
    "an unsubscription that a person has sent again, and that is unconfirmed again",
    worldOf(recorded()),
    { exit: 3, wrote: true, approved: true, said: [said("outcome_unconfirmed", "…", "error")] },
    {},
    null,
  ],
  ["exit 3 that names nothing undecided", worldOf(recorded()), { exit: 3 }, {}, /names no undecided outcome/],
  [
    "an error for ever",
    worldOf(recorded()),
    { exit: 1, said: [said("state_unreadable", "…", "error")] },
    {},
    /state_unreadable/,
  ],
  [
    "an error that a user has to decide",
    worldOf(recorded()),
    { exit: 1, said: [said("unmanaged_duplicate", "…", "error")] },
    {},
    null,
  ],
  [
    "a lead that is said to be unsubscribed",
    worldOf(recorded(leadRecord("unsubscribed")), { leads: [LEAD] }),
    {},
    { declarations: [lead] },
    /still subscribed/,
  ],
  ["a lead that is unsubscribed", worldOf(recorded(leadRecord("unsubscribed"))), {}, { declarations: [lead] }, null],
  [
    "an unconfirmed lead that nobody hears of",
    worldOf(recorded(leadRecord("unconfirmed"))),
    {},
    { declarations: [lead] },
    /does not say so/,
  ],
])("judges a world at rest: %s", (_name, world, report, judged, rule) => {
  const broken = judgeRest(world, { ...CLEAN, ...report }, { ...JUDGED, ...judged }).join("\n");
  if (rule) expect(broken).toMatch(rule);
  else expect(broken).toBe("");
});

function leadRecord(outcome: string): RecordedInstance {
  return record(null, { address: lead.address, type: lead.type, attributes: { ...lead.attributes, outcome } });
}

it("follows the journal as the product writes it", () => {
  const replacing: JournalFact = { ...creating, op: "replace", order: "create-first", id: "hoo_1" };
  const events: readonly JournalFact[] = [
    { kind: "recorded", address: webhook.address, record: record("hoo_1") },
    replacing,
    { kind: "created", of: 2, record: record("hoo_2", { deposed: [{ id: "hoo_1", attributes: {}, returned: {} }] }) },
    { kind: "done", of: 2, record: record("hoo_2") },
    {
      kind: "moved",
      records: [
        { address: webhook.address, record: null },
        { address: "outreach_webhook.b", record: record("hoo_2", { address: "outreach_webhook.b" }) },
      ],
    },
    { ...creating, op: "delete", address: "outreach_webhook.b", id: "hoo_2" },
    { kind: "done", of: 6, record: null },
  ];
  const after = (count: number): readonly [readonly string[], number] => {
    const found = parseStored({ state: state(), journal: journal(...events.slice(0, count)) });
    expect(found.problems).toEqual([]);
    return [[...managedIds(found)].toSorted(), found.open.filter(({ mayCreate }) => mayCreate).length];
  };
  expect([1, 2, 3, 4, 5, 6, 7].map(after)).toEqual([
    [["hoo_1"], 0],
    [["hoo_1"], 1],
    [["hoo_1", "hoo_2"], 0],
    [["hoo_2"], 0],
    [["hoo_2"], 0],
    [["hoo_2"], 0],
    [[], 0],
  ]);
});
