import type { OutreachEvent, Recipient } from "./generated/events.ts";
import { FIELD_FORMS, type FieldForm } from "./generated/field-forms.ts";

/** The fields of an event as the service sent them, except `secret`. `_id` and `type` are not empty. */
export interface SentFields {
  readonly _id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The event, true to its types: a documented field holds what its type says, or is absent. Null is absent. Another form is read as what it
 * means, such as the step `"2"`, and left out if it means nothing. Fields that are not documented stay as they are.
 */
export function readFields(sent: SentFields): OutreachEvent {
  const fields = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    const form = FIELD_FORMS.get(name);
    const read = form === undefined ? value : READERS[form](value);
    return read === undefined ? [] : [[name, read]];
  });
  return Object.fromEntries(fields) as unknown as OutreachEvent;
}

/** Undefined: the value means nothing. */
const READERS: { readonly [Form in FieldForm]: (value: unknown) => unknown } = {
  text: (value) => (typeof value === "number" ? numberText(value) : textOf(value)),
  time: textOf,
  number: (value) => {
    const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  },
  flag: (value) =>
    ["boolean", "string", "number"].includes(typeof value) ? FLAGS.get(String(value).toLowerCase()) : undefined,
  recipients: (value) => (Array.isArray(value) ? value.flatMap(recipientsOf) : undefined),
};

const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** A number that JSON cannot carry exactly stands for several ids: it means nothing. */
function numberText(value: number): string | undefined {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : String(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** None, or one. The specification promises an address and a name, which can be empty. */
function recipientsOf(value: unknown): readonly Recipient[] {
  if (typeof value === "string") return [{ address: value, name: "" }];
  const { address, name } = (value ?? {}) as { readonly address?: unknown; readonly name?: unknown };
  return typeof address === "string" ? [{ ...(value as object), address, name: textOf(name) ?? "" }] : [];
}
