import { checkKnown } from "./known-options.ts";
import { checkSecrets, isAccepted } from "./accepted-secrets.ts";
import { EventError } from "./event-error.ts";
import { type OutreachEvent, EVENT_TYPES, type KnownEvent } from "./generated/events.ts";
import { readFields, type SentFields } from "./read-fields.ts";

/** The default of `maxBytes`: 1 MiB. */
export const MAX_BYTES = 1_048_576;
/** `_id` and `type` have at most so many characters, so that remembering events needs bounded memory. */
const MAX_NAME = 256;
/** Events have three levels. Writing what has thousands, as JSON or to a log, ends in an error. */
export const MAX_DEPTH = 100;

/** How to verify events. */
export type ParseOptions = (
  | {
      /**
       * Every secret to accept: one, or two during a rotation. Never empty. An empty or undefined secret is a TypeError, because
       * it is usually a missing environment variable. So is a secret with white space at its start or end.
       *
       * A function is called with each event, the first time at the first request: for builds that load the receiver without its
       * secrets. What it gives is checked then.
       */
      readonly secrets: readonly string[] | (() => readonly string[]);
      readonly unverified?: false;
    }
  | {
      /** Accepts events from anyone: for webhooks without a secret. */
      readonly unverified: true;
      readonly secrets?: never;
    }
) & {
  /** The most bytes that a body may have. 1 MiB by default. Does not apply to an object. */
  readonly maxBytes?: number;
};

/**
 * Verifies and reads one event. The body is the text or the bytes of a request, or the object that a body parser has made of it.
 * The event has no `secret`. A type that this version does not know is accepted, and an event needs no fields but `_id` and `type`.
 *
 * The event is true to its types. A documented field that is null, or that cannot be read as its type, is absent. A number or a boolean as
 * text is what it means. Fields that the specification does not show are as the service sent them.
 *
 * Throws an `EventError`. Its message, and the event, never contain the secret. Throws a TypeError if the options cannot verify anything, or for an unknown option.
 */
export function parseEvent(body: string | Uint8Array | ArrayBuffer | object, options: ParseOptions): OutreachEvent {
  checkKnown(options, PARSE_OPTIONS);
  return readEvent(body, options);
}

/** The names in `ParseOptions`. */
export const PARSE_OPTIONS = ["secrets", "unverified", "maxBytes"];

/** Reads an event as `parseEvent` does, with options that were checked before. */
export function readEvent(body: string | Uint8Array | ArrayBuffer | object, options: ParseOptions): OutreachEvent {
  return readFields(verifyEvent(body, options));
}

/** Verifies one event as `parseEvent` does, and leaves its fields as the service sent them, without `secret`. */
export function verifyEvent(body: string | Uint8Array | ArrayBuffer | object, options: ParseOptions): SentFields {
  checkOptions(options);
  const secrets = options.unverified === true ? null : secretsOf(options.secrets);
  // A field named __proto__ would change the prototype of copies of the event.
  const { secret, ["__proto__"]: _, ...event } = fieldsOf(body, options.maxBytes ?? MAX_BYTES);
  if (secrets !== null) checkSecret(secret, secrets);
  return checkFields(event);
}

function secretsOf(secrets: readonly string[] | (() => readonly string[])): readonly string[] {
  if (typeof secrets !== "function") return secrets;
  const given: unknown = secrets();
  checkSecrets(given);
  return given;
}

interface AnyOptions {
  readonly secrets?: unknown;
  readonly unverified?: unknown;
  readonly maxBytes?: unknown;
}

/** Throws a TypeError if the options cannot verify anything. Callers without types can pass anything. */
export function checkOptions(options: AnyOptions | null | undefined): void {
  const { secrets, unverified, maxBytes } = options ?? {};
  if (secrets !== undefined && unverified === true) throw new TypeError("Pass either secrets or unverified: true.");
  if (maxBytes !== undefined && !(typeof maxBytes === "number" && maxBytes > 0))
    throw new TypeError("maxBytes must be a number above 0.");
  if (unverified !== true && typeof secrets !== "function") checkSecrets(secrets);
}

interface Fields {
  readonly [field: string]: unknown;
}

/** A copy: the caller's object stays as it is. */
function fieldsOf(body: unknown, maxBytes: number): Fields {
  try {
    const value = isBytes(body)
      ? parse(decode(body, maxBytes))
      : typeof body === "string"
        ? parse(limited(body, maxBytes))
        : body;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new EventError("not_an_event", "The body is not a JSON object.");
    if (isDeeperThan(value, MAX_DEPTH))
      throw new EventError("not_an_event", `The body nests deeper than ${String(MAX_DEPTH)} levels.`);
    return { ...value };
  } catch (error) {
    if (error instanceof EventError) throw error;
    // A getter failed. Its error could contain the secret.
    throw new EventError("not_an_event", "The fields of the object cannot be read.");
  }
}

/** An object that contains itself is deeper, too. */
function isDeeperThan(root: object, levels: number): boolean {
  return (
    levels === 0 ||
    Object.values(root).some((one: unknown) => typeof one === "object" && one !== null && isDeeperThan(one, levels - 1))
  );
}

/** Also those of another realm, such as a test runner's. */
function isBytes(body: unknown): body is Uint8Array | ArrayBuffer {
  return ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === "[object ArrayBuffer]";
}

function decode(bytes: Uint8Array | ArrayBuffer, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new EventError("invalid_json", "The body is not UTF-8.");
  }
}

function limited(text: string, maxBytes: number): string {
  // One UTF-16 unit is 1 to 3 bytes.
  const isShort = text.length * 3 <= maxBytes;
  if (!isShort && (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes))
    throw tooLarge(maxBytes);
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** The error of a body that has more than `maxBytes` bytes. */
export function tooLarge(maxBytes: number): EventError {
  return new EventError("body_too_large", `The body has more than ${String(maxBytes)} bytes.`);
}

function parse(text: string): unknown {
  if (text === "") throw new EventError("invalid_json", "The body is empty.");
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message contains a part of the body.
    throw new EventError("invalid_json", "The body is not JSON.");
  }
}

function checkSecret(secret: unknown, secrets: readonly string[]): void {
  if (secret === undefined || secret === null)
    throw new EventError("secret_missing", "The event has no secret. Does its webhook have one?");
  if (typeof secret !== "string" || !isAccepted(secret, secrets))
    throw new EventError("secret_wrong", "The event's secret is not an accepted one.");
}

/** A sender with the secret is the service: only what a handler cannot do without is checked. */
function checkFields(event: Fields): SentFields {
  const { _id, type } = event;
  return { ...event, _id: checkName("_id", _id), type: checkName("type", type) };
}

function checkName(field: string, value: unknown): string {
  if (typeof value !== "string" || value === "")
    throw new EventError("not_an_event", `${field} is not a non-empty string.`);
  if (value.length > MAX_NAME)
    throw new EventError("not_an_event", `${field} has more than ${String(MAX_NAME)} characters.`);
  return value;
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Whether this version knows the event's type. */
export function isKnownEvent(event: OutreachEvent): event is KnownEvent {
  return KNOWN.has(event.type);
}
