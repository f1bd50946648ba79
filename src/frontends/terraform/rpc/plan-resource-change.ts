import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../../core/model/diagnostic.ts";
import { identityText } from "../../../core/model/identity-text.ts";
import { type Attributes, UNKNOWN, hasUnknown } from "../../../core/model/value.ts";
import { isMarked as carriesMark } from "../../../core/plan/marks.ts";
import { repeatOf } from "../../../core/plan/rechecks.ts";
import { type Change, hasOutcome, planResource } from "../../../core/plan/resource.ts";
import { type Answer, wirePath } from "../wire/wire-diagnostics.ts";
import type { PlanResourceChange_Request, PlanResourceChange_Response } from "../generated/tfplugin6.ts";
import { declaredTwice, exclusiveDeclaredTwice, overlapping } from "../journal/duplicate-messages.ts";
import { refuseOwnKeys } from "../own-keys.ts";
import { placeholderOf } from "../placeholder-secrets.ts";
import { type PrivateState, decodePrivate, encodePrivate } from "../private-state.ts";
import type { Session } from "../provider-session.ts";
import type { Conflict } from "../terraform-objects.ts";
import { decodeValue, encodeValue, encodedAttributes, isNullValue } from "../wire/terraform-values.ts";

type Planned = Answer<PlanResourceChange_Response>;

/** Plans one resource with the planner that every frontend shares. */
export function planResourceChange(session: Session, request: PlanResourceChange_Request): Planned | Promise<Planned> {
  const planned = planChange(session, request);
  return session.isConnected() ? withPlace(session, request, planned) : planned;
}

/** Notes where a write was planned. Terraform plans again when it applies; since 1.16 it passes on what the plan has noted. */
async function withPlace(
  session: Session,
  { plannedPrivate: passedOn = new Uint8Array() }: PlanResourceChange_Request,
  answer: Planned | Promise<Planned>,
): Promise<Planned> {
  const planned = await answer;
  if (!hasUnknown(encodedAttributes(planned.plannedState) ?? null)) return planned;
  const plannedAt = decodePrivate(passedOn).plannedAt ?? (await session.service().known);
  return { ...planned, plannedPrivate: encodePrivate({ ...decodePrivate(planned.plannedPrivate), plannedAt }) };
}

function planChange(session: Session, request: PlanResourceChange_Request): Planned | Promise<Planned> {
  const definition = session.definition(request.typeName);
  const { schema } = definition;
  const prior = decodeValue(request.priorState, schema);
  const desired = decodeValue(request.config, schema);
  const { plannedAt: _, ...stored } = decodePrivate(request.priorPrivate);
  const id = prior?.["id"];
  const asked: Pick<PrivateState, "askedFor"> = typeof id === "string" ? { askedFor: id } : {};
  if (typeof id === "string") session.objects.manage(definition, id);
  const answer = (
    after: Attributes | null,
    plannedPrivate = request.priorPrivate,
    because: readonly string[] = [],
  ): Planned => ({
    plannedState: encodeValue(after, schema),
    plannedPrivate,
    requiresReplace: because.map((name) => wirePath([name])),
    diagnostics: [],
  });
  if (desired === null || isNullValue(request.proposedNewState))
    return { ...answer(null), diagnostics: prior === null ? [] : forgetWarnings(definition, prior) };
  refuseOwnKeys(session, definition, desired);
  if (typeof id === "string") session.objects.keep(id);
  const { imported, ...applied } = stored;
  const recordable = imported === undefined ? [] : stored.unobserved;
  const objectOf = (attributes: Attributes): Kept => ({ attributes, isMarked: stored.mark !== undefined });
  const change = planResource(definition, { desired, prior: prior && { attributes: prior, recordable } });
  const again = afterSentAgain(session, definition, { desired, change, stored });
  if (again) return answer(again, encodePrivate(applied));
  switch (change.action) {
    case "create": {
      const replaced = stored.askedFor ?? decodePrivate(request.plannedPrivate ?? new Uint8Array()).askedFor;
      const isUnique = isMarked(session, definition);
      const { twice, exclusive } = session.objects.create(definition, change.after, {
        instead: replaced,
        isMarked: isUnique,
      });
      const planned = answer(
        change.after,
        privateOfCreate(request, { stored, replaced, ...placeholderOf(definition, desired) }),
      );
      if (twice) return { ...planned, diagnostics: [ifReplaced(session, twice, declaredTwice(definition, null))] };
      const overlaps = overlapWarning(session, definition, change.after);
      if (!session.isConnected()) return { ...planned, diagnostics: overlaps };
      // An irreversible write to something that does not exist must not be recorded as done. Terraform plans again when it applies, with all ids known.
      if (definition.irreversible)
        return session
          .service()
          .checkReferences(definition, change.after)
          .then((found) => ({ ...planned, diagnostics: found }));
      if (!definition.list) return planned;
      if (replaced !== undefined) session.objects.manage(definition, replaced);
      return session
        .type(definition)
        .unmanaged.beforeCreate(change.after, isUnique)
        .then((found) => ({
          ...planned,
          diagnostics: [...sharedValue(session, definition, exclusive), ...found, ...overlaps],
        }));
    }
    case "keep":
      return keepObject(session, definition, objectOf(change.before)).then((found) => ({
        ...answer(change.before, encodePrivate({ ...stored, ...asked })),
        diagnostics: found,
      }));
    case "update-state": {
      const unobserved = stored.unobserved.filter((name) => !change.changed.includes(name));
      const planned = answer(change.after, encodePrivate({ ...applied, unobserved, ...asked }));
      const assumed = change.changed.filter((name) => recordable.includes(name));
      return Promise.all([keepObject(session, definition, objectOf(change.after)), session.services.command()]).then(
        ([found, { skipsReads }]) => ({
          ...planned,
          diagnostics: [...found, ...(skipsReads ? unreadAtImport : onlyRecorded)(definition, change.before, assumed)],
        }),
      );
    }
    case "replace": {
      session.objects.replace(definition, change.after, asked.askedFor);
      const unknown = change.because.filter((name) => stored.unobserved.includes(name));
      const reasons = [
        ...forgetWarnings(definition, change.before),
        ...undeclaredAtImport(definition, change.before, unknown),
      ];
      return { ...answer(change.after, encodePrivate({ ...stored, ...asked }), change.because), diagnostics: reasons };
    }
    case "delete":
    case "forget":
      throw new Error("a declared resource was planned as a delete");
  }
}

interface PlannedCreate extends Pick<PrivateState, "placeholder"> {
  readonly stored: PrivateState;
  /** The id of the object that it replaces, if that is known. Of a tainted one it is not. */
  readonly replaced: string | undefined;
}

/** In a replace, Terraform passes this to the delete as well. */
function privateOfCreate(
  { priorPrivate }: PlanResourceChange_Request,
  { stored, replaced, ...placeholder }: PlannedCreate,
): Uint8Array {
  if (replaced === undefined && placeholder.placeholder === undefined) return priorPrivate;
  return encodePrivate({ ...stored, ...(replaced === undefined ? {} : { askedFor: replaced }), ...placeholder });
}

/** The values once it is time to look again for what was not found, or to repeat what is done: an update in place. Null before. */
function afterSentAgain(
  { services }: Session,
  definition: AnyResource,
  { desired, change, stored }: { readonly desired: Attributes; readonly change: Change; readonly stored: PrivateState },
): Attributes | null {
  if (change.action !== "keep" && change.action !== "update-state") return null;
  const { sentAtMs = 0, isRepeated } = stored;
  const repeat = repeatOf(definition, desired, {
    attributes: change.before,
    recordedAtMs: sentAtMs,
    ...(isRepeated ? { sentAtMs } : {}),
  });
  if (!repeat || (repeat.kind === "reassert" && stored.sentAtMs === undefined) || repeat.dueAtMs > services.clock.now())
    return null;
  const after = change.action === "keep" ? change.before : change.after;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      definition.schema[name]?.mode === "computed" ? UNKNOWN : value,
    ]),
  );
}

/** An object that stays. */
interface Kept {
  readonly attributes: Attributes;
  readonly isMarked: boolean;
}

/** Notes that no request changes this object, and reports others that are like it. */
async function keepObject(
  session: Session,
  definition: AnyResource,
  { attributes, isMarked: carries }: Kept,
): Promise<readonly Diagnostic[]> {
  const { id } = attributes;
  const conflicts =
    typeof id === "string" ? session.objects.stay(definition, id, { attributes, isMarked: carries }) : null;
  if (conflicts?.twice) return [declaredTwice(definition, null)];
  const overlaps = overlapWarning(session, definition, attributes);
  return [...sharedValue(session, definition, conflicts?.exclusive ?? null), ...overlaps];
}

function isMarked(session: Session, definition: AnyResource): boolean {
  return carriesMark(definition, session.isConnected() && session.service().marks);
}

/** An error if the plan gives two objects one value, and the service allows one. */
function sharedValue(session: Session, definition: AnyResource, conflict: Conflict): readonly Diagnostic[] {
  if (!conflict || !session.isConnected()) return [];
  const { exclusive } = session.type(definition).writing.context;
  return exclusive ? [ifReplaced(session, conflict, exclusiveDeclaredTwice(definition))] : [];
}

/** Pulumi does not tell what a create replaces: an object that seems to stay may be deleted before it. So the apply decides, and its preview warns. */
function ifReplaced(session: Session, conflict: Conflict, error: Diagnostic): Diagnostic {
  const isOpen = session.isPulumi() && conflict === "stays";
  return isOpen ? { ...error, severity: "warning" } : error;
}

function overlapWarning(session: Session, definition: AnyResource, attributes: Attributes): readonly Diagnostic[] {
  const other = session.objects.overlap(definition, attributes);
  return other === undefined ? [] : [overlapping(definition, other)];
}

/** A warning when the service keeps the effect of an object that the state drops. */
export function forgetWarnings(definition: AnyResource, prior: Attributes): readonly Diagnostic[] {
  const { noun, irreversible } = definition;
  if (definition.destroy !== "forget" || (irreversible && hasOutcome(prior, irreversible.gone))) return [];
  return [
    warningOf("cannot_be_undone", `The ${noun} is only forgotten`, {
      detail: `The ${noun} ${identityText(definition, prior)} stays in effect: the service documents no request that undoes it. The apply removes it only from Terraform's state, without a request.`,
    }),
  ];
}

/** A warning about values that the import of an object records without a request. `names` are those of recorded attributes. */
export function onlyRecorded(
  { type, schema }: AnyResource,
  { id }: Attributes,
  names: readonly string[],
): readonly Diagnostic[] {
  const [first, ...others] = sentOnly(schema, names);
  if (first === undefined || typeof id !== "string") return [];
  return [
    warningOf("assumed", "Imported values assumed, not verified", {
      detail: `${id} is imported, and the service does not show its ${[first, ...others].join(", ")}. The configured values are recorded as the current ones: nothing is sent.`,
      ways: [{ kind: "replace", address: null, type }],
      path: [first],
    }),
  ];
}

/** An error where only a read can tell whether the import records these values, or a replace sends them. */
export function unreadAtImport(
  { schema }: AnyResource,
  { id }: Attributes,
  names: readonly string[],
): readonly Diagnostic[] {
  const [first, ...others] = sentOnly(schema, names);
  if (first === undefined || typeof id !== "string") return [];
  return [
    errorOf("unread_at_import", "An imported value needs a read", {
      detail: `${id} was imported, and the service does not show its ${[first, ...others].join(", ")}. With -refresh=false, it is not known whether a configuration was applied since the import. After that, only a replace sends the configured values.`,
      hint: "Run Terraform without -refresh=false.",
      path: [first],
    }),
  ];
}

/** Without those that are settings of ours. */
function sentOnly(schema: AnyResource["schema"], names: readonly string[]): readonly string[] {
  return names.filter((name) => schema[name]?.onChange !== "record");
}

/** A warning that says why a value forces a replace although the service may already have it. */
export function undeclaredAtImport(
  { noun }: AnyResource,
  { id }: Attributes,
  [first, ...others]: readonly string[],
): readonly Diagnostic[] {
  if (first === undefined || typeof id !== "string") return [];
  return [
    warningOf("undeclared_at_import", `A value was not declared when the ${noun} was imported`, {
      detail: `${id} was imported without ${[first, ...others].join(", ")}, and the service does not show the current value. Only a replace sends the configured one.`,
      hint: `If the service already has it, remove the ${noun} from the state (terraform state rm) and import it again: the next apply records it without a request.`,
      path: [first],
    }),
  ];
}
