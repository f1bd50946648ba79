import { getOrMake, groupBy } from "../../core/model/maps.ts";
import { type DeliveredEvent, type Selection, hasCampaign, isDelivered } from "./deliveries.ts";

/** One kind of events, for which a configuration and another one deliver differently. Null stands for all types, or campaigns, that no webhook names. */
export interface EventKind {
  readonly type: string | null;
  readonly campaign: string | null;
  readonly isFirst: boolean;
}

/** How often one URL gets the events of one kind. */
export interface CountChange {
  readonly kind: EventKind;
  readonly url: string;
  readonly before: number;
  readonly after: number;
}

/** The kinds of events that two sets of webhooks tell apart. */
export interface EventKinds {
  readonly types: readonly (string | null)[];
  readonly campaigns: readonly (string | null)[];
}

/** More kinds are not compared. */
const MAX_KINDS = 100_000;

/** Where two sets of webhooks deliver differently: empty if each URL gets the same events, equally often. Null: there are too many kinds of events. */
export function countChanges(
  before: readonly Selection[],
  after: readonly Selection[],
): { readonly changes: readonly CountChange[]; readonly among: EventKinds; readonly deliver: Delivers } | null {
  const all = [...before, ...after];
  const among: EventKinds = {
    types: [...new Set(all.flatMap(({ type }) => type ?? [])), null],
    campaigns: [...new Set(all.flatMap(({ campaign }) => campaign ?? [])), null],
  };
  const kinds = kindsOf(differing(before, after), among);
  if (kinds === null) return null;
  const deliver: Delivers = { before: deliverer(before), after: deliverer(after) };
  const changes = kinds.flatMap((kind) => {
    const [had, has] = [deliver.before(kind), deliver.after(kind)];
    return [...new Set([...had.keys(), ...has.keys()])].flatMap((url) => {
      const change = { kind, url, before: had.get(url) ?? 0, after: has.get(url) ?? 0 };
      return change.before === change.after ? [] : [change];
    });
  });
  return { changes, among, deliver };
}

/** How often each URL gets the events of a kind. */
export interface Delivers {
  readonly before: (kind: EventKind) => ReadonlyMap<string, number>;
  readonly after: (kind: EventKind) => ReadonlyMap<string, number>;
}

/** The selections that the two do not share, equal ones counted. */
function differing(before: readonly Selection[], after: readonly Selection[]): readonly Selection[] {
  const counts = new Map<string, { readonly selection: Selection; count: number }>();
  for (const [side, by] of [
    [before, 1],
    [after, -1],
  ] as const)
    for (const selection of side) getOrMake(counts, keyOf(selection), () => ({ selection, count: 0 })).count += by;
  return [...counts.values()].flatMap(({ selection, count }) => (count === 0 ? [] : [selection]));
}

function keyOf({ url, type, campaign, firstOnly }: Selection): string {
  return JSON.stringify([url, type, campaign, firstOnly]);
}

function kindsOf(selections: readonly Selection[], { types, campaigns }: EventKinds): readonly EventKind[] | null {
  const kinds = new Map<string, EventKind>();
  for (const { type: ofType, campaign: ofCampaign } of selections) {
    for (const type of ofType === null ? types : [ofType]) {
      for (const campaign of ofCampaign === null ? campaigns : [ofCampaign]) {
        if (campaign !== null && type !== null && !hasCampaign(type)) continue;
        for (const isFirst of [true, false])
          kinds.set(JSON.stringify([type, campaign, isFirst]), { type, campaign, isFirst });
        if (kinds.size > MAX_KINDS) return null;
      }
    }
  }
  return [...kinds.values()];
}

/** No service has a type with such a name. */
const OTHER = "";

function deliverer(webhooks: readonly Selection[]): (kind: EventKind) => ReadonlyMap<string, number> {
  const place = (type: string | null, campaign: string | null): string => JSON.stringify([type, campaign]);
  const bySelectors = groupBy(webhooks, ({ type, campaign }) => place(type, campaign));
  return ({ type, campaign, isFirst }) => {
    const event: DeliveredEvent = { type: type ?? OTHER, campaign, isFirst };
    const places = new Set([place(null, null), place(type, null), place(null, campaign), place(type, campaign)]);
    const counts = new Map<string, number>();
    for (const one of places)
      for (const webhook of bySelectors.get(one) ?? [])
        if (isDelivered(webhook, event)) counts.set(webhook.url, (counts.get(webhook.url) ?? 0) + 1);
    return counts;
  };
}
