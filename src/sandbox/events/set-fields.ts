import type { EventTypeName } from "../../service/events/event-catalog.ts";
import { fieldsOf, PAYLOAD_FIELDS, type PayloadField } from "../../service/events/payload.ts";
import { didYouMean } from "../closest.ts";
import { parseIsoTime } from "../sandbox-time.ts";
import type { Payload } from "./event-payload.ts";
import { isAddress, readRecipient, readRecipients, type Recipient } from "./recipients.ts";

/** `name`, `name[0]` or `name[0].member`. */
const PATH = /^([A-Za-z_]\w*)(?:\[(\d{1,4})\](?:\.(\w+))?)?$/;

/** Fields that the choice of the event decides, and how to choose. A value that the event has anyway is no error. */
const CHOSEN: Readonly<Record<string, (has: string) => string>> = {
  type: (has) => `the event's type is ${has}`,
  teamId: (has) => `the event's team is ${has}, and its campaign decides that`,
  campaignId: (has) => `the event's campaign is ${has}; choose another one with --campaign`,
  leadId: (has) => `the event's lead is ${has}; choose another one with --lead`,
  isThirdPartyReply: () => "make a third-party reply with --third-party",
};

/**
 * `payload` with fields changed by path. Each error is a sentence without its full stop that starts with the path: an unknown path, a value that the
 * field cannot have, a field that belongs to the choice of the event.
 */
export function setFields(
  payload: Payload,
  set: Readonly<Record<string, unknown>>,
  type: EventTypeName,
): { payload: Payload; errors: readonly string[] } {
  const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
  const isThirdParty = payload["isThirdPartyReply"] === true;
  const changed = new Map(Object.entries(payload));
  const errors: string[] = [];
  for (const [path, value] of Object.entries(set)) {
    const [, name = "", index, member] = PATH.exec(path) ?? [];
    const field = fields.get(name);
    const error = field
      ? (refusal(field, value, payload, isThirdParty) ??
        change(changed, field, { index: index === undefined ? null : Number(index), member }, value))
      : unknownField(path, name, type, [...fields.keys()]);
    if (error !== null) errors.push(`${shown(path)}: ${error}`);
  }
  for (const [name, value] of changed)
    if (Array.isArray(value) && value.some((one: Recipient) => one.address === ""))
      errors.push(`${name}: a recipient needs an address`);
  // The specification's order, whatever the order of the changes. Empty lists are absent.
  const ordered = PAYLOAD_FIELDS.flatMap(({ name }): [string, unknown][] => {
    const value = changed.get(name);
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
  });
  return { payload: Object.fromEntries(ordered), errors };
}

/** A path in messages: quoted if it contains anything unusual. */
function shown(path: string): string {
  return /^[\w.[\]]{1,100}$/.test(path) ? path : JSON.stringify(path.slice(0, 100));
}

function unknownField(path: string, name: string, type: EventTypeName, known: readonly string[]): string {
  if (PAYLOAD_FIELDS.some((field) => field.name === name)) return `an event of type ${type} has no ${name}`;
  if (!PATH.test(path)) return `not a path; use a field such as subject, or an element such as to[0].name`;
  const meant = didYouMean(name, known);
  return `an event of type ${type} has no such field${meant === "" ? `; its fields are ${known.filter((field) => !(field in CHOSEN) && field !== "secret").join(", ")}` : meant}`;
}

function refusal({ name }: PayloadField, value: unknown, payload: Payload, isThirdParty: boolean): string | null {
  if (name === "secret") return "the sandbox adds the secret of each webhook";
  if (isThirdParty && /^(?:campaign|lead|sequence)/.test(name))
    return "a third-party reply has no campaign, lead or sequence";
  const chosen = CHOSEN[name];
  const has = payload[name];
  if (!chosen || has === value || (has === true && value === "true")) return null;
  return chosen(typeof has === "string" ? has : "none");
}

/** Changes one field, or an element of its list; returns the problem. */
function change(
  changed: Map<string, unknown>,
  field: PayloadField,
  at: { readonly index: number | null; readonly member: string | undefined },
  value: unknown,
): string | null {
  if (field.form === "recipients") return changeRecipients(changed, field.name, at, value);
  if (at.index !== null) return `${field.name} is not a list`;
  const read = readValue(field, value);
  if (typeof read === "object") return read.error;
  changed.set(field.name, read);
  return null;
}

function changeRecipients(
  changed: Map<string, unknown>,
  name: string,
  { index, member }: { readonly index: number | null; readonly member: string | undefined },
  value: unknown,
): string | null {
  if (index === null) {
    const read = readRecipients(value);
    if ("error" in read) return read.error;
    changed.set(name, read);
    return null;
  }
  const before = (changed.get(name) ?? []) as readonly Recipient[];
  if (index > before.length)
    return `${name} has ${before.length === 1 ? "1 recipient" : `${String(before.length)} recipients`}, so the next one is ${name}[${String(before.length)}]`;
  const recipient = changedRecipient(before[index] ?? { address: "", name: "" }, member, value);
  if ("error" in recipient) return recipient.error;
  changed.set(name, before.toSpliced(index, 1, recipient));
  return null;
}

function changedRecipient(
  before: Recipient,
  member: string | undefined,
  value: unknown,
): Recipient | { readonly error: string } {
  if (member === undefined) return readRecipient(value);
  if (member === "name") return typeof value === "string" ? { ...before, name: value } : { error: "must be text" };
  if (member !== "address") return { error: `a recipient has no ${member}, only address and name` };
  return typeof value === "string" && isAddress(value)
    ? { ...before, address: value.toLowerCase() }
    : { error: "must be an email address" };
}

function readValue(
  { form, prefix }: PayloadField,
  value: unknown,
): string | number | boolean | { readonly error: string } {
  if (form === "flag") return true;
  if (form === "index") {
    const step = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(step) && Number(step) >= 0
      ? Number(step)
      : { error: "must be a whole number, 0 or more" };
  }
  if (typeof value !== "string") return { error: "must be text" };
  if (form === "time" && parseIsoTime(value) === null)
    return { error: "must be a date-time in UTC, as in 2026-07-01T12:00:00.000Z" };
  if (form === "email" && !isAddress(value)) return { error: "must be an email address" };
  if (prefix !== undefined && !(value.startsWith(prefix) && /^[A-Za-z0-9_-]{2,128}$/.test(value)))
    return { error: `must be an id that starts with ${prefix}` };
  return value;
}
