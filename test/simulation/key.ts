import { MARK_BEGINS } from "./marks.ts";
import { managedIds, parseStored } from "./judge/parse.ts";
import type { World } from "./world.ts";

/** How exactly a key tells how long ago something was: to the second, or between which of the times that outreach waits for. */
export type Exactness = "seconds" | "thresholds";

/** Of older times only the order counts: whoever waits for something has done so. */
const OLD_MS = 600_000;
/** A moment; until answered requests show in lists; until others do. */
const THRESHOLDS_MS = [5000, 15_000, 65_000];

const VARYING = new RegExp(
  [
    String.raw`([0-9a-f]{8}-[0-9a-f]{4}-4000-8000-[0-9a-f]{12}|hoo_\d+|${MARK_BEGINS}[0-9a-f]{8})`,
    String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)`,
    String.raw`(?<="recordedAtMs": ?)(17\d{11})\b`,
    String.raw`\b(17\d{11})\b`,
    String.raw`(?<="(?:baseSerial|serial)": ?)(\d+)`,
    String.raw`(?<="(?:baseSeq|journalSeq|seq|of|listed)": ?)(\d+)`,
    String.raw`"checksum": ?"[^"]*"|^[0-9a-f]{8} (?=\{)`,
  ].join("|"),
  "gm",
);

/** A text without what differs between equal worlds: that is beside it, in its order. */
interface Pattern {
  /** Numbers the texts that are the same but for that. */
  readonly number: number;
  readonly varying: readonly Varying[];
}

type Varying =
  | { readonly kind: "id"; readonly id: string }
  /** Of when something was recorded only matters how long ago that is. */
  | { readonly kind: "recorded"; readonly atMs: number }
  | { readonly kind: "time"; readonly atMs: number }
  | { readonly kind: "serial" | "seq"; readonly number: number };

const patterns = new Map<string, Pattern>();
const numbers = new Map<string, number>();
const MOST_PATTERNS = 200_000;

function patternOf(text: string): Pattern {
  const before = patterns.get(text);
  if (before) return before;
  const varying: Varying[] = [];
  const constant = text.replaceAll(
    VARYING,
    (_, id?: string, date?: string, recorded?: string, epoch?: string, serial?: string, seq?: string) => {
      if (id !== undefined) varying.push({ kind: "id", id });
      else if (date !== undefined) varying.push({ kind: "time", atMs: Date.parse(date) });
      else if (recorded !== undefined) varying.push({ kind: "recorded", atMs: Number(recorded) });
      else if (epoch !== undefined) varying.push({ kind: "time", atMs: Number(epoch) });
      else if (serial !== undefined) varying.push({ kind: "serial", number: Number(serial) });
      else if (seq !== undefined) varying.push({ kind: "seq", number: Number(seq) });
      return "\u0000";
    },
  );
  const number = numbers.get(constant) ?? numbers.size;
  numbers.set(constant, number);
  if (patterns.size > MOST_PATTERNS) patterns.clear();
  const pattern = { number, varying };
  patterns.set(text, pattern);
  return pattern;
}

/**
 * Worlds with the same key have the same future. Ids are numbered as they appear, serials and sequence numbers are relative to the highest, checksums
 * follow from the rest. Of times, their order counts; of those that are not old, also how old they are: of worlds that differ by less, one stands for the
 * others.
 */
export function keyOf({ nowMs, service, store, judge }: World, exactness: Exactness): string {
  const live = service.hooks.map(({ id }) => id);
  const managed = exactness === "seconds" ? new Set<string>() : managedIds(parseStored(store.stored()));
  const hooks = { live, unmanaged: live.filter((id) => !managed.has(id)) };
  return relative([service.key(), store.key(), judge.key(hooks)].flat(), nowMs, exactness);
}

function relative(texts: readonly string[], nowMs: number, exactness: Exactness): string {
  const ageOf = exactness === "seconds" ? secondsOf : thresholdOf;
  const found = texts.map(patternOf);
  let [serial, seq] = [0, 0];
  const times = new Set<number>();
  for (const { varying } of found) {
    for (const one of varying) {
      if (one.kind === "time") times.add(one.atMs);
      else if (one.kind === "serial") serial = Math.max(serial, one.number);
      else if (one.kind === "seq") seq = Math.max(seq, one.number);
    }
  }
  const ranks = new Map([...times].toSorted((a, b) => b - a).map((atMs, rank) => [atMs, rank]));
  const ids = new Map<string, number>();
  let key = "";
  for (const { number, varying } of found) {
    key += `${String(number)}(`;
    for (const one of varying) {
      if (one.kind === "id") {
        const known = ids.get(one.id) ?? ids.size;
        ids.set(one.id, known);
        key += `${String(known)},`;
      } else if (one.kind === "recorded") key += `${ageOf(nowMs - one.atMs)},`;
      else if (one.kind === "time") key += `${String(ranks.get(one.atMs))}${ageOf(nowMs - one.atMs)},`;
      else key += `${String((one.kind === "serial" ? serial : seq) - one.number)},`;
    }
    key += ")";
  }
  return key;
}

function secondsOf(ageMs: number): string {
  return ageMs > OLD_MS ? "" : `t${String(Math.round(ageMs / 1000))}`;
}

function thresholdOf(ageMs: number): string {
  const passed = THRESHOLDS_MS.filter((ms) => Math.abs(ageMs) > ms).length;
  return passed === THRESHOLDS_MS.length ? "" : `${ageMs < 0 ? "in" : "for"}${String(passed)}`;
}
