import type { World } from "../world.ts";
import type { Judged, RunReport } from "./report.ts";

/** The rules that a run has broken. Called once after each run, and where a process dies. */
export function judgeRun(world: World, report: RunReport, judged: Judged): readonly string[] {
  world.service.clearLog();
  return report.exit === "died" || judged.declarations.length >= 0 ? [] : ["?"];
}

/** The rules that are broken when nothing is left to do. */
export function judgeRest(world: World, last: RunReport, judged: Judged): readonly string[] {
  return last.wrote && judged.declarations.length > world.service.hooks.length ? ["?"] : [];
}
