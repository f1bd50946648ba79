import { planRun } from "../../../core/apply/run/plan-run.ts";
import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { parseAddress, typedAddress } from "../../../core/model/address.ts";
import type { Declaration } from "../../../core/model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, nearest } from "../../../core/model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../../../core/model/instance.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { identical } from "../../../core/model/value.ts";
import { adoptedAttributes, adoptedInstance } from "../../../core/plan/adoption.ts";
import { identityKey, identityText } from "../../../core/plan/identity.ts";
import { PLAIN_OPTIONS } from "../../../core/plan/plan-context.ts";
import { alreadyManaged, notLive, otherThanDeclared } from "../../../core/plan/plan-imported.ts";
import { foldInto, withDocument } from "../../../core/state/open-state.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StateOptions, withState } from "../program/options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { expander } from "../session/plan-and-show.ts";
import { type Session, withSession } from "../session/session.ts";

/** What an import need not mind: it is about to settle it, or it was not asked. */
const SETTLED_BY_IMPORT = new Set(["unmanaged_duplicate", "list_maybe_truncated", "targeted"]);

export const importCommand: CommandDefinition<StateOptions, readonly [address: string, id: string]> = {
  name: "import",
  description: "take over a webhook that exists already; sends nothing that writes",
  example: { lines: ["outreach import outreach_webhook.crm-replies hoo_000001"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "a declared address, as in outreach_webhook.crm-replies")
      .argument("<id>", "the id of the webhook, as in hoo_000001; of an unsubscription CAMPAIGN_ID/EMAIL"),
  run: (context, { options, operands: [address, id] }) => importInto(context, { address, id }, options),
};

/** Records under a declared address what is there already. Sends nothing that writes. */
function importInto(
  context: CommandContext,
  { address: typed, id }: { readonly address: string; readonly id: string },
  options: StateOptions,
): Promise<ExitCode> {
  const parsed = parseAddress(typed);
  if (hasErrors(parsed.diagnostics)) throw new DiagnosticsError(parsed.diagnostics);
  return withSession(context, options, { operation: "import" }, async (session) => {
    const { store, open, ports, loaded, diagnostics } = session;
    const choices = { ...PLAIN_OPTIONS, targets: [typed], guarded: false };
    const { limits } = loaded.configuration;
    const request = { evaluate: loaded.evaluate, limits, options: choices, expand: expander(context), allowServiceChange: false, withSecrets: true };
    const planned = await planRun(open, request, ports);
    const address = request.expand(
      typed,
      planned.declarations.map((declaration) => declaration.address),
    );
    const isDeclared = planned.declarations.some((declaration) => declaration.address === address);
    const others = planned.plan.diagnostics.filter(({ code }) => !SETTLED_BY_IMPORT.has(code) && (code !== "address_unknown" || isDeclared));
    printDiagnostics(context, [...diagnostics, ...others]);
    if (hasErrors(others)) return 1;
    const record = await importedRecord(context, session, { planned, address, id });
    const { document } = planned;
    const instances = [...document.instances.filter((instance) => instance.address !== address), record].toSorted((a, b) => (a.address < b.address ? -1 : 1));
    const service = { baseUrl: ports.service.baseUrl, keyFingerprint: planned.keyFingerprint };
    await foldInto(store, withDocument(open, { ...document, service, instances }), [], ports.signal);
    const { noun } = resourceOf(context.catalog, record.type);
    context.out(
      `${address}: Import complete${record.id === null ? "" : ` [id=${record.id}]`}\n\n${context.paint("green", "Import successful!")} The ${noun} is now managed by this configuration.\n`,
    );
    return 0;
  });
}

interface Importing {
  readonly planned: PlannedRun;
  readonly address: string;
  readonly id: string;
}

async function importedRecord(context: CommandContext, { open, ports }: Session, { planned, address, id }: Importing): Promise<RecordedInstance> {
  const undecided = planned.plan.undecided.filter((one) => one.address === address);
  if (undecided.length > 0) throw new DiagnosticsError(undecided, { undecided: true });
  const declaration = planned.declarations.find((candidate) => candidate.address === address);
  if (!declaration) throw new DiagnosticsError([undeclared(context.catalog, address, planned.declarations)]);
  const definition = resourceOf(context.catalog, declaration.type);
  const invalid = definition.checkId?.(id);
  if (invalid) throw new DiagnosticsError([invalid]);
  const nowMs = context.clock.now();
  if (!definition.list) return vouchedFor(definition, declaration, { planned, id, nowMs });
  const { movedFrom = address } = planned.plan.steps.find((step) => step.address === address) ?? {};
  const before = planned.document.instances.find((instance) => [address, movedFrom].includes(instance.address) || managedIds([instance]).has(id));
  // What was open there is found to have made it: then it is only to be stored.
  if (before?.address === address && before.id === id && !managedIds(open.document.instances).has(id)) return before;
  if (before) throw new DiagnosticsError([alreadyManaged(before, { address, id })]);
  const listing = await planned.live.get(definition.type)?.get(ports.signal);
  const live = listing?.objects.find((object) => object.id === id);
  if (!live) throw new DiagnosticsError([notLive(definition, id)]);
  const attributes = adoptedAttributes(definition, declaration.attributes, live);
  const record = recordOf(definition, declaration, { id, attributes, returned: live.attributes, nowMs });
  const differing = definition.identity.filter((name) => !identical(attributes[name] ?? null, declaration.attributes[name] ?? null));
  if (differing.length > 0) printDiagnostics(context, [differs(record, differing)]);
  return record;
}

/** Of what cannot be listed there is nothing to look at: the user vouches for it. Its id names what it is. */
function vouchedFor(
  definition: AnyResource,
  declaration: Declaration,
  { planned, id, nowMs }: Pick<Importing, "planned" | "id"> & { readonly nowMs: number },
): RecordedInstance {
  const { address } = declaration;
  const declared = identityText(definition, declaration.attributes);
  if (id.toLowerCase() !== declared.toLowerCase()) throw new DiagnosticsError([otherThanDeclared({ address, id, declared })]);
  const key = identityKey(definition, declaration.attributes);
  const before = planned.document.instances.find(
    (instance) => instance.address === address || (instance.type === definition.type && identityKey(definition, instance.attributes) === key),
  );
  if (before) throw new DiagnosticsError([alreadyManaged(before, { address, id })]);
  const attributes = { ...adoptedAttributes(definition, declaration.attributes, { attributes: {} }), ...definition.irreversible?.done };
  return recordOf(definition, declaration, { id: null, attributes, returned: {}, nowMs });
}

function recordOf(
  definition: AnyResource,
  { address, provider, masked, lookups }: Declaration,
  { id, attributes, returned, nowMs }: Pick<RecordedInstance, "id" | "attributes" | "returned"> & { readonly nowMs: number },
): RecordedInstance {
  const kept = { ...(masked.length > 0 ? { masked } : {}), ...(lookups ? { lookups } : {}) };
  return adoptedInstance(definition, { address, provider, id, attributes, returned, recordedAtMs: nowMs, ...kept });
}

function differs({ address, id }: RecordedInstance, names: readonly string[]): Diagnostic {
  return {
    code: "import_differs",
    severity: "warning",
    summary: "The imported webhook is not as declared",
    detail: `${String(id)} has another ${names.join(", ")} than ${address} declares: the next apply deletes it and creates it anew.`,
    hint: `Look at the plan. If this is the wrong webhook, let it go again: outreach state rm ${shellWord(address)}`,
    address,
  };
}

function undeclared({ resources }: Catalog, address: string, declarations: readonly Declaration[]): Diagnostic {
  const meant = nearest(
    address,
    declarations.map((declaration) => declaration.address),
  );
  const isForgotten = resources.some(({ type, destroy }) => destroy === "forget" && address.startsWith(`${type}.`));
  return {
    code: "import_undeclared",
    severity: "error",
    summary: "The address is not declared",
    detail: `The configuration declares no ${address}, so the next apply would ${isForgotten ? "forget" : "delete"} what is imported there.`,
    hint: meant === null ? "Declare it first, then import." : `Did you mean ${typedAddress(meant)}? Otherwise declare it first, then import.`,
  };
}
