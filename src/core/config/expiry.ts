import { blockOf, formatAddress } from "../model/address.ts";
import type { Clock } from "../model/ports.ts";
import type { Evaluate } from "../model/declaration.ts";
import { type Diagnostic, errorOf, noteOf } from "../model/diagnostic.ts";
import { parsedTimeMs } from "../model/iso-time.ts";
import type { Block, Configuration, Expiry } from "./block.ts";
import { referencesIn } from "./blocks/references.ts";

const DAY_MS = 86_400_000;
/** A plan says this long before that a block expires. */
const SOON_MS = 7 * DAY_MS;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** When a block expires: a date at the end of its day in UTC, or a time with its zone (RFC 3339). Null for anything else. */
export function expiryOf(text: string): Expiry | null {
  if (!DATE.test(text) && !TIME.test(text)) return null;
  const ms = parsedTimeMs(text);
  // A parser may turn the 30th of February into the 2nd of March.
  if (ms === null || parsedTimeMs(text.slice(0, 10)) === null || !isDay(text.slice(0, 10))) return null;
  return { text, atMs: DATE.test(text) ? ms + DAY_MS : ms };
}

function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

/** The evaluation without what expired blocks declare. It says which blocks have expired, and which will soon. */
export function withoutExpired(evaluate: Evaluate, configuration: Configuration, clock: Pick<Clock, "now">): Evaluate {
  const expiring = new Map(
    configuration.blocks.flatMap((block) =>
      block.expires ? [[addressOf(block), { block, expires: block.expires }] as const] : [],
    ),
  );
  if (expiring.size === 0) return evaluate;
  const referenced = referencedBlocks(configuration);
  return (seen) => {
    const nowMs = clock.now();
    const evaluated = evaluate(seen);
    const isExpired = (address: string): boolean =>
      (expiring.get(blockOf(address))?.expires.atMs ?? Number.POSITIVE_INFINITY) <= nowMs;
    const kept = new Set(
      evaluated.declarations
        .filter(({ attributes }) => attributes["protect"] === true)
        .map(({ address }) => blockOf(address)),
    );
    const said = [...expiring].flatMap(([address, { block, expires }]) => {
      const problems = [
        ...(kept.has(address) ? [isProtected(address, block)] : []),
        ...(referenced.has(address) ? [isReferenced(address, block)] : []),
      ];
      return problems.length > 0 ? problems : expiryNote(address, { block, expires, nowMs });
    });
    return {
      ...evaluated,
      declarations: evaluated.declarations.filter(({ address }) => !isExpired(address)),
      imports: evaluated.imports.filter(({ to }) => !isExpired(to)),
      diagnostics: [...evaluated.diagnostics, ...said],
    };
  };
}

function addressOf({ mode, type, name }: Block): string {
  return formatAddress({ mode, type, name, key: null });
}

/** Only outputs and checks can refer to resources. */
function referencedBlocks({ outputs, checks = [] }: Configuration): ReadonlySet<string> {
  const conditions = checks.flatMap(({ asserts }) => asserts.flatMap(({ condition, message }) => [condition, message]));
  const references = [...outputs.map(({ value }) => value), ...conditions].flatMap(referencesIn);
  return new Set(references.map(({ steps: [type, name] }) => `${String(type)}.${String(name)}`));
}

interface Noted {
  readonly block: Block;
  readonly expires: Expiry;
  readonly nowMs: number;
}

function expiryNote(address: string, { block, expires: { atMs, text }, nowMs }: Noted): readonly Diagnostic[] {
  const place = block.locate(["expires"]);
  if (atMs <= nowMs)
    return [
      noteOf("block_expired", "A block has expired", {
        detail: `${address} expired on ${text}, so it counts as not declared: a plan destroys what is left of it.`,
        hint: "Remove the block, or give it a later date.",
        address,
        place,
      }),
    ];
  if (atMs - nowMs > SOON_MS) return [];
  return [
    noteOf("block_expires", "A block expires soon", {
      detail: `${address} expires on ${text}. The first apply after that destroys what it declares.`,
      hint: "To keep it, give it a later date.",
      address,
      place,
    }),
  ];
}

function isProtected(address: string, block: Block): Diagnostic {
  return errorOf("expires_protected", "A protected block that expires", {
    detail: `${address} has protect and expires. After the date, every plan would fail: protect blocks the delete.`,
    hint: "Remove one of them.",
    address,
    place: block.locate(["expires"]),
  });
}

function isReferenced(address: string, block: Block): Diagnostic {
  return errorOf("expires_referenced", "An output or check refers to a block that expires", {
    detail: `An output or a check refers to ${address}, which does not exist after its date.`,
    hint: "Remove the reference, or expires.",
    address,
    place: block.locate(["expires"]),
  });
}
