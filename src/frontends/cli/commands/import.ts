import { applyRun } from "../../../core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../../core/apply/run/plan-run.ts";
import { checkImports } from "../../../core/config/statements/imports.ts";
import { blockOf, parseAddress } from "../../../core/model/address.ts";
import type { Evaluate } from "../../../core/model/declaration.ts";
import { resourceOf } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import { managedIds } from "../../../core/model/instance.ts";
import { PLAIN_OPTIONS } from "../../../core/plan/plan-context.ts";
import type { ExitCode, Masks, Output, Product } from "../command-context.ts";
import type { ServiceContext } from "../session/connection.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StateOptions, withState } from "../program/options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { expander } from "../session/plan-and-show.ts";
import { type Session, withSession } from "../session/session.ts";

export const importCommand: CommandDefinition<StateOptions, readonly [address: string, id: string]> = {
  name: "import",
  description: "imports an existing webhook into the state; sends no writes",
  example: { lines: ["outreach import outreach_webhook.crm-replies hoo_000001"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "a declared address, as in outreach_webhook.crm-replies")
      .argument("<id>", "the webhook's id, as in hoo_000001; for an unsubscription CAMPAIGN_ID/EMAIL"),
  run: (context, { options, operands: [address, id] }) => importInto(context, { address, id }, options),
};

interface Import {
  /** As typed: emails in it may be masked. */
  readonly address: string;
  readonly id: string;
}

/** The address and the id may be in the wrong order. */
function orSwapped(mistakes: readonly Diagnostic[], { address, id }: Import): readonly Diagnostic[] {
  const meant = parseAddress(id).value;
  return meant === null ? mistakes : mistakes.map((one) => ({ ...one, ways: [{ kind: "import", address: id, type: meant.type, ids: [address] }] }));
}

/** Plans this import alone, as if `imports:` stated it, and applies that. Sends nothing that writes. */
function importInto(context: Output & ServiceContext, wanted: Import, options: StateOptions): Promise<ExitCode> {
  const { value: parsed, diagnostics: mistakes } = parseAddress(wanted.address);
  if (!parsed) throw new DiagnosticsError(orSwapped(mistakes, wanted));
  return withSession(context, options, { operation: "import" }, async (session) => {
    const { store, open, ports, loaded, diagnostics } = session;
    const expand = expander(context);
    const planned = await planRun(
      open,
      {
        evaluate: importing(context, session, wanted),
        limits: loaded.configuration.limits,
        options: { ...PLAIN_OPTIONS, importsOnly: true, guarded: false },
        expand,
        allowServiceChange: false,
        withSecrets: true,
      },
      ports,
    );
    const { plan, declarations } = planned;
    printDiagnostics(context, [...diagnostics, ...plan.diagnostics]);
    if (hasErrors(plan.diagnostics)) return 1;
    const address = expand(
      wanted.address,
      declarations.map((declaration) => declaration.address),
    );
    const undecided = undecidedDiagnostics(planned).filter((one) => one.address === address);
    if (undecided.length > 0) throw new DiagnosticsError(undecided, { undecided: true });
    // An import changes no outputs: these are recorded by the next apply.
    const keepingOutputs = { ...planned, outputsOf: () => open.document.outputs };
    const applied = await applyRun(store, { open, planned: keepingOutputs, asked: false, approved: false, report: () => undefined, stop: context.stop }, ports);
    printDiagnostics(context, applied.diagnostics);
    if (hasErrors(applied.diagnostics)) return 1;
    const { list, noun } = resourceOf(context.catalog, parsed.type);
    context.out(
      `${address}: Import complete${list ? ` [id=${wanted.id}]` : ""}\n\n${context.paint("green", "Import successful!")} The ${noun} is now managed by this configuration.\n`,
    );
    return 0;
  });
}

/** The configuration's own evaluation, with this import in place of its `imports:`. */
function importing(context: Masks & Product, { loaded, open }: Session, { address, id }: Import): Evaluate {
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
    const isRecovered = !managed.has(id) && seen.instances.some((instance) => instance.address === to && instance.id === id);
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
