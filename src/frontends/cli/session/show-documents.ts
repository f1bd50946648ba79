import type { DocumentFormat, FormatContext } from "../../../output/format.ts";
import type { Hints, Masks, Output, Ports, Product } from "../command-context.ts";
import { learnPlan } from "../screen/personal-data.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import { modeOf } from "./plan-and-show.ts";
import type { SavedPlan } from "./plan-file.ts";

type DocumentContext = Hints & Masks & Output & Ports & Product;

/** A saved plan as a document for stdout. `path` is the file, as the user gave it. */
export function savedPlanDocument(
  context: DocumentContext,
  format: DocumentFormat,
  { saved, path }: { readonly saved: SavedPlan; readonly path: string },
): string {
  const { plan, choices, variables, outputs, salt, configuration, messages } = saved;
  learnPlan(context, salt, plan);
  const diagnostics = arrangedDiagnostics(context, [...messages, ...plan.diagnostics], "out");
  return format.plan(plan, { mode: modeOf(choices), configuration, planFile: path, diagnostics, variables, outputs }, documentContext(context));
}

/** What a format needs for a document on stdout. */
export function documentContext({ catalog, version, paint, isLive, clock, hidesEmails, personal }: DocumentContext): FormatContext {
  const mask = hidesEmails.out ? personal.mask : (text: string): string => text;
  return { catalog, version, paint, isLive, columns: null, nowMs: clock.now(), mask };
}
