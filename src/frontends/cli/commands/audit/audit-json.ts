import type { Schema } from "../../../../core/model/attribute.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import { resourceOf } from "../../../../core/model/definition.ts";
import { type AuditFormat, type AuditRow, auditGroups } from "./audit-groups.ts";
import { diagnosticJson } from "../../../../output/json/diagnostic-json.ts";
import { type JsonObject, jsonText } from "../../../../output/json/escaped-json.ts";
import { hiddenText } from "../../../../output/content/value-text.ts";
import { knownJson } from "../../../../output/json/json-value.ts";

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
const AUDIT_FORMAT_VERSION = "1.0";

/** An audit for programs: one object. */
export const auditJson: AuditFormat = ({ reports, isComplete, diagnostics }, { catalog, nowMs, version }) => {
  const groups = auditGroups(reports, catalog);
  const document: JsonObject = {
    format_version: AUDIT_FORMAT_VERSION,
    outreach_version: version,
    as_of: isoTime(nowMs),
    complete: isComplete,
    summary: Object.fromEntries(groups.map(({ id, rows }) => [id, rows.length])),
    groups: Object.fromEntries(groups.map(({ id, rows }) => [id, rows.map(({ object }) => object.id)])),
    live: reports.flatMap(({ type, objects }) =>
      objects.map((object) => objectJson({ type, object }, resourceOf(catalog, type).schema)),
    ),
    names: Object.fromEntries(reports.flatMap(({ names }) => Object.entries(names))),
    unknown: reports.flatMap(({ type, unknown }) =>
      unknown.map(({ attribute, count }) => ({ type, attribute, count })),
    ),
    diagnostics: diagnostics.map(diagnosticJson),
  };
  return `${jsonText(document, { indented: true })}\n`;
};

/** Only what is known: an absent value is not. */
function objectJson({ type, object }: Pick<AuditRow, "type" | "object">, schema: Schema): JsonObject {
  const { id, attributes, masked, holder, findings } = object;
  const known = Object.entries(attributes).filter(([name]) => name !== "id" && schema[name] !== undefined);
  return {
    type,
    id,
    held: holder.kind,
    address: holder.kind === "managed" || holder.kind === "undecided" ? holder.address : null,
    values: Object.fromEntries(
      known.map(([name, value]) => [
        name,
        masked.includes(name) && value !== null ? hiddenText(value) : knownJson(value),
      ]),
    ),
    findings: findings.map((one) => ({ id: one.id, why: one.why, others: one.others })),
  };
}
