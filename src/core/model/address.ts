import type { Result } from "./diagnostic.ts";
import { shellWord } from "./shell-word.ts";

/** The name of one instance: `outreach_webhook.audit`, with fan-out `outreach_webhook.audit["emailsSent"]`. */
export interface Address {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly key: string | number | null;
}

const PATTERN = /^(data\.)?([a-z][a-z0-9_]*)\.([\p{L}_][\p{L}\p{N}_-]*)(?:\[(.+)\])?$/u;

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Whether something can be called this, so that its address can be written down and read again. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export function formatAddress({ mode, type, name, key }: Address): string {
  const suffix = key === null ? "" : `[${JSON.stringify(key)}]`;
  return `${mode === "data" ? "data." : ""}${type}.${name}${suffix}`;
}

/** Parses an address as users type it. Error `address_invalid`. */
export function parseAddress(text: string): Result<Address | null> {
  const match = PATTERN.exec(text);
  const key = match ? parseKey(match[4]) : undefined;
  if (!match || key === undefined) {
    return {
      value: null,
      diagnostics: [
        {
          code: "address_invalid",
          severity: "error",
          summary: "Invalid resource address",
          detail: `${JSON.stringify(text)} is not the address of a resource.`,
          hint: text.includes("[")
            ? `Write the key in double quotes, and for a shell all of it in single ones: 'outreach_webhook.audit["emailsSent"]'`
            : "Write TYPE.NAME, as in outreach_webhook.crm-replies.",
        },
      ],
    };
  }
  return { value: { mode: match[1] ? "data" : "managed", type: match[2] ?? "", name: match[3] ?? "", key }, diagnostics: [] };
}

function parseKey(text: string | undefined): string | number | null | undefined {
  if (text === undefined) return null;
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === "string" || typeof key === "number" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** What stands before the key: the block that declares the instance. */
export function blockOf(address: string): string {
  const at = address.indexOf("[");
  return at < 0 ? address : address.slice(0, at);
}

/** An address as it is typed: one with a key has quotes and brackets, which a shell would take away. */
export function typedAddress(address: string): string {
  return address.includes("[") ? shellWord(address) : address;
}

/** The order of everything in a plan: code unit by code unit, so that it is the same on every machine. */
export function byAddress(a: { readonly address: string }, b: { readonly address: string }): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
