import { parseJson } from "./shape.ts";
import { type Result, errorOf } from "./diagnostic.ts";
import { compareText } from "./value.ts";

/** The name of one instance: `TYPE.NAME`, with fan-out `TYPE.NAME["KEY"]`. */
export interface Address {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly key: string | number | null;
}

/** A name as a pattern: letters, digits, `_` and `-`. Four letters are invisible. */
const LETTERS = String.raw`(?:(?![\u115f\u1160\u3164\uffa0])[\p{L}_])(?:(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}_-])*`;

const PATTERN = new RegExp(String.raw`^(data\.)?([a-z][a-z0-9_]*)\.(${LETTERS})(?:\[(.+)\])?$`, "u");

/** A whole name as a pattern, for schemas. */
export const NAME_PATTERN = `^${LETTERS}$`;
const NAME = new RegExp(NAME_PATTERN, "u");

/** Whether a text can be a name, so that addresses with it can be written and parsed again. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export function formatAddress({ mode, type, name, key }: Address): string {
  const suffix = key === null ? "" : `[${JSON.stringify(key)}]`;
  // Joined, not concatenated: a joined text is in one piece, which takes half the memory.
  return [mode === "data" ? "data." : "", type, ".", name, suffix].join("");
}

/** Parses an address as users type it. Error `address_invalid`. */
export function parseAddress(text: string): Result<Address | null> {
  const match = PATTERN.exec(text);
  const key = match ? parseKey(match[4]) : undefined;
  if (!match || key === undefined) {
    return {
      value: null,
      diagnostics: [
        errorOf("address_invalid", "Invalid resource address", {
          detail: `${JSON.stringify(text)} is not the address of a resource.`,
          ways: [{ kind: "write-address", isKeyed: text.includes("[") }],
        }),
      ],
    };
  }
  return {
    value: { mode: match[1] ? "data" : "managed", type: match[2] ?? "", name: match[3] ?? "", key },
    diagnostics: [],
  };
}

/** The parts of a recorded address. What another program wrote and is no address is a name as a whole. */
export function recordedAddress(text: string): Address {
  return parseAddress(text).value ?? { mode: "managed", type: "", name: text, key: null };
}

function parseKey(text: string | undefined): string | number | null | undefined {
  if (text === undefined) return null;
  const key = parseJson(text);
  return typeof key === "string" || typeof key === "number" ? key : undefined;
}

/** The address of the block that declares an instance: its address without the key. */
export function blockOf(address: string): string {
  const at = address.indexOf("[");
  return at < 0 ? address : address.slice(0, at);
}

/** The order of outputs and other named things. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

/** The order of everything in a plan: `a[2]` before `a[10]`. */
export function byAddress(
  { address: a }: { readonly address: string },
  { address: b }: { readonly address: string },
): number {
  if (hasNumber(a) && hasNumber(b) && blockOf(a) === blockOf(b)) return numberOf(a) - numberOf(b);
  return compareText(a, b);
}

/** Whether its key is a number: no quote is before the final bracket. */
function hasNumber(address: string): boolean {
  return address.endsWith("]") && !address.endsWith('"]');
}

function numberOf(address: string): number {
  return Number(address.slice(address.indexOf("[") + 1, -1));
}
