import type { Evaluate, Evaluation, PendingRead } from "../../core/model/declaration.ts";
import { type Catalog, dataSourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { type Attributes, hasUnknown, UNKNOWN } from "../../core/model/value.ts";
import type { GivenCampaign, TestFile } from "../../frontends/yaml/tests/read-tests.ts";

/** What a configuration declares without a service and without a state. */
export interface OfflineEvaluation extends Evaluation {
  /** The results of the lookups, by address. */
  readonly known: ReadonlyMap<string, Attributes>;
}

/** The data sources that read only campaigns. What all others find is unknown. */
const OF_CAMPAIGNS: ReadonlySet<string> = new Set(["outreach_campaign", "outreach_campaigns"]);

const MAX_ROUNDS = 50;

/** Evaluates with the campaigns of a test file in place of the service's. */
export async function evaluateOffline(
  evaluate: Evaluate,
  { catalog, test, signal }: { readonly catalog: Catalog; readonly test: TestFile; readonly signal: AbortSignal },
): Promise<OfflineEvaluation> {
  const known = new Map<string, Attributes>();
  const found: Diagnostic[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const evaluation = evaluate({ known, instances: [] });
    const ready = evaluation.reads.filter(({ type, config }) => !OF_CAMPAIGNS.has(type) || !hasUnknown(config));
    if (hasErrors([...evaluation.diagnostics, ...found]) || ready.length === 0)
      return { ...evaluation, known, diagnostics: [...evaluation.diagnostics, ...found] };
    for (const read of ready) {
      const { value, diagnostics } = OF_CAMPAIGNS.has(read.type)
        ? await lookUp(read, { catalog, test, signal })
        : unknownOf(read, catalog);
      if (value) known.set(read.address, value);
      found.push(...diagnostics);
    }
  }
  throw new Error(`data sources are still to be read after ${String(MAX_ROUNDS)} rounds`);
}

function unknownOf(
  { type }: PendingRead,
  catalog: Catalog,
): { readonly value: Attributes; readonly diagnostics: readonly Diagnostic[] } {
  return {
    value: Object.fromEntries(Object.keys(dataSourceOf(catalog, type).schema).map((name) => [name, UNKNOWN])),
    diagnostics: [],
  };
}

async function lookUp(
  { address, type, config, locate }: PendingRead,
  { catalog, test, signal }: { readonly catalog: Catalog; readonly test: TestFile; readonly signal: AbortSignal },
): Promise<{ readonly value: Attributes | null; readonly diagnostics: readonly Diagnostic[] }> {
  const definition = dataSourceOf(catalog, type);
  const all = Object.fromEntries(Object.keys(definition.schema).map((name) => [name, config[name] ?? null]));
  const listing = () => Promise.reject(new Error("tests have no list"));
  const { value, diagnostics } = await definition.read(all, { client: clientOf(test.campaigns), signal, listing });
  const place = locate([]);
  const said = diagnostics.map((one): Diagnostic => ({
    address,
    ...(place ? { place } : {}),
    ...one,
    ...inTestFile(one, config, test),
  }));
  return { value: value && asGiven(value as Attributes, test.campaigns), diagnostics: said };
}

/** What a data source has found, without what it makes of values that the test file does not give: those are unknown. */
function asGiven(value: Attributes, campaigns: readonly GivenCampaign[]): Attributes {
  const { campaigns: found } = value;
  if (!Array.isArray(found)) return givenOf(value, campaigns);
  return { ...value, campaigns: found.map((one) => givenOf(one as Attributes, campaigns)) };
}

function givenOf(campaign: Attributes, campaigns: readonly GivenCampaign[]): Attributes {
  const hasCreator = campaigns.some(({ id, createdBy }) => id === campaign["id"] && createdBy !== null);
  const given = ["id", "name", "status", "labels", ...(hasCreator ? ["created_by"] : [])];
  return Object.fromEntries(
    Object.entries(campaign).map(([name, value]) => [name, given.includes(name) ? value : UNKNOWN]),
  );
}

/** The part of the service's client that these data sources read from. The campaigns were created in the order of the file. */
function clientOf(campaigns: readonly GivenCampaign[]) {
  const wire = campaigns.map(({ id, name, status, labels, createdBy }, index) => {
    const createdAt = isoTime(index);
    return { _id: id, name, status, labels, createdBy, createdAt };
  });
  return {
    campaigns: ({ status }: { readonly status?: string }) =>
      Promise.resolve(wire.filter((one) => status === undefined || one.status === status)),
  };
}

/** A campaign that the test file does not list. */
function inTestFile({ code }: Diagnostic, config: Attributes, { file }: TestFile): Partial<Diagnostic> {
  if (code !== "campaign_not_found") return {};
  const { id = null, name = null, status = null } = config;
  const wanted = Object.entries({ id, name, status }).flatMap(([key, value]) =>
    typeof value === "string" ? [`${key} ${JSON.stringify(value)}`] : [],
  );
  const entry = Object.entries({ id: id ?? "cam_000001", name: name ?? "NAME", status }).flatMap(([key, value]) =>
    typeof value === "string" ? [`${key}: ${value}`] : [],
  );
  return errorOf("test_campaign_missing", "No such campaign in the test file", {
    detail: `${file} lists no campaign with ${wanted.join(" and ")}. Tests ask no service.`,
    hint: `Add it to campaigns in ${file}, as in - { ${entry.join(", ")} }`,
  });
}
