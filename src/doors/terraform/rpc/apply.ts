import { type Creation, type WriteResult, createOne, deleteOne } from "../../../core/apply/write.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { Attributes, Value } from "../../../core/model/value.ts";
import { hasOutcome } from "../../../core/plan/resource.ts";
import { isTwin } from "../../../core/plan/observe.ts";
import { diagnosticsOf, wireDiagnostics } from "../diagnostics.ts";
import type { ApplyResourceChange_Request, ApplyResourceChange_Response, ProviderDefinition } from "../generated/tfplugin6.ts";
import { NO_PRIVATE_STATE, type PrivateState, decodePrivate, encodePrivate } from "../private-state.ts";
import type { Handlers } from "../routes.ts";
import { belongsElsewhere, missingWithAnotherKey, serviceChanged } from "../service-mark.ts";
import type { Session } from "../session.ts";
import { unfinishedTwin } from "../unfinished.ts";
import { decodeValue, encodeValue } from "../values.ts";

/** Carries out one change, with the single create and delete of every door. */
export function applyHandlers(session: Session): Pick<Handlers<typeof ProviderDefinition>, "applyResourceChange"> {
  return { applyResourceChange: (request) => applyOne(session, request) };
}

/** What is in the state afterwards, and what is to be said. */
interface Applied {
  readonly attributes: Attributes | null;
  readonly stored: PrivateState;
  readonly diagnostics: readonly Diagnostic[];
}

/** Never fails as a call: Terraform would record nothing, and what was created would be lost. */
async function applyOne(session: Session, request: ApplyResourceChange_Request): Promise<ApplyResourceChange_Response> {
  let applied: Applied;
  let definition: AnyResource | null = null;
  try {
    definition = session.definition(request.typeName);
    applied = await dispatch(session, definition, request);
  } catch (error) {
    // Nothing was sent: what comes after that is a result, not an exception.
    const diagnostics = wireDiagnostics([...diagnosticsOf(error), ...session.services.journal.warnings()]);
    return { newState: request.priorState, private: request.plannedPrivate, diagnostics };
  }
  const diagnostics = [...applied.diagnostics, ...session.services.journal.warnings()];
  return {
    newState: encodeValue(applied.attributes, definition.schema),
    private: applied.attributes === null ? new Uint8Array() : encodePrivate(applied.stored),
    diagnostics: wireDiagnostics(diagnostics),
  };
}

function dispatch(session: Session, definition: AnyResource, request: ApplyResourceChange_Request): Applied | Promise<Applied> {
  const { schema } = definition;
  const prior = decodeValue(request.priorState, schema);
  const planned = decodeValue(request.plannedState, schema);
  const stored = decodePrivate(request.plannedPrivate);
  if (planned === null) return prior === null ? { attributes: null, stored, diagnostics: [] } : remove(session, definition, { prior, stored });
  if (prior === null) return create(session, definition, { planned, config: decodeValue(request.config, schema) ?? {} });
  // Every change that needs a request was planned as a replace: what is left changes the record alone.
  return { attributes: planned, stored, diagnostics: [] };
}

async function create(session: Session, definition: AnyResource, given: { readonly planned: Attributes; readonly config: Attributes }): Promise<Applied> {
  const { planned } = given;
  const { journal, fingerprinter } = session.services;
  const service = await session.mark();
  const unfinished = await unfinishedTwin(definition, planned, journal);
  if (unfinished) throw new DiagnosticsError([unfinished]);
  const creation = await asCreation(definition, given, fingerprinter(journal.salt));
  if (definition.list && !creation.allowTwin) await recogniseReplaced(session, definition, planned);
  const result = await createOne(definition, creation, session.writeContext(definition));
  return created(session, definition, { planned, result, service });
}

/** A twin that this configuration is about to replace is managed, although this process was not told so. */
async function recogniseReplaced(session: Session, definition: AnyResource, planned: Attributes): Promise<void> {
  const { live, isManaged, signal } = session.writeContext(definition);
  const { objects } = await live.get(signal);
  for (const { id } of objects.filter((object) => !isManaged(object.id) && isTwin(definition, planned, object))) {
    if (await session.services.replaced.has(id)) session.manage(definition.type, id);
  }
}

/** What a create came to. A value that Terraform was promised is returned as promised, whatever the service returned. */
function created(
  session: Session,
  definition: AnyResource,
  { planned, result, service }: { readonly planned: Attributes; readonly result: WriteResult; readonly service: PrivateState["service"] },
): Applied {
  const stored = { ...NO_PRIVATE_STATE, service };
  switch (result.kind) {
    case "done": {
      const { record } = result;
      if (record?.id) session.manage(definition.type, record.id);
      return {
        attributes: withComputed(definition, planned, record?.attributes ?? {}),
        stored: { ...stored, returned: record?.returned ?? {} },
        diagnostics: result.warnings,
      };
    }
    case "failed":
      return { attributes: null, stored, diagnostics: [result.diagnostic] };
    case "unconfirmed":
    case "undecided": {
      const { diagnostic } = result;
      const recorded = result.kind === "unconfirmed" ? result.record.attributes : {};
      const hint = "Terraform records it without an id, as tainted. Look at the service's list before you go on: what the next apply says will help.";
      return {
        attributes: withComputed(definition, planned, recorded),
        stored: { ...stored, undecided: { cause: diagnostic.detail } },
        diagnostics: [{ hint, ...diagnostic }],
      };
    }
  }
}

async function remove(
  session: Session,
  definition: AnyResource,
  { prior, stored }: { readonly prior: Attributes; readonly stored: PrivateState },
): Promise<Applied> {
  const id = prior["id"];
  if (definition.destroy === "forget") return { attributes: null, stored, diagnostics: forgotten(definition, prior) };
  if (typeof id !== "string") throw new DiagnosticsError([await undecidedDelete(session, definition, { prior, stored })]);
  session.manage(definition.type, id);
  const changed = serviceChanged(stored.service, await session.mark());
  if (changed === "address") throw new DiagnosticsError([belongsElsewhere(definition, id)]);
  if (changed === "key" && (await session.find(definition, id)).object === null) throw new DiagnosticsError([missingWithAnotherKey(definition, id)]);
  const result = await deleteOne(definition, asInstance(session, definition, { id, prior, stored }), session.writeContext(definition));
  if (result.kind === "done") {
    await session.services.replaced.remove(id);
    return { attributes: null, stored, diagnostics: [] };
  }
  return { attributes: prior, stored, diagnostics: [result.diagnostic] };
}

/** Where something was done, or may have been. */
function forgotten({ noun, oneWay }: AnyResource, prior: Attributes): readonly Diagnostic[] {
  if (oneWay && hasOutcome(prior, oneWay.gone)) return [];
  return [
    {
      code: "cannot_be_undone",
      severity: "warning",
      summary: `The ${noun} is only forgotten`,
      detail: `Terraform no longer has this ${noun} in its state. Nothing was sent: the service cannot undo it, so it stays in effect.`,
    },
  ];
}

/** Secrets go to the service, and into the journal as fingerprints only. Write-only values are in the configuration alone. */
async function asCreation(
  definition: AnyResource,
  { planned, config }: { readonly planned: Attributes; readonly config: Attributes },
  fingerprint: (secret: string) => Promise<string>,
): Promise<Creation> {
  const attributes: Record<string, Value> = { ...planned };
  const secrets: Record<string, string> = {};
  for (const [name, { sensitive, writeOnly }] of Object.entries(definition.schema)) {
    const value = (writeOnly ? config : planned)[name];
    if ((!sensitive && !writeOnly) || typeof value !== "string") continue;
    secrets[name] = value;
    if (!writeOnly) attributes[name] = { $secret: await fingerprint(value) };
  }
  return { address: null, provider: PROVIDER, attributes, secrets, allowTwin: planned["allow_duplicate"] === true };
}

const PROVIDER = "outreach";

function asInstance(
  { services }: Session,
  { type, version }: AnyResource,
  { id, prior, stored }: { readonly id: string; readonly prior: Attributes; readonly stored: PrivateState },
): RecordedInstance {
  const { unobserved, returned } = stored;
  return {
    address: "",
    type,
    provider: PROVIDER,
    schemaVersion: version,
    id,
    attributes: prior,
    returned,
    unobserved,
    assumed: [],
    recordedAtMs: services.clock.now(),
  };
}

function withComputed({ schema }: AnyResource, planned: Attributes, returned: Attributes): Attributes {
  return Object.fromEntries(Object.entries(schema).map(([name, { mode }]) => [name, (mode === "computed" ? returned[name] : planned[name]) ?? null]));
}

/** An object without an id came from a create whose outcome is open: there is nothing that could be deleted safely. */
async function undecidedDelete(
  session: Session,
  definition: AnyResource,
  { prior, stored }: { readonly prior: Attributes; readonly stored: PrivateState },
): Promise<Diagnostic> {
  const { live, isManaged } = session.writeContext(definition);
  const { objects } = await live.get(session.stop.signal);
  const candidates = objects.filter((object) => !isManaged(object.id) && isTwin(definition, prior, object)).map(({ id }) => id);
  const seen =
    candidates.length === 0 ? "The service's list shows none that it could be." : `The service's list shows ${candidates.join(", ")}, which it could be.`;
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of an earlier create is undecided",
    detail: `This ${definition.noun} was sent to the service, but no answer told whether it was created. ${stored.undecided?.cause ?? ""} ${seen} Nothing was sent now.`,
    hint: "Remove it from the state (terraform state rm ADDRESS). If the list shows it, import it by its id; if not, apply creates it.",
  };
}
