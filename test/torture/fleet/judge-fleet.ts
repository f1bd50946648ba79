import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { type Declared, expectedOf, nameOf, teamOf } from "./declared.ts";
import type { Foreign } from "./others.ts";

export const MOST_REQUESTS = 20;
const WINDOW_MS = 2000;

/** What a team's state records, and how its last run ended. */
export interface TeamEnd {
  readonly team: string;
  readonly state: string;
  readonly message: string | null;
  readonly recorded: ReadonlySet<string>;
}

/** The webhooks that the fleet created, by the service's log. */
export function createdIn(log: readonly LoggedRequest[]): readonly string[] {
  return log.flatMap(({ method, response, processed }) => {
    const id = method === "POST" && processed ? /"_id":\s*"(hoo_[^"]+)"/.exec(response ?? "")?.[1] : undefined;
    return id === undefined ? [] : [id];
  });
}

export interface Judged {
  readonly sandbox: Sandbox;
  readonly declared: Declared;
  readonly ends: readonly TeamEnd[];
  readonly foreign: readonly Foreign[];
}

/** What is wrong in the end. */
export function fleetViolations({ sandbox, declared, ends, foreign }: Judged): readonly string[] {
  const log = sandbox.requests();
  return [
    ...ends.flatMap((end) => teamViolations(end, { sandbox, declared, foreign })),
    ...duplicates(log, foreign),
    ...foreignDeleted(log, foreign),
    ...sentAgain(log, declared),
    ...tooFast(log),
  ];
}

/**
 * Whether a team rightly waits for a person. A copy by somebody else hides whose webhook is whose, and an unsubscription whose process was killed is never sent
 * again by itself.
 */
function waitsForPerson({ state, message }: Pick<TeamEnd, "state" | "message">, isCopied: boolean): boolean {
  if (state === "parked" && message?.includes("lead unsubscription: an earlier run ended without an answer") === true) return true;
  return isCopied && (state === "parked" || (state === "failed" && message?.startsWith("An identical unmanaged webhook exists") === true));
}

/** Its live webhooks are those that are declared, all of them are recorded, and everything else is somebody else's. */
function teamViolations({ team, state, message, recorded }: TeamEnd, { sandbox, declared, foreign }: Omit<Judged, "ends">): readonly string[] {
  const live = sandbox.webhooks().filter((one) => teamOf(one) === team);
  const others = new Set(foreign.flatMap(({ act, id }) => (act === "deleted" ? [] : [id])));
  const lost = live.filter(({ _id }) => !recorded.has(_id) && !others.has(_id));
  const own = live
    .filter(({ _id }) => recorded.has(_id))
    .map(nameOf)
    .toSorted();
  const expected = expectedOf(team, declared);
  const isExcused = waitsForPerson(
    { state, message },
    foreign.some((one) => one.team === team && one.act === "copied"),
  );
  return [
    ...lost.map((one) => `${team} has a webhook without a record: ${one._id} ${nameOf(one)}`),
    ...(isExcused || own.join() === expected.join() ? [] : [`${team} (${state}: ${message ?? ""}) has ${own.join(", ")} in place of ${expected.join(", ")}`]),
    ...(isExcused || state === "unchanged" || state === "applied" ? [] : [`${team} is ${state}: ${message ?? ""}`]),
  ];
}

/** No webhook was created while an equal one of ours was there. */
function duplicates(log: readonly LoggedRequest[], foreign: readonly Foreign[]): readonly string[] {
  const live = new Map<string, { readonly id: string; readonly name: string }>();
  const removed = foreign.filter(({ act }) => act === "deleted");
  const found: string[] = [];
  let past = 0;
  for (const { at, method, path, body, response, processed } of log) {
    for (; (removed[past]?.atMs ?? Infinity) <= at; past++) live.delete(removed[past]?.id ?? "");
    if (method === "DELETE" && processed) live.delete(path.split("/").at(-1) ?? "");
    const id = method === "POST" && processed ? /"_id":\s*"(hoo_[^"]+)"/.exec(response ?? "")?.[1] : undefined;
    if (id === undefined) continue;
    const { targetUrl, type } = body as { readonly targetUrl: string; readonly type?: string };
    const name = `${targetUrl} ${type ?? "all"}`;
    const before = [...live.values()].find((one) => one.name === name);
    if (before) found.push(`${id} ${name} was created while ${before.id} was there`);
    live.set(id, { id, name });
  }
  return found;
}

/** What nobody could take for ours is left alone. */
function foreignDeleted(log: readonly LoggedRequest[], foreign: readonly Foreign[]): readonly string[] {
  const others = new Set(foreign.flatMap(({ act, id }) => (act === "created" ? [id] : [])));
  return log.flatMap(({ method, path }) =>
    method === "DELETE" && others.has(path.split("/").at(-1) ?? "") ? [`somebody else's webhook was deleted: ${path}`] : [],
  );
}

/** Each unsubscription is declared, and was sent once. */
function sentAgain(log: readonly LoggedRequest[], { emails }: Declared): readonly string[] {
  const sent = log.flatMap(({ method, path }) => (method === "DELETE" && path.includes("/leads/") ? [decodeURIComponent(path)] : []));
  const counts = new Map<string, number>();
  for (const one of sent) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].flatMap(([one, count]) => [
    ...(count > 1 ? [`${one} was sent ${String(count)} times`] : []),
    ...(emails.some((email) => one.endsWith(email)) ? [] : [`${one} was never declared`]),
  ]);
}

/** The most requests of a key within any two seconds. */
export function worstWindow(log: readonly LoggedRequest[]): number {
  const times = new Map<string, number[]>();
  let worst = 0;
  for (const { at, key } of log) {
    const window = (times.get(key ?? "") ?? []).filter((one) => at - one < WINDOW_MS);
    window.push(at);
    times.set(key ?? "", window);
    worst = Math.max(worst, window.length);
  }
  return worst;
}

function tooFast(log: readonly LoggedRequest[]): readonly string[] {
  const worst = worstWindow(log);
  return worst > MOST_REQUESTS ? [`${String(worst)} requests of a key within ${String(WINDOW_MS)} ms`] : [];
}
