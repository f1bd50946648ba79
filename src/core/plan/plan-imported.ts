import type { Declaration, ImportTarget } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { identityText, parseIdentityText } from "../model/identity-text.ts";
import { isUnknown } from "../model/value.ts";
import { adoptedAttributes } from "./adopt.ts";
import { unmanagedDuplicateDiagnostic } from "./diagnostics.ts";
import { identityKey } from "./identity.ts";
import { planWithIgnoredChanges } from "./resource.ts";
import type { AddressPlan, PlanContext } from "./plan-context.ts";
import type { Reason, Step } from "./plan.ts";
import { refusal, replaceOrder } from "./protection.ts";

/** The id of an import. Everything that it could depend on has been read when something is planned. */
export function knownId({ id, to }: ImportTarget): string {
  if (isUnknown(id)) throw new Error(`the id to import to ${to} is not known`);
  return id;
}

/**
 * Declared, not recorded, and to be imported: taken into the state as it is, and replaced where the service shows it
 * otherwise than it is declared. What the service does not show is taken to be as declared.
 */
export function planImported(
  definition: AnyResource,
  declaration: Declaration,
  target: ImportTarget,
  context: PlanContext,
): AddressPlan {
  const id = knownId(target);
  const stop = (diagnostic: Diagnostic): AddressPlan => ({
    steps: [],
    drift: null,
    diagnostics: [imported(diagnostic, target)],
  });
  const holder = context.holders.get(id);
  if (holder !== undefined)
    return { steps: [], drift: null, diagnostics: [managedBefore({ address: holder, id }, target)] };
  const live = context.liveById.get(definition.type)?.get(id);
  return live ? planLive(definition, { declaration, live }, context) : stop(notLive(definition, id));
}

/** Places a diagnostic at the import: the mistake is there, not in the declaration. */
function imported(diagnostic: Diagnostic, { to, locate }: ImportTarget): Diagnostic {
  const place = locate(["id"]);
  return { ...diagnostic, address: to, ...(place ? { place } : {}) };
}

function planLive(
  definition: AnyResource,
  { declaration, live }: { readonly declaration: Declaration; readonly live: LiveObject },
  context: PlanContext,
): AddressPlan {
  const { address, type, provider, masked } = declaration;
  const taken = adoptedAttributes(definition, declaration.attributes, live);
  const recordable = Object.keys(definition.schema).filter((name) => live.attributes[name] === undefined);
  const change = planWithIgnoredChanges(definition, declaration, { attributes: taken, recordable });
  const base = { address, type, provider, masked };
  const adoption: Step = {
    ...base,
    because: [],
    action: "adopt",
    id: live.id,
    after: taken,
    returned: live.attributes,
  };
  if (change.action !== "replace") return planned(adoption);
  if (context.options.importsOnly)
    return {
      ...planned(adoption),
      diagnostics: [differs(definition, { address, id: live.id, names: change.because })],
    };
  const declared = context.declaredProtection(address);
  const refused = refusal(definition, change, {
    address,
    attributes: taken,
    declared,
    destroy: context.options.destroy,
  });
  if (refused) return { steps: [], drift: null, diagnostics: [refused] };
  const duplicates = context.findDuplicates(definition, change.after);
  if (duplicates.length > 0)
    return {
      steps: [],
      drift: null,
      diagnostics: [
        unmanagedDuplicateDiagnostic(definition, { address, attributes: change.after, recorded: "live" }, duplicates),
      ],
    };
  const because = change.because.map((attribute): Reason => ({ attribute, why: "config" }));
  const { before, after } = change;
  return planned({
    ...base,
    because,
    action: "replace",
    order: replaceOrder(after),
    id: live.id,
    before,
    after,
    imported: live.attributes,
  });
}

function planned(step: Step): AddressPlan {
  return { steps: [step], drift: null, diagnostics: [] };
}

/** Problems of imports of objects that cannot be listed: an id must match the declaration at its address. */
export function vouchedOtherwise(
  definition: AnyResource,
  declarations: readonly Declaration[],
  imports: ReadonlyMap<string, ImportTarget>,
): readonly Diagnostic[] {
  if (imports.size === 0) return [];
  return declarations.flatMap(({ address, attributes }) => {
    const target = imports.get(address);
    if (!target) return [];
    const id = knownId(target);
    const named = parseIdentityText(definition, id);
    if (named && identityKey(definition, named) === identityKey(definition, attributes)) return [];
    return [imported(otherThanDeclared({ address, id, declared: identityText(definition, attributes) }), target)];
  });
}

/** Problems of imports to addresses that have a record. */
export function recordedBefore(
  imports: readonly ImportTarget[],
  instances: readonly RecordedInstance[],
): readonly Diagnostic[] {
  return imports.flatMap((target) =>
    instances.filter(({ address }) => address === target.to).map((instance) => managedBefore(instance, target)),
  );
}

/** The problem of an import whose id, or whose address, has a record already: `holder`. */
export function managedBefore(holder: Pick<RecordedInstance, "address" | "id">, target: ImportTarget): Diagnostic {
  return imported(alreadyManaged(holder, { address: target.to, id: knownId(target) }), target);
}

function alreadyManaged(
  holder: { readonly address: string; readonly id: string | null },
  wanted: { readonly address: string; readonly id: string },
): Diagnostic {
  const { address, id } = wanted;
  const detail =
    holder.address === address
      ? `${address} is already managed${holder.id === null ? "" : `, with the id ${holder.id}`}.`
      : `${id} is already managed, as ${holder.address}.`;
  const diagnostic: Diagnostic = errorOf("import_managed", "Resource already managed", { detail });
  if (holder.address === address) return { ...diagnostic, hint: "Nothing was changed. Check the address and the id." };
  return {
    ...diagnostic,
    hint: "Nothing was changed. Check the address and the id. If you renamed the block, omit the import, and move the record.",
    ways: [
      { kind: "move", from: holder.address, to: address },
      { kind: "declare-moved", from: holder.address, to: address },
    ],
  };
}

function notLive({ noun }: AnyResource, id: string): Diagnostic {
  return errorOf("import_not_found", "Cannot import what does not exist", {
    detail: `The service's list holds no ${noun} with the id ${id}.`,
    hint: "Check the id, and that the API key belongs to the right team.",
  });
}

/** The imported object differs from the declaration. It is only recorded, and the next apply replaces it. */
function differs(
  { type, noun }: AnyResource,
  { address, id, names }: { readonly address: string; readonly id: string; readonly names: readonly string[] },
): Diagnostic {
  return warningOf("import_differs", `The imported ${noun} is not as declared`, {
    detail: `${id} has another ${names.join(", ")} than ${address} declares: the next apply replaces it.`,
    hint: `Look at the plan. If this is the wrong ${noun}, remove its record.`,
    ways: [{ kind: "remove-record", address, type }],
    address,
  });
}

/** The id does not match the declaration at the address. */
function otherThanDeclared({
  address,
  id,
  declared,
}: {
  readonly address: string;
  readonly id: string;
  readonly declared: string;
}): Diagnostic {
  return errorOf("import_differs", "The import does not match its declaration", {
    detail: `${address} declares ${declared}, but the id is ${id}.`,
    hint: "Name the address that declares it.",
  });
}
