import { type OpenWrite, managedIds, parseStored } from "../judge/parse.ts";
import type { Hook, Landing, Write } from "../service.ts";
import { unmarked } from "../marks.ts";
import { type World, copyOf } from "../world.ts";

/** What a user would have to know to decide: whose the webhooks are that may be the outcome, and whether the lead is still subscribed. */
export function truthOf({ service }: Pick<World, "service">, open: OpenWrite): string {
  const { hooks, leads, due } = service;
  return JSON.stringify([
    hooks.filter((hook) => isLike(hook, open) || hook.id === open.id).map(({ id, isOurs }) => [id, isOurs]),
    leads.includes(leadOf(open)),
    due.filter(({ write }) => isOf(write, open)).map(({ isForged }) => isForged),
  ]);
}

/**
 * What would be right to do about an open write, as only the service knows it. Of a create any webhook will do that the tool has made for it, also
 * one of an earlier try.
 */
export function rightDecisions(world: World, open: OpenWrite): readonly string[] {
  const { service, store } = world;
  if (!open.mayCreate || typeof open.key["target_url"] !== "string") return [truthOf(world, open)];
  const managed = managedIds(parseStored(store.stored()));
  const isLeft = service.hooks.some(({ id }) => id === open.id) ? `while ${String(open.id)} is live` : "";
  const ours = service.hooks.filter(
    (hook) => isLike(hook, open) && isMadeFor(hook, open) && hook.id !== open.id && !managed.has(hook.id),
  );
  if (ours.length > 0) return ours.map(({ id }) => `record ${id} ${isLeft}`);
  const isComing = service.due.some(({ write, isForged }) => isOf(write, open) && !isForged);
  return [`${isComing ? "wait" : "create"} ${isLeft}`];
}

/** The world as it would be if somebody else had made the webhooks that were there at the beginning, and that no record names. */
export function withOthersWebhooks(world: World, beginning: World): World {
  const managed = managedIds(parseStored(beginning.store.stored()));
  const others = copyOf(world);
  others.service.disown(new Set(beginning.service.hooks.flatMap(({ id }) => (managed.has(id) ? [] : [id]))));
  return others;
}

function isMadeFor({ isOurs, type, campaignId }: Hook, { key }: OpenWrite): boolean {
  return isOurs && (key["type"] ?? null) === type && (key["campaign_id"] ?? null) === campaignId;
}

export function isLike({ targetUrl }: Pick<Hook, "targetUrl">, { key }: OpenWrite): boolean {
  return key["target_url"] === unmarked(targetUrl).url;
}

const LANDINGS = ["dropped", "done", "forged", "late-soon", "late-long"] as const satisfies readonly Landing[];

/** What may have become of an open write, or of one like it, that nobody saw. */
export function landingsOf({ service, store }: World, open: OpenWrite): readonly Landing[] {
  const managed = managedIds(parseStored(store.stored()));
  const lookalikes = service.hooks.filter((hook) => isLike(hook, open) && !managed.has(hook.id));
  // What else came in that millisecond, another webhook or a list, may have come before it.
  const times = [...new Set(lookalikes.flatMap(({ createdMs }) => [createdMs, createdMs + 0.5]))];
  const anyTime: readonly Landing[] = [
    ...LANDINGS,
    ...times.flatMap((ms): readonly Landing[] => [`done at ${ms}`, `forged at ${ms}`]),
  ];
  // The only webhook that a create can have made counts as its outcome: that somebody else made it, and the create was lost, is no excuse.
  const isOutcome =
    lookalikes.length < 2 && lookalikes.every(({ createdMs }) => open.sinceMs === null || createdMs >= open.sinceMs);
  return isOutcome ? anyTime.filter((landing) => !landing.startsWith("forged")) : anyTime;
}

/** Whether a request, as its point names it, belongs to an open write. */
export function isAbout(point: string, { key, id, planned }: OpenWrite): boolean {
  return [key["target_url"], id, planned["email"]].some((name) => typeof name === "string" && point.includes(name));
}

/** Whether a write may be the one that is open: the list would show its outcome in the same way. */
export function isOf({ hook, id, lead }: Write, open: OpenWrite): boolean {
  if (hook) return isLike(hook, open);
  return id === null ? lead === leadOf(open) : id === open.id;
}

function leadOf({ planned }: OpenWrite): string {
  return `${String(planned["campaign_id"])}/${String(planned["email"])}`;
}
