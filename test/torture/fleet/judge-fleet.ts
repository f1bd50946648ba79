import { isDeepStrictEqual } from "node:util";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { type Declared, expectedOf, nameOf, teamOf } from "./declared.ts";
import type { Foreign } from "./others.ts";

const DUPLICATE = "An identical unmanaged webhook exists";

/** What a team's state records, and how its last run ended. */
export interface TeamEnd {
  readonly team: string;
  /** The outcome of its last run, or that it is parked. */
  readonly state: string;
  /** From the configuration. */
  readonly isRemoved: boolean;
  /** Whether a run of it began although it was removed. */
  readonly isRunLate: boolean;
  readonly message: string | null;
  readonly recorded: ReadonlySet<string>;
  /** The creates that the state has announced and knows no outcome of, as in `https://crm.example.com/ emailsSent`. */
  readonly open: ReadonlySet<string>;
  /** Those of them beside which a create of something else, such as an older secret, was given up: a webhook in the list may have come from either. */
  readonly rivalled: ReadonlySet<string>;
  /** The messages of its runs. */
  readonly said: string;
}

interface StateEvent {
  readonly seq: number;
  readonly kind: string;
  readonly of?: number;
  readonly op?: string;
}

interface Announced extends StateEvent {
  readonly key: Key;
  readonly planned?: object | null;
}

interface Key {
  readonly target_url: string;
  readonly type?: string | null | undefined;
}

/** A create that was given up; with an id, the webhook that it has made is known. */
interface GivenUp {
  readonly key: Key;
  readonly id?: string;
  readonly planned?: object | null;
}

/** What a state says about webhooks. */
export function recordsIn(state: string): Pick<TeamEnd, "recorded" | "open" | "rivalled"> {
  const { instances, pending, lostCreates } = JSON.parse(state) as {
    readonly instances: readonly object[];
    readonly pending: readonly StateEvent[];
    readonly lostCreates: readonly GivenUp[];
  };
  const known = new Set(pending.flatMap(({ kind, of }) => (kind === "done" || kind === "failed" ? [of] : [])));
  const open = pending.filter(
    (one): one is Announced => one.kind === "intent" && one.op !== "delete" && "key" in one && !known.has(one.seq),
  );
  return {
    recorded: new Set(JSON.stringify(instances).match(/hoo_\w+/g)),
    open: new Set(open.map(({ key }) => observed(key))),
    rivalled: new Set(
      open.flatMap((one) => (lostCreates.some((other) => isRival(other, one)) ? [observed(one.key)] : [])),
    ),
  };
}

function isRival({ id, key, planned }: GivenUp, create: Announced): boolean {
  return id === undefined && observed(key) === observed(create.key) && !isDeepStrictEqual(planned, create.planned);
}

/** What the service's list shows of a webhook. */
function observed({ target_url: url, type }: Key): string {
  return `${url} ${type ?? "all"}`;
}

/** The webhooks that the fleet created, by the service's log. */
export function createdIn(log: readonly LoggedRequest[]): readonly string[] {
  return log.flatMap(({ method, response, processed }) => {
    const id = method === "POST" && processed ? /"_id":\s*"(hoo_[^"]+)"/.exec(response ?? "")?.[1] : undefined;
    return id === undefined ? [] : [id];
  });
}

export interface Judged {
  readonly sandbox: Pick<Sandbox, "requests" | "webhooks">;
  readonly declared: Declared;
  /** The teams whose key the service refuses. */
  readonly refused: readonly string[];
  readonly ends: readonly TeamEnd[];
  readonly foreign: readonly Foreign[];
}

/** What is wrong in the end. */
export function fleetViolations({ sandbox, declared, refused, ends, foreign }: Judged): readonly string[] {
  const log = sandbox.requests();
  return [
    ...ends.flatMap((end) => teamViolations(end, { sandbox, declared, refused, foreign })),
    ...duplicates(log, foreign),
    ...foreignDeleted(log, foreign),
    ...sentAgain(log, declared),
  ];
}

/**
 * Whether a team rightly waits for a person. A copy by somebody else, which the message names, and an earlier create that was given up, hide whose webhook is
 * whose; and an unsubscription that nobody watches, whose process was killed, is never sent again by itself.
 */
function waitsForPerson(
  { state, message, rivalled }: Pick<TeamEnd, "state" | "message" | "rivalled">,
  copies: readonly string[],
): boolean {
  if (state === "parked" && message?.includes("lead unsubscription: an earlier run ended without an answer") === true)
    return true;
  if (state === "parked")
    return (
      copies.length > 0 || (rivalled.size > 0 && message?.includes("an earlier create that was given up") === true)
    );
  return state === "failed" && message?.startsWith(DUPLICATE) === true && copies.some((id) => message.includes(id));
}

/** Whether a team rests: it is as declared, or a duplicate keeps it from that. */
export function isSettled({ state, message }: Pick<TeamEnd, "state" | "message">): boolean {
  return (
    state === "unchanged" || state === "applied" || (state === "failed" && message?.startsWith(DUPLICATE) === true)
  );
}

/** Its live webhooks are those that are declared, all of them are recorded, and everything else is somebody else's. */
function teamViolations(
  end: TeamEnd,
  { sandbox, declared, refused, foreign }: Omit<Judged, "ends">,
): readonly string[] {
  const { team, state, message, isRemoved, isRunLate, recorded, open, rivalled, said } = end;
  if (isRemoved !== declared.absent.includes(team))
    return [`${team} is ${isRemoved ? "" : "not "}removed, against its declaration`];
  const live = sandbox.webhooks().filter((one) => teamOf(one) === team);
  const others = new Set(foreign.flatMap(({ act, id }) => (act === "deleted" ? [] : [id])));
  // A copy in place of one that is gone, before anybody could look for that: the list shows no secrets.
  const adopted = live.filter(({ _id }) => recorded.has(_id) && others.has(_id));
  const own = live
    .filter(({ _id }) => recorded.has(_id))
    .map((one) => nameOf(adopted.includes(one) && one.type === null ? { ...one, secret: declared.secret } : one))
    .toSorted();
  const isRefused = refused.includes(team);
  const expected = isRefused ? [] : expectedOf(team, declared);
  const isExcused = waitsForPerson(
    { state, message, rivalled },
    foreign.flatMap((one) => (one.team === team && one.act === "copied" ? [one.id] : [])),
  );
  // The next run looks for what an announced create has made: a plan with an error stores nothing before a person has decided, and a removed team has no run.
  const isSought = ({ targetUrl, type }: (typeof live)[number]): boolean =>
    (isExcused || isRemoved) && open.has(observed({ target_url: targetUrl, type }));
  const lost = live.filter((one) => !recorded.has(one._id) && !others.has(one._id) && !isSought(one));
  return [
    ...adopted.flatMap(({ _id }) =>
      said.includes(`${_id} is recorded`)
        ? []
        : [`${team} records a webhook of somebody else, and did not say so: ${_id}`],
    ),
    ...lost.map((one) => `${team} has a webhook without a record: ${one._id} ${nameOf(one)}`),
    ...(isRunLate ? [`${team} was run after it was removed`] : []),
    ...(isExcused || isRemoved || own.join() === expected.join()
      ? []
      : [`${team} (${state}: ${message ?? ""}) has ${own.join(", ")} in place of ${expected.join(", ")}`]),
    ...(isExcused || isRemoved || (isRefused ? state === "failed" : state === "unchanged" || state === "applied")
      ? []
      : [`${team} is ${state}: ${message ?? ""}`]),
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
    const name = observed({ target_url: targetUrl, type });
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
    method === "DELETE" && others.has(path.split("/").at(-1) ?? "")
      ? [`somebody else's webhook was deleted: ${path}`]
      : [],
  );
}

/** Each unsubscription is declared, and was sent once. */
function sentAgain(log: readonly LoggedRequest[], { emails }: Declared): readonly string[] {
  const sent = log.flatMap(({ method, path }) =>
    method === "DELETE" && path.includes("/leads/") ? [decodeURIComponent(path)] : [],
  );
  const counts = new Map<string, number>();
  for (const one of sent) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].flatMap(([one, count]) => [
    ...(count > 1 ? [`${one} was sent ${String(count)} times`] : []),
    ...(emails.some((email) => one.endsWith(email)) ? [] : [`${one} was never declared`]),
  ]);
}
