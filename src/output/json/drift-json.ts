import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { DriftStatus, DriftedObject, UnmanagedObject } from "../../core/plan/drift-report.ts";
import { isPartial } from "../../core/plan/targets.ts";
import { diagnosticJson } from "./diagnostic-json.ts";
import { type JsonObject, jsonText } from "./escaped-json.ts";
import { knownJson, sideJson } from "./json-value.ts";
import { DRIFT_CLASSES, type DriftFormat, adviceText } from "../content/drift-format.ts";

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
const DRIFT_FORMAT_VERSION = "1.1";

/** A drift report for programs: one object. */
export const driftReportJson: DriftFormat = ({ name, scope, report, status, advice }, { catalog, version }) => {
  const document: JsonObject = {
    format_version: DRIFT_FORMAT_VERSION,
    outreach_version: version,
    configuration: name,
    status,
    complete:
      !isPartial(scope) && report.unchecked.length === 0 && report.truncated.length === 0 && !INCOMPLETE.has(status),
    summary: Object.fromEntries(DRIFT_CLASSES.map((one) => [one, report[one].length])),
    missing: report.missing.map((one) => missingJson(one, catalog)),
    changed: report.changed.map((one) => changedJson(one, catalog)),
    unmanaged: report.unmanaged.map((one) => unmanagedJson(one, catalog)),
    unobservable: report.unobservable.map(({ type, attribute, count }) => ({ type, attribute, count })),
    unchecked: report.unchecked.map(({ address, type, id }) => ({ address, type, id })),
    undecided: report.undecided.map(({ address, type, candidates }) => ({ address, type, candidates })),
    names: report.names,
    advice: Object.fromEntries(DRIFT_CLASSES.map((one) => [one, adviceText(advice[one])])),
    diagnostics: report.diagnostics.map(diagnosticJson),
  };
  return `${jsonText(document, { indented: true })}\n`;
};

const INCOMPLETE: ReadonlySet<DriftStatus> = new Set(["error", "undecided"]);

function missingJson({ address, type, id, before, masked }: DriftedObject, catalog: Catalog): JsonObject {
  return { address, type, id, values: sideJson(before, resourceOf(catalog, type).schema, masked).values };
}

function changedJson(
  { address, type, id, before, after, changed, masked }: DriftedObject,
  catalog: Catalog,
): JsonObject {
  const { schema } = resourceOf(catalog, type);
  const [had, has] = [before, after].map((side) => sideJson(side, schema, masked).values as JsonObject);
  return {
    address,
    type,
    id,
    attributes: Object.fromEntries(
      changed.map((name) => [name, { before: had?.[name] ?? null, after: has?.[name] ?? null }]),
    ),
  };
}

/** Only what the service shows: an absent value is not known. */
function unmanagedJson({ type, object: { id, attributes } }: UnmanagedObject, catalog: Catalog): JsonObject {
  const { schema } = resourceOf(catalog, type);
  const shown = Object.entries(attributes).filter(
    ([name]) => name !== "id" && schema[name] !== undefined && !schema[name].sensitive,
  );
  return { type, id, values: Object.fromEntries(shown.map(([name, value]) => [name, knownJson(value)])) };
}
