import { capitalised, countOf } from "../../../../core/model/words.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../../core/model/definition.ts";
import { compareText } from "../../../../core/model/value.ts";
import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import { type AuditFinding, type AuditReport, type AuditedObject } from "./audit-report.ts";
import { AUDIT_RULES } from "./audit-rules.ts";
import { withoutSecretCode } from "../../../../core/plan/without-secret.ts";
import { hiddenText, nameText, valueText } from "../../../../output/content/value-text.ts";
import type { FormatContext } from "../../../../output/content/output-format.ts";

/** An audit as one document. */
export type AuditFormat = (shown: ShownAudit, context: AuditContext) => string;
export type AuditContext = Pick<FormatContext, "catalog" | "mask" | "nowMs" | "paint" | "version">;

export interface ShownAudit {
  readonly reports: readonly AuditReport[];
  readonly isComplete: boolean;
  /** With the ways out in words. */
  readonly diagnostics: readonly Diagnostic[];
}

export const NOTHING_LIVE = "Nothing is live.";

/** A group of an audit: an object can be in several. */
export interface AuditGroup {
  readonly id: string;
  readonly title: string;
  /** What it means, as a clause. */
  readonly meaning: string;
  /** The column of `why`; empty for a group that needs none. */
  readonly column: string;
  readonly rows: readonly AuditRow[];
}

export interface AuditRow {
  readonly type: string;
  readonly object: AuditedObject;
  readonly names: AuditReport["names"];
  readonly why: string;
}

interface Heading {
  readonly title: string;
  readonly meaning: string;
}

const HOLDERS = {
  managed: { title: "Managed", meaning: "recorded in this state, at an address", column: "address" },
  undecided: {
    title: "Undecided",
    meaning: "a create without a known outcome may have made them; see outreach plan",
    column: "address",
  },
  temporary: {
    title: "Temporary",
    meaning: "of an outreach listen, which removes them when it ends; add one that was left behind to removals",
    column: "",
  },
  unmanaged: {
    title: "Unmanaged",
    meaning: "in no record of this state; another configuration or Terraform may manage them",
    column: "",
  },
} as const;

const FINDINGS = {
  duplicate: {
    title: "Duplicates",
    meaning: "the same target URL, event type and campaign: each event is delivered twice",
  },
  overlap: { title: "Overlaps", meaning: "the same target URL, and some of the same events" },
  withoutSecret: {
    title: "Without secret",
    meaning: "managed, and recorded without a secret: the receiver cannot verify the events",
  },
  old: { title: "Old", meaning: "created longer ago than --older-than" },
} satisfies { readonly [id: string]: Heading };

/** The headings of all findings of a type, in the order of a report: who left it comes first, its age last. */
function headingsOf(definition: AnyResource): readonly (readonly [id: string, heading: Heading])[] {
  const { duplicate, overlap, withoutSecret, old } = FINDINGS;
  const [first, ...others] = (AUDIT_RULES[definition.type]?.rules ?? []).map(
    ({ id, title, meaning }) => [id, { title, meaning }] as const,
  );
  return [
    ...(first ? [first] : []),
    ["duplicate", duplicate],
    ["overlap", overlap],
    ...others,
    [withoutSecretCode(definition), withoutSecret],
    ["old", old],
  ];
}

/** The groups of an audit, those without an object included: first who has the objects, then what was found. */
export function auditGroups(reports: readonly AuditReport[], catalog: Catalog): readonly AuditGroup[] {
  const all = reports.flatMap(({ type, objects, names }) => objects.map((object) => ({ type, object, names })));
  const holders = Object.entries(HOLDERS).map(([id, heading]): AuditGroup => ({
    id,
    ...heading,
    rows: all.flatMap((one) => (one.object.holder.kind === id ? [{ ...one, why: holderText(one.object) }] : [])),
  }));
  const headings = new Map(reports.flatMap(({ type }) => headingsOf(resourceOf(catalog, type))));
  const findings = [...headings].map(([id, heading]): AuditGroup => {
    const rows = all.flatMap((row) =>
      row.object.findings.filter((one) => one.id === id).map(({ why }) => ({ ...row, why })),
    );
    // A rule's reasons are few and repeat, such as a host.
    return {
      id,
      ...heading,
      column: "why",
      rows: id in FINDINGS ? rows : rows.toSorted((a, b) => compareText(a.why, b.why)),
    };
  });
  return [...holders, ...findings];
}

/** The address that manages an object; empty for nobody. */
function holderText({ holder }: AuditedObject): string {
  if (holder.kind === "managed") return holder.isDeposed ? `${holder.address} (deposed)` : holder.address;
  return holder.kind === "undecided" ? (holder.address ?? "") : "";
}

/** The sentences above the groups. */
export function auditSentences({ reports, isComplete }: ShownAudit, catalog: Catalog): readonly string[] {
  const counts = reports.flatMap(({ type, objects }) => {
    const { noun, plural } = resourceOf(catalog, type);
    const holders = Object.keys(HOLDERS).flatMap((kind) => {
      const count = objects.filter(({ holder }) => holder.kind === kind).length;
      return count === 0 ? [] : [`${String(count)} ${kind}`];
    });
    const found = objects.filter(({ findings }) => findings.length > 0).length;
    return objects.length === 0
      ? []
      : [`${countOf(objects.length, `live ${noun}`, `live ${plural}`)}: ${holders.join(", ")}. ${findingsText(found)}`];
  });
  return [
    ...(counts.length === 0 ? [NOTHING_LIVE] : counts),
    ...(isComplete ? [] : ["The service's list may be truncated: there may be more than this."]),
    ...reports.flatMap((report) => unknownText(report, catalog)),
  ];
}

function findingsText(count: number): string {
  return count === 0 ? "No findings." : `${String(count)} ${count === 1 ? "has" : "have"} findings.`;
}

/** What the service does not show, in words: `Not known, and never a finding: secret of 3 webhooks.` */
function unknownText({ type, unknown }: AuditReport, catalog: Catalog): readonly string[] {
  const { noun, plural } = resourceOf(catalog, type);
  if (unknown.length === 0) return [];
  return [
    `Not known, and never a finding: ${unknown.map(({ attribute, count }) => `${attribute} of ${countOf(count, noun, plural)}`).join(", ")}.`,
  ];
}

/** What tells an object apart, by the names of its attributes: each in words, also where it is null or not shown. */
export function auditedValues(
  { type, object, names }: Omit<AuditRow, "why">,
  { catalog }: Pick<AuditContext, "catalog">,
) {
  const { identity, createdAt, absent } = resourceOf(catalog, type);
  const { attributes, masked } = object;
  const values = identity.map((name): readonly [string, string] => {
    const value = attributes[name];
    if (value === undefined) return [name, "not shown"];
    if (value === null) return [name, absent?.[name] ?? "none"];
    if (masked.includes(name)) return [name, hiddenText(value)];
    if (typeof value !== "string") return [name, valueText(value)];
    const called =
      name === AUDIT_RULES[type]?.refers.attribute && Object.hasOwn(names, value) ? names[value] : undefined;
    return [name, called === undefined ? value : `${value} (${nameText(called)})`];
  });
  const time = createdAt === undefined ? null : attributes[createdAt];
  return createdAt === undefined
    ? values
    : [...values, [createdAt, typeof time === "string" ? time : "not shown"] as const];
}

/** Findings as one text: `duplicate (identical to hoo_1); http`. */
export function findingTexts(findings: readonly AuditFinding[], definition: AnyResource): readonly string[] {
  const titles = new Map(headingsOf(definition));
  return findings.map(({ id, why }) => `${capitalised(titles.get(id)?.title ?? id)}: ${why}`);
}
