import { unmarked } from "../marks.ts";
import { COPIED_TYPE } from "../service.ts";
import type { World } from "../world.ts";
import { type Found, managedIds, parseStored } from "./parse.ts";
import { problemsAtRest } from "./rest.ts";
import type { Judged, RunReport } from "./report.ts";
import { secretSearch } from "./secrets.ts";
import { problemsOfWrites } from "./writes.ts";

const LIMIT = 20;

const searches = new WeakMap<Judged, (text: string) => string | null>();

/**
 * The rules that a run has broken, by the service's own log and by what lies in the place of the state. Called once after each run, and where a
 * process dies. Empties the log.
 */
export function judgeRun(world: World, report: RunReport, judged: Judged): readonly string[] {
  const { service, store, judge: memory } = world;
  const found = parseStored(store.stored());
  const broken = [
    ...found.problems,
    ...problemsOfState(world, found),
    ...problemsOfWrites(world, report, judged),
    ...(service.mostInWindow > LIMIT ? [`${String(service.mostInWindow)} requests were sent within 2 s`] : []),
    ...secretsIn(world, report, judged),
    ...(report.exit === 0 && !report.sawOldState && found.open.length > 0
      ? [`exit 0 with an open ${found.open[0]?.op ?? ""} of ${String(found.open[0]?.address)}`]
      : []),
  ];
  const said = textOf(report);
  for (const { id } of service.hooks) if (said.includes(id)) memory.told = with_(memory.told, id);
  broken.push(...foreignRecords(world, report, { found, judged }));
  // What a failed write has left, and runs only read, may still be lost with the power.
  if (report.wrote && (report.exit === 0 || report.exit === 3)) {
    memory.serial = Math.max(memory.serial, found.serial);
    memory.lineage = found.lineage ?? memory.lineage;
  }
  service.clearLog();
  return broken;
}

/** The rules that are broken when nothing is left to do. `last` is the last of two runs without trouble. */
export function judgeRest(world: World, last: RunReport, judged: Judged): readonly string[] {
  return problemsAtRest(world, { last, found: parseStored(world.store.stored()), said: textOf(last) }, judged);
}

function with_(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? ids : new Set([...ids, id]);
}

/** Everything that a user could read. */
function textOf({ said, texts }: RunReport): string {
  return [...said.map((one) => JSON.stringify(one)), ...texts].join("\n");
}

function problemsOfState({ judge: memory }: World, { serial, lineage }: Found): readonly string[] {
  if (lineage === null) return memory.lineage === null ? [] : ["the state is gone"];
  return [
    ...(serial < memory.serial ? [`the serial went from ${String(memory.serial)} to ${String(serial)}`] : []),
    ...(memory.lineage !== null && lineage !== memory.lineage ? ["the state has another lineage"] : []),
  ];
}

function secretsIn({ store }: World, report: RunReport, judged: Judged): readonly string[] {
  const search = searches.get(judged) ?? secretSearch([...Object.values(judged.secretOf), judged.apiKey]);
  searches.set(judged, search);
  const unstored = report.unstored ? [new TextDecoder().decode(report.unstored)] : [];
  return [...store.texts(), ...unstored, textOf(report)].flatMap((text) =>
    search(text) === null ? [] : [`a secret stands in: ${text.slice(0, 200)}`],
  );
}

/** Somebody else's webhook is recorded only if it is imported, or with a word. A process that died could not say a word. */
function foreignRecords(
  { service, judge: memory }: World,
  report: RunReport,
  { found, judged: { marks } }: { readonly found: Found; readonly judged: Judged },
): readonly string[] {
  const managed = managedIds(found);
  const imported = new Set(
    (report.plan?.steps ?? []).flatMap((step) =>
      step.action === "adopt" || (step.action === "replace" && step.imported !== undefined) ? [step.id] : [],
    ),
  );
  return service.hooks.flatMap(({ id, isOurs, targetUrl, type }) => {
    if (isOurs || !managed.has(id) || memory.adopted.has(id)) return [];
    const isOther = unmarked(targetUrl).mark === null || (type === COPIED_TYPE && !service.setup.isPoor);
    if (marks && !imported.has(id) && isOther) return [`${id} of somebody else is recorded without proof`];
    const isTold = imported.has(id) || memory.told.has(id) || report.exit === "died";
    memory.adopted = with_(memory.adopted, id);
    return isTold ? [] : [`${id} of somebody else is recorded silently`];
  });
}
