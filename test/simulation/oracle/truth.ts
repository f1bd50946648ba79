import type { OpenWrite } from "../judge/parse.ts";
import type { Hook, Write } from "../service.ts";
import type { World } from "../world.ts";

/** What a user would have to know to decide: whose the webhooks are that may be the outcome, and whether the lead is still subscribed. */
export function truthOf({ service }: Pick<World, "service">, open: OpenWrite): string {
  const { hooks, leads, due } = service;
  return JSON.stringify([
    hooks.filter((hook) => isLike(hook, open) || hook.id === open.id).map(({ id, isOurs }) => [id, isOurs]),
    leads.includes(leadOf(open)),
    due.filter(({ write }) => isOf(write, open)).map(({ isForged }) => isForged),
  ]);
}

export function isLike({ targetUrl }: Pick<Hook, "targetUrl">, { key }: OpenWrite): boolean {
  return key["target_url"] === targetUrl;
}

/** Whether a request, as its point names it, belongs to an open write. */
export function isAbout(point: string, { key, id, planned }: OpenWrite): boolean {
  return [key["target_url"], id, planned["email"]].some((name) => typeof name === "string" && point.includes(name));
}

function isOf({ hook, id, lead }: Write, open: OpenWrite): boolean {
  if (hook) return isLike(hook, open);
  return id === null ? lead === leadOf(open) : id === open.id;
}

function leadOf({ planned }: OpenWrite): string {
  return `${String(planned["campaign_id"])}/${String(planned["email"])}`;
}
