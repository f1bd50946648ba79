import { sortMoves } from "../../src/core/config/statements/moved.ts";
import {
  CAMPAIGN,
  LEAD,
  NO_STATEMENTS,
  nowhere,
  ofCampaign,
  running,
  unsubscription,
  webhook,
} from "./declarations.ts";
import type { Judged } from "./judge/report.ts";
import type { Meddling } from "./meanwhile.ts";
import { API_KEY, type Running } from "./process.ts";
import type { ServiceSetup } from "./service.ts";
import type { World } from "./world.ts";

export interface Scenario {
  readonly name: string;
  readonly service: ServiceSetup;
  /** Applied before, without any trouble. */
  readonly earlier: readonly Running[];
  /** What somebody does by hand after that; `states` are those that the earlier runs have left. */
  readonly byHand: (world: World, states: readonly Uint8Array[]) => void;
  /** What is applied again and again until nothing is left to do. */
  readonly running: Running;
  /** What somebody else may do at one point of a run. */
  readonly meddlings: readonly [Meddling, ...Meddling[]];
}

const allJudged = new WeakMap<Scenario, Judged>();

/** Always the same object: the judge remembers by it what it searches for. */
export function judged(scenario: Scenario): Judged {
  const { declarations, statements, secretOf, marks } = scenario.running;
  const removals = (statements.removals ?? []).map(({ id }) => id);
  const one = allJudged.get(scenario) ?? { declarations, removals, secretOf, apiKey: API_KEY, marks };
  allJudged.set(scenario, one);
  return one;
}

function scenario(given: Pick<Scenario, "name" | "running"> & Partial<Scenario>): Scenario {
  return { service: {}, earlier: [], byHand: () => undefined, meddlings: ["none"], ...given };
}

const HOOK_A = { targetUrl: "https://crm.example.com/hooks/a", type: "emailsReplied", campaignId: CAMPAIGN };
const LONG = Array.from({ length: 11 }, (_, index) => ({
  targetUrl: `https://other.example.com/hooks/${String(index)}`,
  type: "emailsSent",
}));
const PEOPLE = { campaigns: [CAMPAIGN], leads: [`${CAMPAIGN}/${LEAD}`] };
const WATCHED = { recheck: "0s" };
const rotated = (rotation: string): readonly [Running, Running] => [
  running([webhook("a", { rotation }, "FIRST_SECRET")]),
  running([webhook("a", { rotation }, "SECOND_SECRET")]),
];
const [beforeDeleteFirst, deleteFirst] = rotated("delete_first");
const [beforeCreateFirst, createFirst] = rotated("create_first");

export const SCENARIOS: readonly Scenario[] = [
  scenario({ name: "create", running: running([webhook("a", {}, "FIRST_SECRET")]) }),
  scenario({ name: "two-creates", running: running([webhook("a"), webhook("b", {}, "FIRST_SECRET")]) }),
  scenario({ name: "rotate-delete-first", earlier: [beforeDeleteFirst], running: deleteFirst }),
  scenario({ name: "rotate-create-first", earlier: [beforeCreateFirst], running: createFirst }),
  scenario({ name: "delete", earlier: [running([webhook("a"), webhook("b")])], running: running([webhook("b")]) }),
  scenario({
    name: "adopt",
    service: { ...PEOPLE, webhooks: [HOOK_A] },
    running: running([ofCampaign("a")], { adopt: true }),
  }),
  scenario({ name: "unsubscribe", service: PEOPLE, running: running([unsubscription("ada")]) }),
  scenario({
    name: "unsubscribe-approved",
    service: PEOPLE,
    running: running([unsubscription("ada")], { approved: true }),
  }),
  scenario({
    name: "watched",
    service: { campaigns: [CAMPAIGN] },
    earlier: [running([unsubscription("ada", WATCHED)])],
    byHand: ({ service }) => service.addLead(`${CAMPAIGN}/${LEAD}`),
    running: running([unsubscription("ada", WATCHED)]),
  }),
  scenario({ name: "watched-lost", service: PEOPLE, running: running([webhook("a"), unsubscription("ada", WATCHED)]) }),
  scenario({
    name: "mixed",
    service: PEOPLE,
    earlier: [running([webhook("a", {}, "FIRST_SECRET"), webhook("old")])],
    running: running([webhook("a", {}, "SECOND_SECRET"), webhook("new"), unsubscription("ada")]),
  }),
  scenario({
    name: "import",
    service: { ...PEOPLE, webhooks: [HOOK_A] },
    running: running([ofCampaign("a")], {
      statements: { ...NO_STATEMENTS, imports: [{ to: "outreach_webhook.a", id: "hoo_000001", locate: nowhere }] },
    }),
  }),
  scenario({
    name: "moved",
    earlier: [running([webhook("a", {}, "FIRST_SECRET")])],
    running: running([{ ...webhook("a", {}, "SECOND_SECRET"), address: "outreach_webhook.moved" }], {
      statements: {
        ...NO_STATEMENTS,
        moved: sortMoves([{ from: "outreach_webhook.a", to: "outreach_webhook.moved" }]).ordered,
      },
    }),
  }),
  scenario({
    name: "removal",
    service: { webhooks: [HOOK_A] },
    earlier: [running([webhook("b")])],
    running: running([webhook("b"), webhook("c")], {
      approved: true,
      statements: {
        ...NO_STATEMENTS,
        removals: [
          {
            address: 'outreach_webhook.removals["hoo_000001"]',
            type: "outreach_webhook",
            id: "hoo_000001",
            reason: "nobody reads it",
            locate: nowhere,
          },
        ],
      },
    }),
  }),
  scenario({
    name: "max-duration",
    earlier: [beforeDeleteFirst],
    running: running([webhook("a", { rotation: "delete_first" }, "SECOND_SECRET"), webhook("b"), webhook("c")], {
      isShort: true,
    }),
  }),
  scenario({
    name: "two-processes",
    running: running([webhook("a", {}, "FIRST_SECRET")]),
    meddlings: ["none", "starts a second run"],
  }),
  scenario({
    name: "lost-lock",
    earlier: [beforeDeleteFirst],
    running: deleteFirst,
    meddlings: ["none", "removes the lock", "removes the lock and starts a second run"],
  }),
  scenario({
    name: "identical-elsewhere",
    service: { hasRival: true },
    running: running([webhook("a", {}, "FIRST_SECRET")]),
  }),
  scenario({
    name: "unique-url",
    service: { hasOnePerUrl: true },
    running: running(
      [
        webhook("a", { target_url: "https://crm.example.com/hooks/x" }),
        webhook("b", { target_url: "https://crm.example.com/hooks/x", type: "emailsSent" }),
      ],
      { exclusive: true },
    ),
  }),
  scenario({
    name: "unique-delete-first",
    service: { hasOnePerUrl: true },
    earlier: [beforeDeleteFirst],
    running: deleteFirst,
  }),
  scenario({
    name: "unique-create-first",
    service: { hasOnePerUrl: true },
    earlier: [beforeCreateFirst],
    running: { ...createFirst, exclusive: true },
  }),
  scenario({
    name: "long-list",
    service: { webhooks: LONG },
    earlier: [running([webhook("a", {}, "FIRST_SECRET")])],
    running: running([webhook("b")]),
  }),
  scenario({
    name: "poor-list",
    service: { isPoor: true },
    running: running([
      webhook("a", { target_url: "https://crm.example.com/hooks/x" }),
      webhook("b", { target_url: "https://crm.example.com/hooks/x", type: "emailsSent" }),
    ]),
  }),
  scenario({
    name: "restored-state",
    service: PEOPLE,
    earlier: [running([ofCampaign("a")]), running([ofCampaign("a"), ofCampaign("b")])],
    byHand: (world, [before]) => {
      if (!before) throw new Error("there is no earlier state");
      world.store.putBack(before);
      world.judge.forgive();
    },
    running: running([ofCampaign("a"), ofCampaign("b"), ofCampaign("c")], { adopt: true }),
  }),
];

const onlyMarked = (given: Running): Running => ({ ...given, marks: true });

/** With marks from the beginning, on a service that allows webhooks with the same URL, or not. */
function marked(given: Scenario, hasOnePerUrl: boolean): Scenario {
  const name = `${given.name}+mark${hasOnePerUrl ? "+unique" : ""}`;
  return {
    ...given,
    name,
    service: { ...given.service, hasOnePerUrl },
    earlier: given.earlier.map(onlyMarked),
    running: onlyMarked(given.running),
  };
}

/** What only marks make possible, or dangerous. */
const OF_MARKS: readonly Scenario[] = [
  scenario({ name: "copied", service: { hasCopier: true }, running: running([webhook("a", {}, "FIRST_SECRET")]) }),
  scenario({
    name: "copied-rotation",
    service: { hasCopier: true },
    earlier: [beforeDeleteFirst],
    running: deleteFirst,
  }),
];
/** They turn marks on for webhooks that carry none. */
const TURNING_ON: readonly Scenario[] = [false, true].flatMap((hasOnePerUrl) => {
  const service = { hasOnePerUrl };
  const end = hasOnePerUrl ? "+unique" : "";
  return [
    scenario({
      name: `turned-on-delete-first${end}`,
      service,
      earlier: [beforeDeleteFirst],
      running: onlyMarked(deleteFirst),
    }),
    scenario({
      name: `turned-on-create-first${end}`,
      service,
      earlier: [beforeCreateFirst],
      running: onlyMarked(createFirst),
    }),
  ];
});
const CREATES = /^(?!unsubscribe|watched$|unique-(?:delete|create)-first)/;
/** A create that somebody else imitates, and one by import, have nothing to do with the other kind of service. */
const EITHER = /^(?!identical-elsewhere|adopt$|import$|long-list)/;

/** The same scenarios with marks: no create of theirs may end undecided. */
export const MARKED_SCENARIOS: readonly Scenario[] = [
  ...SCENARIOS.filter(({ name }) => CREATES.test(name)).map((one) => marked(one, one.service.hasOnePerUrl === true)),
  ...SCENARIOS.filter(({ name, service }) => CREATES.test(name) && EITHER.test(name) && !service.hasOnePerUrl).map(
    (one) => marked(one, true),
  ),
  ...OF_MARKS.map((one) => marked(one, false)),
  ...TURNING_ON,
];
