import type { Evaluate } from "../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, warningOf } from "../core/model/diagnostic.ts";
import { otherService } from "../core/apply/run/plan-run.ts";
import { rolledBack } from "../core/plan/rolled-back.ts";
import type { OpenRun } from "./open-run.ts";
import { versionOf } from "./state/state-versions.ts";

/** The evaluation of a plan that goes back to an earlier version of the state. */
export async function evaluationOf(run: OpenRun, serial: number, allowServiceChange: boolean): Promise<Evaluate> {
  const { context, loaded, ports } = run;
  const { document } = await versionOf(context, run, serial);
  const refused = allowServiceChange ? [] : otherService({ document }, ports);
  if (hasErrors(refused)) throw new DiagnosticsError(refused);
  const blocks = new Map(loaded.configuration.blocks.map((block) => [`${block.type}.${block.name}`, block]));
  return rolledBack(loaded.evaluate, {
    catalog: context.catalog,
    earlier: document,
    sourceOf: (block, attribute) => {
      const argument = blocks.get(block)?.arguments[attribute];
      return argument?.kind === "secret" && !argument.own ? argument.source : undefined;
    },
  });
}

/** A rollback changes what is live, and not the configuration. */
export function rollbackWarning(serial: number): Diagnostic {
  return warningOf("rollback_not_configured", "The configuration still says otherwise", {
    detail: `This plan goes back to serial ${String(serial)} of the state. The next plan or apply of the configuration undoes that.`,
    hint: "Pause scheduled applies and the controller, and revert the commit too.",
  });
}
