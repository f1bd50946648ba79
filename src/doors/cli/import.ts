import { planRun } from "../../core/apply/run.ts";
import { parseAddress } from "../../core/model/address.ts";
import { type AnyResource, type LiveObject, resourceOf } from "../../core/model/definition.ts";
import type { Declaration } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import { type Value, identical } from "../../core/model/value.ts";
import { sameMeaning } from "../../core/plan/same-meaning.ts";
import type { StateDocument } from "../../core/state/document.ts";
import { foldInto } from "../../core/state/open-state.ts";
import type { StateOptions } from "./options.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Records a live object under a declared address. Sends nothing that writes. */
export function importCommand(
  terminal: Terminal,
  { address, id }: { readonly address: string; readonly id: string },
  options: StateOptions,
): Promise<ExitCode> {
  const parsed = parseAddress(address);
  if (hasErrors(parsed.diagnostics)) throw new DiagnosticsError(parsed.diagnostics);
  return withSession(terminal, options, { operation: "import", settles: [address] }, async ({ store, open, ports, loaded, diagnostics }) => {
    const { document } = open;
    const pending = open.pending.filter(({ intent }) => intent.address === address);
    const planned = await planRun(open, loaded.evaluate, ports);
    const declaration = planned.declarations.find((candidate) => candidate.address === address);
    const others = planned.plan.diagnostics.filter(({ code }) => code !== "unmanaged_twin" && code !== "list_maybe_truncated");
    printDiagnostics(terminal, [...diagnostics, ...others]);
    if (hasErrors(others)) return 1;
    if (!declaration) throw new DiagnosticsError([undeclared(address)]);
    const definition = resourceOf(terminal.catalog, declaration.type);
    const invalid = definition.checkId?.(id);
    if (invalid) throw new DiagnosticsError([invalid]);
    const before = document.instances.find(
      (instance) => (pending.length === 0 && instance.address === address) || (instance.id === id && instance.address !== address),
    );
    if (before) throw new DiagnosticsError([alreadyManaged(before, { address, id })]);
    const listing = await planned.live.get(definition.type)?.get(ports.signal);
    const live = listing?.objects.find((object) => object.id === id);
    if (!live) throw new DiagnosticsError([notLive(definition, id)]);
    const other = pending.find(({ intent, deleted }) => intent.op !== "create" && !deleted && intent.id !== id);
    if (other) throw new DiagnosticsError([otherPending(address, String(other.intent.id))], { undecided: true });
    const record = importedRecord(definition, { declaration, live, nowMs: terminal.clock.now() });
    const settled = new Set(pending.map(({ intent }) => intent.seq));
    const changed: StateDocument = {
      ...document,
      service: { baseUrl: ports.service.baseUrl, keyFingerprint: planned.keyFingerprint },
      instances: [...document.instances.filter((instance) => instance.address !== address), record].toSorted((a, b) => (a.address < b.address ? -1 : 1)),
      pending: document.pending.filter((event) => !settled.has("of" in event ? event.of : event.seq)),
    };
    await foldInto(store, { ...open, document: changed }, [], ports.signal);
    const differing = definition.identity.filter((name) => !identical(record.attributes[name] ?? null, declaration.attributes[name] ?? null));
    if (differing.length > 0) printDiagnostics(terminal, [differs(record, differing)]);
    terminal.out(
      `${address}: Import complete [id=${id}]\n\n${terminal.paint("green", "Import successful!")} The webhook is now managed by this configuration.\n`,
    );
    return 0;
  });
}

interface Imported {
  readonly declaration: Declaration;
  readonly live: LiveObject;
  readonly nowMs: number;
}

/** What the service shows is recorded as it is; what it does not show is taken from the declaration, and marked as assumed. */
function importedRecord(definition: AnyResource, { declaration, live, nowMs }: Imported): RecordedInstance {
  const attributes: Record<string, Value> = {};
  const unobserved: string[] = [];
  const assumed: string[] = [];
  for (const [name, attribute] of Object.entries(definition.schema)) {
    const seen = live.attributes[name];
    const declared = declaration.attributes[name] ?? null;
    if (seen !== undefined) attributes[name] = sameMeaning(attribute, declared, seen) ? declared : seen;
    else {
      attributes[name] = declared;
      if (attribute.mode === "computed" || attribute.writeOnly || attribute.onChange === "record") continue;
      if (declared === null) unobserved.push(name);
      else assumed.push(name);
    }
  }
  const { address, type, provider } = declaration;
  return {
    address,
    type,
    provider,
    schemaVersion: definition.version,
    id: live.id,
    attributes,
    returned: live.attributes,
    unobserved,
    assumed,
    recordedAtMs: nowMs,
  };
}

function differs({ address, id }: RecordedInstance, names: readonly string[]): Diagnostic {
  return {
    code: "import_differs",
    severity: "warning",
    summary: "The imported webhook is not as declared",
    detail: `${String(id)} has another ${names.join(", ")} than ${address} declares: the next apply deletes it and creates it anew.`,
    hint: "Look at the plan. If this is the wrong webhook, import was a mistake: restore the state from its .backup file.",
    address,
  };
}

function otherPending(address: string, id: string): Diagnostic {
  return {
    code: "import_other_pending",
    severity: "error",
    summary: "Another webhook is undecided at this address",
    detail: `It is open whether ${id} was deleted at ${address}. Taking over another one would lose sight of it.`,
    hint: `Settle it first: outreach resolve '${address}' --retry`,
    address,
  };
}

function undeclared(address: string): Diagnostic {
  return {
    code: "import_undeclared",
    severity: "error",
    summary: "The address is not declared",
    detail: `The configuration declares no ${address}, so the next apply would delete what is imported there.`,
    hint: "Declare it first, then import.",
  };
}

function alreadyManaged(before: RecordedInstance, { address, id }: { readonly address: string; readonly id: string }): Diagnostic {
  const detail =
    before.address === address ? `${address} is already managed, with the id ${String(before.id)}.` : `${id} is already managed, as ${before.address}.`;
  return { code: "import_managed", severity: "error", summary: "Resource already managed", detail, hint: "Nothing was changed. Check the address and the id." };
}

function notLive({ noun }: AnyResource, id: string): Diagnostic {
  return {
    code: "import_not_found",
    severity: "error",
    summary: "Cannot import what does not exist",
    detail: `The service's list holds no ${noun} with the id ${id}.`,
    hint: "Check the id, and that the API key belongs to the right team.",
  };
}
