import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, warningOf } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { observe } from "../../../core/plan/observe.ts";
import { firstListed, returnedDifferently } from "../../../core/plan/differing-attributes.ts";
import type {
  ReadResource_Request,
  ReadResource_Response,
  UpgradeResourceState_Request,
} from "../generated/tfplugin6.ts";
import {
  foundAgain,
  notInJournal,
  openWithoutName,
  stillUndecided,
  undecidedAtOtherService,
} from "../journal/create-messages.ts";
import { missingNotRecorded } from "../journal/journal-problems.ts";
import { openOfSame, outcomeForRead } from "../journal/creates-without-id.ts";
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
import type { Recorded } from "../type-session.ts";
import { decodeState, decodeValue, encodeValue } from "../wire/terraform-values.ts";

/** Reads a stored object. */
export function upgradeResourceState(session: Session, { typeName, version, rawState }: UpgradeResourceState_Request) {
  const definition = session.definition(typeName);
  if (version > definition.version)
    throw new Error("a newer version of the provider has stored this object; use that version");
  const attributes = decodeState(rawState?.json ?? new Uint8Array(), definition.schema);
  if (attributes) session.objects.record(definition, attributes);
  return { upgradedState: encodeValue(attributes, definition.schema), diagnostics: [] };
}

/** Folds the live object into the stored one. Gone means: missing by the list, read with the key that recorded it. */
export async function readResource(
  session: Session,
  { typeName, currentState, private: privateBytes }: ReadResource_Request,
) {
  const definition = session.definition(typeName);
  const attributes = decodeValue(currentState, definition.schema);
  if (attributes === null) return { newState: currentState, private: privateBytes, diagnostics: [] };
  const { stored, bytes } = (await session.services.command()).onlyReads
    ? { stored: decodePrivate(privateBytes), bytes: privateBytes }
    : readOnce(privateBytes);
  const unchanged = { newState: currentState, private: bytes, diagnostics: [] };
  session.objects.record(definition, attributes, stored.unobserved);
  const { id } = attributes;
  if (!definition.list || !session.isConnected()) return unchanged;
  if (typeof id !== "string") return readUndecided(session, definition, { attributes, stored, unchanged });
  const known = await session.service().known;
  const changed = serviceChanged(stored.service, known);
  if (changed === "address")
    return { ...unchanged, diagnostics: [belongsElsewhere(definition, id, stored.service, known)] };
  const { object, isMissing } = await session.type(definition).find({ id, attributes });
  if (object === null) {
    if (changed === "key") return { ...unchanged, diagnostics: [missingWithAnotherKey(definition, id)] };
    if (!isMissing) return { ...unchanged, diagnostics: [maybeTruncated(definition, id)] };
    const notes = await rememberMissing(session, definition, { id, attributes });
    return { newState: encodeValue(null, definition.schema), private: new Uint8Array(), diagnostics: notes };
  }
  const found = session.type(definition).unmanaged.afterRead(id, attributes);
  // An imported object has no service yet: only a created one was sent.
  const first = stored.service === null ? null : firstListed(definition, { attributes, ...stored }, object);
  const seen = observe(definition, { attributes, ...stored, ...(first ? { returned: first.returned } : {}) }, object);
  const { unobserved, returned } = seen;
  const differing = first && first.differing.length > 0 ? [returnedDifferently(first.differing, id)] : [];
  return {
    newState: encodeValue(seen.attributes, definition.schema),
    private: encodePrivate({ ...importedOf(stored), service: known, ...markOf(object), unobserved, returned }),
    diagnostics: [...differing, ...((await found) ?? [])],
  };
}

/**
 * The private state after a read for a run that plans. Terraform stores no private bytes of a plan without changes, but it
 * stores those of a read: so the read of a later run shows that the configuration of an imported object was applied.
 */
function readOnce(bytes: Uint8Array): { readonly stored: PrivateState; readonly bytes: Uint8Array } {
  const { imported, ...stored } = decodePrivate(bytes);
  if (imported === undefined) return { stored, bytes };
  const read: PrivateState = imported === "unread" ? { ...stored, imported: "read" } : stored;
  return { stored: read, bytes: encodePrivate(read) };
}

function markOf({ mark }: LiveObject): Pick<PrivateState, "mark"> {
  return mark === undefined ? {} : { mark };
}

function importedOf({ imported }: PrivateState): Pick<PrivateState, "imported"> {
  return imported === undefined ? {} : { imported };
}

/** A stale list may hide an object. If it returns after another was created in its place, its id must be known. */
async function rememberMissing(
  session: Session,
  definition: AnyResource,
  missing: Recorded,
): Promise<readonly Diagnostic[]> {
  const journal = session.service().journal;
  const { type, identity } = definition;
  const { id, attributes } = missing;
  // Without the other attributes: they may hold a secret.
  const key = Object.fromEntries(identity.map((one) => [one, attributes[one] ?? null]));
  try {
    const lost = {
      type,
      id,
      provider: "",
      address: null,
      key,
      planned: key,
      preIds: [],
      sentAtMs: session.services.clock.now(),
    };
    await journal.remember(`${type} ${id}`, lost);
    return [];
  } catch (error) {
    return [missingNotRecorded(definition, { id, name: journal.name, error })];
  }
}

interface Unchanged {
  readonly newState: ReadResource_Response["newState"];
  readonly private: Uint8Array;
}

/** An object whose create has an unknown outcome: found, it gets its id; not found, it is removed; otherwise it stays. */
async function readUndecided(
  session: Session,
  definition: AnyResource,
  {
    attributes,
    stored,
    unchanged,
  }: { readonly attributes: Attributes; readonly stored: PrivateState; readonly unchanged: Unchanged },
) {
  const { undecided, service } = stored;
  const known = await session.service().known;
  if (serviceChanged(service, known) !== "nothing")
    return { ...unchanged, diagnostics: [undecidedAtOtherService(definition)] };
  const writing = session.type(definition).writing;
  const found = undecided ? await outcomeForRead(definition, undecided.name, writing) : null;
  // It must not get the object of another one that has the name of that create.
  const same = undecided ? null : await openOfSame(definition, attributes, writing);
  if (same) return { ...unchanged, diagnostics: [openWithoutName(definition, same)] };
  if (!found) return { ...unchanged, diagnostics: [notInJournal(definition, session.service().journal.name)] };
  const { decision, create } = found;
  if (decision.kind === "none")
    return { newState: encodeValue(null, definition.schema), private: new Uint8Array(), diagnostics: [] };
  if (decision.kind === "open") {
    return {
      ...unchanged,
      diagnostics: [{ ...stillUndecided(definition, create, decision), severity: "warning" as const }],
    };
  }
  const { object } = decision;
  session.objects.record(definition, { id: object.id });
  const computed = Object.entries(definition.schema).flatMap(([name, { mode }]) =>
    mode === "computed" ? [[name, object.attributes[name] ?? null] as const] : [],
  );
  return {
    newState: encodeValue({ ...attributes, ...Object.fromEntries(computed) }, definition.schema),
    private: encodePrivate({ ...NO_PRIVATE_STATE, service: known, ...markOf(object), returned: object.attributes }),
    diagnostics: [foundAgain(definition, object.id)],
  };
}

function maybeTruncated({ noun, type }: AnyResource, id: string): Diagnostic {
  return warningOf("list_maybe_truncated", `A ${noun} is missing from a list that may be truncated`, {
    detail: `${id} is not in the service's list. The list may be truncated, so it does not prove that the ${noun} is gone. It stays in the state.`,
    hint: `If you are sure that the ${noun} is gone, remove it from the state and apply.`,
    ways: [{ kind: "check-list" }, { kind: "remove-record", address: null, type }],
  });
}
