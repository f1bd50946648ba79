import { getOrMake, groupBy } from "../../core/model/maps.ts";
import { firstFew } from "../../core/model/words.ts";
import { type Selection, hasCampaign } from "./deliveries.ts";
import { type CountChange, type Delivers, type EventKind, type EventKinds, countChanges } from "./delivery-changes.ts";

/** The most sentences of one plan. */
const MAX_SENTENCES = 6;
/** The most types or campaigns that a sentence names. */
const MAX_NAMED = 3;

type Effect = "none" | "more" | "fewer" | "also";

/**
 * What the steps of a plan do not show on their own: events that no webhook gets any more, events that one URL gets several times, and those
 * that get one more receiver. Nothing where there was no webhook before, or none is left: the steps say it all. `names`: those of campaigns.
 */
export function changeWords(
  before: readonly Selection[],
  after: readonly Selection[],
  names: { readonly [id: string]: string } = {},
): readonly string[] {
  if (before.length === 0 || after.length === 0) return [];
  const compared = countChanges(before, after);
  if (compared === null) return [];
  const { changes, among, deliver } = compared;
  const effects = new Map<
    string,
    { readonly effect: Effect; readonly change: CountChange; readonly kinds: EventKind[] }
  >();
  for (const change of changes) {
    const effect = effectOf(change, deliver);
    if (effect === null) continue;
    const key = effect === "none" ? effect : JSON.stringify([effect, change.url, change.before, change.after]);
    getOrMake(effects, key, () => ({ effect, change, kinds: [] })).kinds.push(change.kind);
  }
  const order: readonly Effect[] = ["none", "more", "also", "fewer"];
  const sentences = [...effects.values()]
    .toSorted((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect))
    .flatMap(({ effect, change, kinds }) =>
      phrasesOf(kinds, among, names).map((phrase) => sentence(effect, change, phrase)),
    );
  const more = sentences.length - MAX_SENTENCES;
  return more <= 0 ? sentences : [...sentences.slice(0, MAX_SENTENCES), `… and ${String(more)} more`];
}

function effectOf({ kind, before, after }: CountChange, deliver: Delivers): Effect | null {
  const [had, has] = [deliver.before(kind), deliver.after(kind)];
  if (has.size === 0) return "none";
  if (after > 1 && after > before) return "more";
  if (before > 1 && after === 1) return "fewer";
  // A URL in place of another one is no receiver more.
  const isMore = has.size > had.size && [...had.keys()].some((other) => has.has(other));
  return before === 0 && after === 1 && isMore ? "also" : null;
}

function sentence(effect: Effect, { url, before, after }: CountChange, phrase: string): string {
  switch (effect) {
    case "none":
      return `No webhook of this configuration gets ${phrase} any more`;
    case "more":
      return `${url} gets ${phrase} ${times(after)}`;
    case "also":
      return `${url} now also gets ${phrase}`;
    case "fewer":
      return `${url} gets ${phrase} once, no longer ${times(before)}`;
  }
}

function times(count: number): string {
  return count === 2 ? "twice" : `${String(count)} times`;
}

/** The kinds in words: `all events`, `first emailsReplied of Q3 launch (cam_000001)`. */
function phrasesOf(
  kinds: readonly EventKind[],
  among: EventKinds,
  names: { readonly [id: string]: string },
): readonly string[] {
  const ofTypes = groupBy(kinds, ({ type }) => type);
  const bySelection = new Map<string, { readonly types: (string | null)[]; readonly parts: readonly Part[] }>();
  for (const [type, some] of ofTypes) {
    const parts = partsOf(type, some, among);
    getOrMake(bySelection, JSON.stringify(parts), () => ({ types: [], parts })).types.push(type);
  }
  return [...bySelection.values()].flatMap(({ types, parts }) =>
    parts.map(({ first, campaigns }) => {
      const eligible = among.types.filter((type) => campaigns === "all" || type === null || hasCampaign(type));
      const which = types.includes(null)
        ? eligible.every((type) => types.includes(type))
          ? "all events"
          : allBut("events", eligible, types)
        : named(types, "types");
      const label = (id: string): string => (Object.hasOwn(names, id) ? `${names[id] ?? ""} (${id})` : id);
      const labels = (ids: readonly (string | null)[]): readonly (string | null)[] =>
        ids.map((id) => (id === null ? null : label(id)));
      if (campaigns === "all") return `${first}${which}`;
      const of = campaigns.includes(null)
        ? allBut("campaigns", labels(among.campaigns), labels(campaigns))
        : named(labels(campaigns), "campaigns");
      return `${first}${which} of ${of}`;
    }),
  );
}

/** The events of a type with the same campaigns. */
interface Part {
  readonly first: "" | "first " | "repeated ";
  readonly campaigns: "all" | readonly (string | null)[];
}

function partsOf(type: string | null, kinds: readonly EventKind[], among: EventKinds): readonly Part[] {
  const every = type !== null && !hasCampaign(type) ? [null] : among.campaigns;
  const byFirst = groupBy([...groupBy(kinds, ({ campaign }) => campaign)], ([, some]): Part["first"] =>
    some.length > 1 ? "" : some[0]?.isFirst === true ? "first " : "repeated ",
  );
  return [...byFirst].map(([first, some]) => {
    const campaigns = some.map(([campaign]) => campaign);
    return { first, campaigns: every.every((campaign) => campaigns.includes(campaign)) ? "all" : campaigns };
  });
}

function allBut(what: string, every: readonly (string | null)[], some: readonly (string | null)[]): string {
  const missing = every.filter((one) => !some.includes(one));
  return `all ${what} but ${named(missing, what)}`;
}

function named(some: readonly (string | null)[], what: string): string {
  const texts = some.flatMap((one) => one ?? []);
  return texts.length <= MAX_NAMED + 1 ? texts.join(", ") : `${firstFew(texts, MAX_NAMED)} ${what}`;
}
