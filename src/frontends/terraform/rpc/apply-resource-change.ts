import { deleteOne } from "../../../core/apply/write/write.ts";
import type { Creation } from "../../../core/apply/write/write-context.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import { type Attributes, type Value, hasUnknown } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { hasOutcome } from "../../../core/plan/resource.ts";
import { diagnosticsOf, wireDiagnostics } from "../wire/wire-diagnostics.ts";
import type { ApplyResourceChange_Request, ApplyResourceChange_Response } from "../generated/tfplugin6.ts";
import { createOnce } from "../journal/create-once.ts";
import { undecidedAtOtherService } from "../journal/create-messages.ts";
import { openOfSame, removeWithoutId } from "../journal/creates-without-id.ts";
import { maybeReplaced, probablyReplaced } from "../journal/duplicate-messages.ts";
import { refuseOwnKeys } from "../own-keys.ts";
import { plannedWithPlaceholder, sentPlaceholders } from "../placeholder-secrets.ts";
import {
  NO_PRIVATE_STATE,
  type PrivateState,
  decodePrivate,
  encodePrivate,
  belongsElsewhere,
  missingWithAnotherKey,
  serviceChanged,
} from "../private-state.ts";
import type { Session } from "../provider-session.ts";
import { forgetWarnings } from "./plan-resource-change.ts";
import { requirePlace } from "./require-place.ts";
import { requireSame } from "./require-same.ts";
import { decodeValue, encodeValue } from "../wire/terraform-values.ts";

/** The new state, and the diagnostics. */
interface Applied {
  readonly attributes: Attributes | null;
  readonly stored: PrivateState;
  readonly diagnostics: readonly Diagnostic[];
  /** A request may have been sent. */
  readonly sent?: true;
}

/**
 * Carries out one change with the create and delete that every frontend shares. Never fails as a call: Terraform would record
 * nothing, and what was created would be lost.
 */
export async function applyResourceChange(
  session: Session,
  request: ApplyResourceChange_Request,
): Promise<ApplyResourceChange_Response> {
  const warnings = (): readonly Diagnostic[] => (session.isConnected() ? session.service().journal.warnings() : []);
  let applied: Applied;
  let definition: AnyResource;
  try {
    definition = session.definition(request.typeName);
    applied = await dispatch(session, definition, request);
  } catch (error) {
    // Nothing was sent yet: errors after sending are results, not exceptions.
    return {
      newState: request.priorState,
      private: request.plannedPrivate,
      diagnostics: wireDiagnostics([...diagnosticsOf(error), ...warnings()]),
    };
  }
  const late = definition.list && applied.sent ? await session.type(definition).lateDuplicates() : [];
  return {
    newState: encodeValue(applied.attributes, definition.schema),
    private: applied.attributes === null ? new Uint8Array() : encodePrivate(applied.stored),
    diagnostics: wireDiagnostics([...applied.diagnostics, ...warnings(), ...late]),
  };
}

function dispatch(
  session: Session,
  definition: AnyResource,
  request: ApplyResourceChange_Request,
): Applied | Promise<Applied> {
  const { schema } = definition;
  const prior = decodeValue(request.priorState, schema);
  const planned = decodeValue(request.plannedState, schema);
  const { plannedAt, ...stored } = decodePrivate(request.plannedPrivate);
  if (planned === null)
    return prior === null
      ? { attributes: null, stored, diagnostics: [] }
      : remove(session, definition, { prior, stored });
  if (prior === null) {
    if (stored.askedFor !== undefined) session.objects.manage(definition, stored.askedFor);
    const from = { ...NO_PRIVATE_STATE, ...(plannedAt ? { plannedAt } : {}) };
    return create(session, definition, { planned, config: decodeValue(request.config, schema) ?? {}, from });
  }
  if (hasUnknown(planned))
    return sendAgain(session, definition, {
      prior,
      planned,
      config: decodeValue(request.config, schema) ?? {},
      stored,
      from: { ...stored, ...(plannedAt ? { plannedAt } : {}) },
    });
  // Every other change that needs a request is a replace: this one changes only the state.
  return { attributes: planned, stored, diagnostics: [] };
}

/** Sends an irreversible write again whose time has come. What the service refuses rests as long as what it did not find. */
async function sendAgain(
  session: Session,
  definition: AnyResource,
  {
    prior,
    stored,
    ...given
  }: {
    readonly prior: Attributes;
    readonly planned: Attributes;
    readonly config: Attributes;
    readonly stored: PrivateState;
    readonly from: PrivateState;
  },
): Promise<Applied> {
  const { irreversible } = definition;
  if (!irreversible) throw new Error(`${definition.type} was planned to be sent again`);
  const { returned, unconfirmed } = session.type(definition).writing;
  const key = identityKey(definition, prior);
  // What another address of this run has found counts for this one, too.
  if (!hasOutcome(prior, irreversible.gone)) returned.delete(key);
  if (hasOutcome(prior, irreversible.unconfirmed)) unconfirmed.add(key);
  const applied = await create(session, definition, given);
  if (applied.attributes !== null) return { ...applied, stored: { ...applied.stored, isRepeated: true } };
  return {
    attributes: withComputed(definition, given.planned, prior),
    stored: { ...stored, sentAtMs: session.services.clock.now(), isRepeated: true },
    diagnostics: applied.diagnostics.map((one) => ({ ...one, severity: "warning" })),
    sent: true,
  };
}

async function create(
  session: Session,
  definition: AnyResource,
  given: { readonly planned: Attributes; readonly config: Attributes; readonly from: PrivateState },
): Promise<Applied> {
  const { planned } = given;
  await requirePlace(session, definition, { planned, stored: given.from });
  refuseOwnKeys(session, definition, given.config);
  const placeholders = sentPlaceholders(definition, given.config);
  if (placeholders.length > 0) throw new DiagnosticsError(placeholders);
  const service = await session.service().known;
  const { unconfirmed } = session.type(definition).writing;
  const attempted = unconfirmed.has(identityKey(definition, planned)) ? { attempted: true as const } : {};
  const unmarked = { ...(await asCreation(definition, given, session.service().fingerprint)), ...attempted };
  const mark = await session.service().markFor(definition, unmarked);
  const creation = mark === undefined ? unmarked : { ...unmarked, mark };
  if (definition.list && !creation.allowDuplicate) await recogniseReplaced(session, definition, planned);
  const created = await createOnce(definition, creation, session.type(definition).writing);
  const { diagnostics } = created;
  const stored = {
    ...NO_PRIVATE_STATE,
    service,
    ...(definition.irreversible ? { sentAtMs: session.services.clock.now() } : {}),
  };
  switch (created.kind) {
    case "made": {
      const { attributes, returned, mark: carried } = created.record;
      const marked = carried === undefined ? {} : { mark: carried };
      return {
        attributes: withComputed(definition, planned, attributes),
        stored: { ...stored, ...marked, returned },
        diagnostics,
        sent: true,
      };
    }
    case "refused":
      return { attributes: null, stored, diagnostics: await explainRefusal(session, definition, diagnostics) };
    case "undecided":
      return {
        attributes: withComputed(definition, planned, {}),
        stored: { ...stored, undecided: { name: created.name } },
        diagnostics,
        sent: true,
      };
  }
}

/** Notes a duplicate that this configuration is about to replace as managed: the plan ran in another process. */
async function recogniseReplaced(session: Session, definition: AnyResource, planned: Attributes): Promise<void> {
  const { live, isManaged, signal } = session.type(definition).writing.context;
  for (const { id } of await live.duplicates(planned, signal)) {
    if (!isManaged(id) && (await session.type(definition).isPlanned(id))) session.objects.manage(definition, id);
  }
}

const UNMANAGED_DUPLICATE = "unmanaged_duplicate";

/** A replacement that was planned on another machine also looks like a duplicate if the provider cannot read the saved plan. */
async function explainRefusal(
  session: Session,
  definition: AnyResource,
  diagnostics: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  if (!diagnostics.some(({ code }) => code === UNMANAGED_DUPLICATE)) return diagnostics;
  const removed = await session.services.appliedPlan.removedBy(definition);
  if (typeof removed !== "string") return diagnostics;
  const explain = removed === "unreadable" ? probablyReplaced : maybeReplaced;
  return diagnostics.map((diagnostic) => (diagnostic.code === UNMANAGED_DUPLICATE ? explain(diagnostic) : diagnostic));
}

async function remove(
  session: Session,
  definition: AnyResource,
  { prior, stored }: { readonly prior: Attributes; readonly stored: PrivateState },
): Promise<Applied> {
  const id = prior["id"];
  session.objects.record(definition, prior);
  if (definition.destroy === "forget") {
    // In a replace, the create sends it again.
    if (session.isConnected()) {
      const { returned, unconfirmed } = session.type(definition).writing;
      const key = identityKey(definition, prior);
      returned.delete(key);
      if (definition.irreversible && hasOutcome(prior, definition.irreversible.unconfirmed)) unconfirmed.add(key);
    }
    // Pulumi plans no delete, so nothing has said it before.
    return {
      attributes: null,
      stored,
      diagnostics: session.isPulumi() ? forgetWarnings(definition, prior) : [],
    };
  }
  const known = await session.service().known;
  if (typeof id !== "string") return removeUnnamed(session, definition, { prior, stored });
  const { placeholder, ...others } = stored;
  // What the state keeps does not stop a destroy.
  if (placeholder !== undefined && (await isSent(session, definition, { id, placeholder })))
    return { attributes: prior, stored: others, diagnostics: [plannedWithPlaceholder(definition, id)] };
  const changed = serviceChanged(stored.service, known);
  if (changed === "address") throw new DiagnosticsError([belongsElsewhere(definition, id, stored.service, known)]);
  if (changed === "key" && (await session.type(definition).find({ id, attributes: prior })).object === null)
    throw new DiagnosticsError([missingWithAnotherKey(definition, id)]);
  if (stored.service === null) await requireSame(session, definition, { id, attributes: prior });
  return deleteKnown(session, definition, { id, prior, stored });
}

/** Whether the create of this replace would send the placeholder. A saved plan contains no write-only values: Terraform sends those of the job that applies. */
async function isSent(
  { services }: Session,
  definition: AnyResource,
  { id, placeholder }: { readonly id: string; readonly placeholder: PrivateState["placeholder"] },
): Promise<boolean> {
  if (placeholder === "planned") return true;
  const removed = await services.appliedPlan.removedBy(definition);
  return typeof removed !== "string" && !removed.has(id);
}

/** Removes an object whose create has an unknown outcome. */
async function removeUnnamed(
  session: Session,
  definition: AnyResource,
  { prior, stored }: { readonly prior: Attributes; readonly stored: PrivateState },
): Promise<Applied> {
  const now = await session.service().known;
  const writing = session.type(definition).writing;
  const { undecided } = stored;
  const service = undecided ? stored.service : now;
  if (serviceChanged(service, now) !== "nothing") throw new DiagnosticsError([undecidedAtOtherService(definition)]);
  const name = undecided?.name ?? (await openOfSame(definition, prior, writing))?.name ?? null;
  const removed = await removeWithoutId(definition, { name, attributes: prior }, writing);
  if (removed.kind === "none") return { attributes: null, stored, diagnostics: [] };
  const known: PrivateState = { ...stored, service, ...(name === null ? {} : { undecided: { name } }) };
  if (removed.kind === "open") return { attributes: prior, stored: known, diagnostics: [removed.diagnostic] };
  session.objects.manage(definition, removed.id);
  return deleteKnown(session, definition, {
    id: removed.id,
    prior: { ...prior, id: removed.id },
    stored: { ...NO_PRIVATE_STATE, service },
  });
}

async function deleteKnown(
  session: Session,
  definition: AnyResource,
  { id, prior, stored }: { readonly id: string; readonly prior: Attributes; readonly stored: PrivateState },
): Promise<Applied> {
  const result = await deleteOne(
    definition,
    asInstance(session, definition, { id, prior, stored }),
    session.type(definition).writing.context,
  );
  if (result.kind !== "done") return { attributes: prior, stored, diagnostics: [result.diagnostic] };
  session.objects.leave(id);
  const { returned } = session.type(definition).writing;
  const key = identityKey(definition, prior);
  // With create_before_destroy the key belongs to the new object by now.
  if (returned.get(key)?.id === id) returned.delete(key);
  return { attributes: null, stored, diagnostics: [] };
}

/** Secrets go to the service; the journal gets only fingerprints. Write-only values are only in the configuration. */
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
    attributes[name] = { $secret: await fingerprint(value) };
  }
  return {
    address: null,
    provider: PROVIDER,
    attributes,
    secrets,
    allowDuplicate: planned["allow_duplicate"] === true,
  };
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
  return Object.fromEntries(
    Object.entries(schema).map(([name, { mode }]) => [
      name,
      (mode === "computed" ? returned[name] : planned[name]) ?? null,
    ]),
  );
}
