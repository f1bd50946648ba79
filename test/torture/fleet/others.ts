import type { Fault } from "../../../src/sandbox/faults.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import type { Chance } from "../../core/apply/chance.ts";
import { teamOf } from "./declared.ts";

/** What somebody else did with the webhooks of a team. */
export interface Foreign {
  readonly atMs: number;
  readonly team: string;
  readonly act: "deleted" | "created" | "copied";
  readonly id: string;
}

export interface Meddling {
  /** The ids of webhooks that the fleet has created. */
  readonly own: ReadonlySet<string>;
  /** What others have done so far. */
  readonly before: readonly Foreign[];
  readonly chance: Chance;
}

const NEWEST = 3;
/** The most webhooks of a team that somebody else deletes: a plan that recreates more of them waits for a person. */
const MOST_DELETED = 3;

/** Somebody else deletes a webhook, creates another one, or one that the list cannot tell apart from ours. Null: there was none to touch. */
export function meddle(sandbox: Sandbox, { own, before, chance }: Meddling): Foreign | null {
  const live = sandbox.webhooks().filter(({ _id }) => own.has(_id));
  // The newest ones may not be recorded yet.
  const found = chance.any(chance.percent(50) ? live.slice(-NEWEST) : live);
  if (!found) return null;
  const { _id, teamId, targetUrl, type } = found;
  const did = { atMs: Date.now(), team: teamOf(found) };
  const deleted = before.filter(({ act, team }) => act === "deleted" && team === did.team).length;
  const act = chance.oneOf<Foreign["act"]>(
    deleted < MOST_DELETED ? ["deleted", "deleted", "created", "copied"] : ["created", "copied"],
  );
  if (act === "deleted") {
    sandbox.remove("webhooks", _id);
    return { ...did, act, id: _id };
  }
  const made = sandbox.add(
    "webhooks",
    act === "copied"
      ? { teamId, targetUrl, type }
      : { teamId, targetUrl: `https://others.example.com/${did.team}/`, type },
  );
  return { ...did, act, id: made._id };
}

/** One of the service's failures, for a while. Unsubscriptions are left out: each is sent once, so that the judge can count them. */
export function disturb(sandbox: Sandbox, chance: Chance): void {
  const { action, when } = chance.oneOf<Pick<Fault, "action" | "when">>([
    { action: { kind: "answer", status: 500 }, when: "before" },
    { action: { kind: "answer", status: 500 }, when: "after" },
    { action: { kind: "answer", status: 503, headers: { "Retry-After": "1" } }, when: "before" },
    { action: { kind: "answer", status: 429, headers: { "Retry-After": "1" } }, when: "before" },
    { action: { kind: "drop" }, when: "before" },
    { action: { kind: "drop" }, when: "after" },
    { action: { kind: "reset" }, when: "after" },
    { action: { kind: "truncate" }, when: "after" },
    { action: { kind: "html" }, when: "before" },
    { action: { kind: "late", delayMs: 3000 }, when: "after" },
  ]);
  sandbox.addFault({
    action,
    when: when ?? "before",
    times: 5,
    probability: 0.3,
    where: ({ path }) => !path.includes("/leads/"),
  });
}
