import { type Catalog, resourceOf } from "../../../../core/model/definition.ts";
import { visible } from "../../../../core/model/visible.ts";
import { printable } from "../../../../core/model/words.ts";
import type { AuditReport, AuditedObject } from "./audit-report.ts";
import { type AuditRow, auditedValues, findingTexts } from "./audit-groups.ts";

/** A list of removals as YAML, for a person to cut down. */
export interface RemovalFile {
  readonly text: string;
  /** How many objects it would delete, and how many it only names. */
  readonly listed: number;
  readonly kept: number;
}

const HEAD = (
  origin: string,
): string => `# Webhooks that nothing in ${origin} manages, and that outreach audit has a finding about.
# Another configuration or Terraform may manage some of them, and somebody may need them.
# Delete the entries of those that must stay. Then plan: outreach deletes what is left here only after a person has approved the plan.
version: 1
removals:
`;

/** The unmanaged objects with a finding. An object whose removal could lose events is a comment. */
export function removalFile(
  reports: readonly AuditReport[],
  { catalog, origin }: { readonly catalog: Catalog; readonly origin: string },
): RemovalFile {
  const entries = reports.flatMap(({ type, objects, names }) => {
    const kept = keptIn(objects);
    const found = objects.filter(({ holder, findings }) => holder.kind === "unmanaged" && findings.length > 0);
    return found.map((object) => ({
      isKept: kept.has(object.id),
      text: entryText({ type, object, names }, { catalog, isKept: kept.has(object.id) }),
    }));
  });
  const kept = entries.filter(({ isKept }) => isKept).length;
  const body = entries.map(({ text }) => text).join("");
  // YAML takes a list of comments alone for null.
  return {
    text: `${HEAD(printable(origin))}${kept === entries.length ? "  []\n" : ""}${body}`,
    listed: entries.length - kept,
    kept,
  };
}

/**
 * What a person must decide about: what only overlaps, and the oldest of unmanaged duplicates, as long as nothing else is found about them.
 */
function keptIn(objects: readonly AuditedObject[]): ReadonlySet<string> {
  const byId = new Map(objects.map((one) => [one.id, one]));
  const kept = new Set<string>();
  const isFree = (id: string): boolean => byId.get(id)?.holder.kind === "unmanaged" && !kept.has(id);
  for (const { id, holder, findings } of objects) {
    if (holder.kind !== "unmanaged" || findings.some((one) => one.id !== "duplicate" && one.id !== "overlap")) continue;
    const isFirst = findings.flatMap(({ others }) => others).every(isFree);
    if (isFirst || findings.some((one) => one.id === "overlap")) kept.add(id);
  }
  return kept;
}

function entryText(
  row: Omit<AuditRow, "why">,
  { catalog, isKept }: { readonly catalog: Catalog; readonly isKept: boolean },
): string {
  const { id, findings } = row.object;
  const values = auditedValues(row, { catalog }).map(([, value]) => visible(value).slice(0, LONGEST));
  const reason = findingTexts(findings, resourceOf(catalog, row.type)).join("; ");
  const lines = [
    `# ${values.join(", ")}`,
    ...(isKept ? ["# Not listed: the events that it alone gets would be lost."] : []),
  ];
  const entry = `- { id: ${/^[\w-]+$/.test(id) ? id : JSON.stringify(id)}, reason: ${JSON.stringify(printable(reason, LONGEST))} }`;
  return [...lines, isKept ? `# ${entry}` : entry].map((line) => `  ${line}\n`).join("");
}

/** In characters. */
const LONGEST = 400;
