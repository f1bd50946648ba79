import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS, type PlanOptions } from "../../../src/core/plan/plan-context.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { webhook } from "../../../src/service/resources/webhook.ts";
import { NO_STATEMENTS } from "../toy.ts";

/**
 * Walks through every combination of what is declared, recorded and live, and compares what the planner makes of it
 * with the tables in the guide. UPDATE_DOCS=1 rewrites them.
 */
const GUIDE = new URL("../../../docs/explanation/how-it-decides.md", import.meta.url);

type Dimensions = { readonly [name: string]: readonly string[] };
type Case = { readonly [name: string]: string };
/** A case with several values where they make no difference. */
type Row = { readonly [name: string]: readonly string[] };

const RECORDED = {
  Declared: ["no", "as recorded", "changed attribute", "changed secret", "changed setting"],
  Live: ["as recorded", "changed", "missing"],
  "Identical unmanaged": ["none", "one", "several"],
  Secret: ["known", "assumed", "never known", "just imported"],
  Protected: ["no", "declared", "in the state only"],
} as const satisfies Dimensions;

const UNRECORDED = {
  Declared: ["no", "yes", "yes, with `allow_duplicate`"],
  "Identical unmanaged": ["none", "one", "one, campaign not shown", "several"],
  "`--adopt`": ["no", "yes"],
} as const satisfies Dimensions;

const ADDRESS = "outreach_webhook.crm";
const BASE: Attributes = { target_url: "https://crm.example.com/hook", type: "emailsReplied", campaign_id: "cam_1" };
const OLD_SECRET = { $secret: "old" };

function planOf(given: {
  readonly declared: Attributes | null;
  readonly recorded: RecordedInstance | null;
  readonly live: readonly LiveObject[];
  readonly options?: Partial<PlanOptions>;
}): Plan {
  const declarations: readonly Declaration[] = given.declared
    ? [
        {
          address: ADDRESS,
          type: webhook.type,
          provider: "outreach",
          attributes: given.declared,
          secrets: {},
          masked: [],
          locate: () => undefined,
        },
      ]
    : [];
  return makePlan({
    catalog: { resources: [webhook], dataSources: [] },
    declarations,
    instances: given.recorded ? [given.recorded] : [],
    live: new Map([[webhook.type, { objects: given.live, complete: true, serverDate: "" }]]),
    limits: {},
    options: { ...PLAIN_OPTIONS, ...given.options },
    undecided: [],
    ...NO_STATEMENTS,
  });
}

function shown(id: string, attributes: Attributes): LiveObject {
  return { id, attributes: { id, created_at: "2026-01-01T00:00:00Z", ...attributes } };
}

/** Identical to what is declared, else to what is recorded. */
function strangers(how: string, like: Attributes): readonly LiveObject[] {
  const { target_url: targetUrl = null, type = null } = BASE;
  const rest: Attributes = { target_url: targetUrl, type };
  const whole: Attributes = { ...rest, campaign_id: like["campaign_id"] ?? null };
  if (how === "none") return [];
  if (how === "several") return [shown("hoo_a", whole), shown("hoo_b", whole)];
  return [shown("hoo_a", how === "one" ? whole : rest)];
}

function recordedCase(one: Case): Plan | null {
  const { Declared: how = "", Live: seen, Secret: secret, Protected: protection } = one;
  const isDeclared = how !== "no";
  if (protection === "declared" && !isDeclared) return null;
  const isUndeclared = secret === "never known" || secret === "just imported";
  const had = isUndeclared ? null : OLD_SECRET;
  const before: Attributes = { ...BASE, secret: had, protect: protection === "no" ? null : true };
  const instance: RecordedInstance = {
    address: ADDRESS,
    type: webhook.type,
    provider: "outreach",
    schemaVersion: 0,
    id: "hoo_ours",
    attributes: { ...before, id: "hoo_ours", created_at: "2026-01-01T00:00:00Z" },
    returned: shown("hoo_ours", BASE).attributes,
    unobserved: isUndeclared ? ["secret"] : [],
    ...(secret === "just imported" ? { unapplied: true } : {}),
    assumed: secret === "assumed" ? ["secret"] : [],
    recordedAtMs: 0,
  };
  const changes: { readonly [how: string]: Attributes } = {
    "changed attribute": { campaign_id: "cam_2" },
    "changed secret": { secret: { $secret: "new" } },
    "changed setting": { rotation: "create_first" },
  };
  const declared = isDeclared ? { ...before, protect: protection === "declared" ? true : null, ...changes[how] } : null;
  const ours =
    seen === "missing" ? [] : [shown("hoo_ours", seen === "changed" ? { ...BASE, type: "emailsSent" } : BASE)];
  return planOf({
    declared,
    recorded: instance,
    live: [...ours, ...strangers(one["Identical unmanaged"] ?? "", declared ?? BASE)],
  });
}

function unrecordedCase(one: Case): Plan {
  const { Declared: how } = one;
  const declared = how === "no" ? null : { ...BASE, ...(how === "yes" ? {} : { allow_duplicate: true }) };
  return planOf({
    declared,
    recorded: null,
    live: strangers(one["Identical unmanaged"] ?? "", BASE),
    options: { adopt: one["`--adopt`"] === "yes" },
  });
}

const WORDS: { readonly [what: string]: string } = {
  create: "`+` create",
  replace: "`-/+` replace",
  "update-state": "`~` state only",
  delete: "`-` destroy",
  forget: "remove from the state",
  adopt: "import into the state",
  keep: "no change",
  unmanaged_duplicate: "stops: an identical webhook exists",
  protected: "stops: protected",
};

function outcomeOf({ steps, diagnostics, drift }: Plan): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [said] = [
    ...errors.map(({ code }) => code),
    ...steps.map(({ action, address }) => (address === ADDRESS ? action : "a step of another address")),
  ];
  const words = said === undefined ? "nothing: it is unmanaged" : (WORDS[said] ?? said);
  const warns = diagnostics.some(({ code }) => code === "duplicate_live") ? "; warns of the duplicate" : "";
  return `${words}${warns}${drift.length === 0 ? "" : "; reports drift"}`;
}

function casesOf(dimensions: Dimensions): readonly Case[] {
  return Object.entries(dimensions).reduce<readonly Case[]>(
    (cases, [name, values]) => cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

interface Outcome {
  readonly row: Row;
  readonly outcome: string;
}

/** Joins rows with the same outcome that differ in one dimension, dimension by dimension from the last. */
function folded(outcomes: readonly Outcome[], dimensions: Dimensions): readonly Outcome[] {
  return Object.keys(dimensions)
    .toReversed()
    .reduce((rows, name) => joined(rows, name), outcomes);
}

function joined(outcomes: readonly Outcome[], name: string): readonly Outcome[] {
  const groups = new Map<string, Outcome>();
  for (const { row, outcome } of outcomes) {
    const { [name]: values = [], ...rest } = row;
    const key = JSON.stringify([outcome, Object.entries(rest).toSorted()]);
    const before = groups.get(key);
    groups.set(key, { outcome, row: { ...row, [name]: [...(before?.row[name] ?? []), ...values] } });
  }
  return [...groups.values()];
}

function table(dimensions: Dimensions, plan: (one: Case) => Plan | null): string {
  const outcomes = casesOf(dimensions).flatMap((one): readonly Outcome[] => {
    const made = plan(one);
    return made
      ? [
          {
            row: Object.fromEntries(Object.entries(one).map(([name, value]) => [name, [value]])),
            outcome: outcomeOf(made),
          },
        ]
      : [];
  });
  const names = Object.keys(dimensions);
  const possible = (row: Row, name: string): number =>
    new Set(
      outcomes
        .filter((one) =>
          names.every((other) => other === name || one.row[other]?.every((value) => row[other]?.includes(value))),
        )
        .flatMap((one) => one.row[name] ?? []),
    ).size;
  const lines = folded(outcomes, dimensions).map(({ row, outcome }) => {
    const cells = names.map((name) =>
      cellOf(row[name] ?? [], { isAny: row[name]?.length === possible(row, name), all: dimensions[name] ?? [] }),
    );
    return `| ${[...cells, outcome].join(" | ")} |`;
  });
  return [`| ${[...names, "Plan"].join(" | ")} |`, `|${"---|".repeat(names.length + 1)}`, ...lines].join("\n");
}

function cellOf(
  values: readonly string[],
  { isAny, all }: { readonly isAny: boolean; readonly all: readonly string[] },
): string {
  if (isAny) return "any";
  return values.length > 2 && values.length === all.length - 1 && !values.includes("no") ? "yes" : values.join(" or ");
}

describe("the tables of the guide are what the planner does", () => {
  test.each([
    ["recorded", table(RECORDED, recordedCase)],
    ["unrecorded", table(UNRECORDED, unrecordedCase)],
  ])("%s", (name, derived) => {
    const guide = readFileSync(GUIDE, "utf8");
    const [begin, end] = [`<!-- table: ${name} -->`, `<!-- end of table: ${name} -->`];
    const [before = "", rest] = guide.split(begin, 2);
    const [written, after] = rest?.split(end, 2) ?? [];
    if (written === undefined || after === undefined)
      throw new Error(`${GUIDE.pathname} has no table between ${begin} and ${end}`);
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(GUIDE, `${before}${begin}\n\n${derived}\n\n${end}${after}`);
    else
      expect(written.trim(), "rewrite the tables with: UPDATE_DOCS=1 npx vitest run test/core/plan/walk.test.ts").toBe(
        derived,
      );
  });
});
