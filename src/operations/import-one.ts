import { undecidedDiagnostics } from "../core/apply/run/plan-run.ts";
import { checkImports } from "../core/config/statements/imports.ts";
import { blockOf, parseAddress } from "../core/model/address.ts";
import type { Evaluate } from "../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../core/model/diagnostic.ts";
import { managedIds } from "../core/model/instance.ts";
import { PLAIN_OPTIONS } from "../core/plan/plan-context.ts";
import { apply } from "./apply.ts";
import type { OperationContext } from "./context.ts";
import { type OpenRun, withOpenRun } from "./open-run.ts";
import type { OperationOptions } from "./options.ts";
import { expander, planWith } from "./plan.ts";

/** A live object, and the address that will manage it. */
export interface Import {
  /** The address as it was typed: emails in it may be masked. */
  readonly address: string;
  readonly id: string;
}

export interface Imported {
  readonly status: "complete" | "failed" | "undecided";
  readonly diagnostics: readonly Diagnostic[];
  /** The address in full. */
  readonly address: string;
  /** The type of the resource. */
  readonly type: string;
}

/** Records one live object, as if `imports:` stated it, and applies nothing else. Sends nothing that writes. */
export function importOne(context: OperationContext, options: OperationOptions, wanted: Import): Promise<Imported> {
  const { value: parsed, diagnostics: mistakes } = parseAddress(wanted.address);
  if (!parsed) throw new DiagnosticsError(orSwapped(mistakes, wanted));
  return withOpenRun(context, { ...options, operation: "import" }, async (run): Promise<Imported> => {
    const planning = { ...PLAIN_OPTIONS, importsOnly: true, guarded: false };
    const planned = await planWith(run, { evaluate: importing(run, wanted), options: planning, withSecrets: true });
    const declared = planned.declarations.map(({ address }) => address);
    const imported = { address: expander(context)(wanted.address, declared), type: parsed.type };
    const found = [...run.diagnostics, ...planned.plan.diagnostics];
    if (hasErrors(planned.plan.diagnostics)) return { ...imported, status: "failed", diagnostics: found };
    const undecided = undecidedDiagnostics(planned).filter(({ address }) => address === imported.address);
    if (undecided.length > 0) return { ...imported, status: "undecided", diagnostics: [...found, ...undecided] };
    // An import changes no outputs: these are recorded by the next apply.
    const keepingOutputs = { ...planned, outputsOf: () => run.open.document.outputs };
    const { diagnostics } = await apply(run, keepingOutputs, { approval: "none", report: () => undefined });
    return {
      ...imported,
      status: hasErrors(diagnostics) ? "failed" : "complete",
      diagnostics: [...found, ...diagnostics],
    };
  });
}

/** The address and the id may be in the wrong order. */
function orSwapped(mistakes: readonly Diagnostic[], { address, id }: Import): readonly Diagnostic[] {
  const meant = parseAddress(id).value;
  return meant === null
    ? mistakes
    : mistakes.map((one) => ({ ...one, ways: [{ kind: "import", address: id, type: meant.type, ids: [address] }] }));
}

/** The configuration's own evaluation, with this import in place of its `imports:`. */
function importing({ context, loaded, open }: OpenRun, { address, id }: Import): Evaluate {
  const managed = managedIds(open.document.instances);
  const expand = expander(context);
  return (seen) => {
    const evaluation = loaded.evaluate(seen);
    if (hasErrors(evaluation.diagnostics)) return evaluation;
    const { declarations, reads, diagnostics } = evaluation;
    const to = expand(
      address,
      declarations.map((declaration) => declaration.address),
    );
    // An open create turned out to have made this object: then recovery has recorded it.
    const isRecovered =
      !managed.has(id) && seen.instances.some((instance) => instance.address === to && instance.id === id);
    if (isRecovered) return { ...evaluation, imports: [] };
    const imported = checkImports([{ to, id, locate: () => undefined }], {
      catalog: context.catalog,
      declared: declarations,
      // Until everything is read, a block may still get this instance.
      unknown: new Set(reads.length > 0 ? [blockOf(to)] : []),
    });
    return { ...evaluation, imports: imported.value, diagnostics: [...diagnostics, ...imported.diagnostics] };
  };
}
