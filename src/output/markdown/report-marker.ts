import type { ReportRun } from "../content/output-format.ts";
import { hiddenLine } from "./escape.ts";

/** The first line of a report, which readers do not see: reports with the same parts replace each other, a later run's an earlier one's. */
export function markerLine(what: string, parts: readonly string[], { commit, run }: ReportRun = NO_RUN): string {
  const trace = [...(run === null ? [] : [`run ${String(run)}`]), ...(commit === null ? [] : [`commit ${commit}`])];
  return `${hiddenLine(`${what}: ${parts.map((part) => part.replaceAll(",", "%2C")).join(", ")}`)}${trace.length === 0 ? "" : hiddenLine(trace.join(", "))}`;
}

const NO_RUN: ReportRun = { commit: null, run: null };
