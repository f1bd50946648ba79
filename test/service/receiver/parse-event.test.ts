import { inspect } from "node:util";
import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES as CATALOGUE, REMOVED_EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import {
  EVENT_TYPES,
  EventError,
  type EventErrorCode,
  isKnownEvent,
  parseEvent,
  type ParseOptions,
} from "../../../src/service/receiver/index.ts";

const SECRET = "whsec-new";
const SECRETS = ["whsec-old", SECRET];
const REPLY = {
  _id: "act_1",
  type: "emailsReplied",
  teamId: "tea_1",
  createdAt: "2026-01-02T03:04:05.000Z",
  campaignId: "cam_1",
  leadEmail: "ada@example.com",
  to: [{ address: "sales@example.com", name: "" }],
};
const signed = { ...REPLY, secret: SECRET };
const text = JSON.stringify(signed);
const bytesOf = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);
const parse = (body: unknown, options: unknown = { secrets: SECRETS }): unknown =>
  parseEvent(body as string, options as ParseOptions);

/** The error of a call that must fail. */
function errorOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

function expectRejected(body: unknown, code: EventErrorCode, options?: unknown): void {
  const error = errorOf(() => parse(body, options));
  expect(error).toBeInstanceOf(EventError);
  expect(error).toMatchObject({ name: "EventError", code });
  // The message is about the rule, not about what was sent.
  for (const secret of [...SECRETS, "hidden"])
    expect(inspect(error, { depth: 9 }).replaceAll(/\n {4}at .*/g, "")).not.toContain(secret);
}

describe("an event is accepted", () => {
  test.for<[string, unknown]>([
    ["text", text],
    ["text with a byte order mark", `\uFEFF${text}`],
    ["text with a repeated field: the last counts", text.replace("{", `{"secret":"whsec-other","_id":"act_0",`)],
    ["bytes", bytesOf(text)],
    ["bytes with a byte order mark", bytesOf(`\uFEFF${text}`)],
    ["a part of a buffer", bytesOf(`xx${text}xx`).subarray(2, -2)],
    ["a Buffer", Buffer.from(text)],
    ["a DataView", new DataView(bytesOf(text).buffer)],
    ["an ArrayBuffer", bytesOf(text).buffer],
    [
      "an ArrayBuffer of another realm",
      vm.runInNewContext("Uint8Array.from(bytes).buffer", { bytes: [...bytesOf(text)] }),
    ],
    ["an object", signed],
    ["an object without a prototype", Object.assign(Object.create(null) as object, signed)],
    [
      "an object with a getter",
      {
        ...signed,
        get secret() {
          return SECRET;
        },
      },
    ],
  ])("as %s", ([, body]) => {
    expect(parse(body)).toEqual(REPLY);
  });

  test.for([["old", "whsec-old"] as const, ["new", "whsec-new"] as const])(
    "with the %s secret during a rotation",
    ([, secret]) => {
      expect(parse({ ...REPLY, secret })).toEqual(REPLY);
    },
  );

  test.for(["ü€😀", "a".repeat(5000), "a b", "\u0000", "__proto__"])("with the secret %j", (secret) => {
    expect(parse(JSON.stringify({ ...REPLY, secret }), { secrets: ["x", secret, "y"] })).toEqual(REPLY);
  });

  test("with any secret of the list, and with no other", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1, unit: "grapheme" }).filter((secret) => secret === secret.trim()),
          { minLength: 1, maxLength: 5 },
        ),
        fc.string({ unit: "grapheme" }),
        (secrets, other) => {
          for (const secret of secrets) expect(parse(JSON.stringify({ ...REPLY, secret }), { secrets })).toEqual(REPLY);
          if (!secrets.includes(other)) expectRejected({ ...REPLY, secret: other }, "secret_wrong", { secrets });
        },
      ),
    );
  });

  test("without verification if the caller says so, and never with a secret in it", () => {
    expect(parse(REPLY, { unverified: true })).toEqual(REPLY);
    expect(parse(text, { unverified: true })).toEqual(REPLY);
    expect(parse({ ...REPLY, secret: 5 }, { unverified: true })).toEqual(REPLY);
  });

  test("and the caller's object stays as it is", () => {
    const body = Object.freeze({ ...signed });
    expect(parse(body)).not.toHaveProperty("secret");
    expect(body).toEqual(signed);
  });

  test("with secrets that change in the same list", () => {
    const secrets = ["whsec-1"];
    expect(parse({ ...REPLY, secret: "whsec-1" }, { secrets })).toEqual(REPLY);
    secrets[0] = "whsec-2";
    expect(parse({ ...REPLY, secret: "whsec-2" }, { secrets })).toEqual(REPLY);
    expectRejected({ ...REPLY, secret: "whsec-1" }, "secret_wrong", { secrets });
  });

  test("with more secrets than the digests that are kept", () => {
    const secrets = Array.from({ length: 250 }, (_, index) => `whsec-${String(index)}`);
    for (const secret of [secrets[0], secrets[120], secrets[249]])
      expect(parse({ ...REPLY, secret }, { secrets })).toEqual(REPLY);
  });

  test("of every type of the catalogue as known, and of any other type as unknown", () => {
    expect(EVENT_TYPES).toEqual(CATALOGUE.map(({ name }) => name));
    for (const { name } of CATALOGUE)
      expect(isKnownEvent(parseEvent({ ...signed, type: name }, { secrets: SECRETS }))).toBe(true);
    for (const type of ["brandNew", "constructor", "__proto__", ...REMOVED_EVENT_TYPES.map(({ name }) => name)]) {
      const event = parseEvent({ ...signed, type }, { secrets: SECRETS });
      expect(event).toEqual({ ...REPLY, type });
      expect(isKnownEvent(event)).toBe(false);
    }
  });

  test("with fields that the service does not document", () => {
    const more = text.replace("{", '{"brandNew":{"deep":[1e400,12345678901234567890,null]},"teamName":5,');
    expect(parse(more)).toEqual({ ...REPLY, brandNew: { deep: [Infinity, 12345678901234567000, null] }, teamName: 5 });
    const deep = (levels: number): string => text.replace("{", `{"deep":${"[".repeat(levels)}${"]".repeat(levels)},`);
    expect(parse(deep(99))).toMatchObject(REPLY);
    for (const levels of [100, 20_000]) expectRejected(deep(levels), "not_an_event");
  });

  test("without a field that changes the prototype of a copy", () => {
    const event = parse(
      text.replace("{", '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},'),
    ) as object;
    expect(Object.keys(event)).not.toContain("__proto__");
    expect(Object.getPrototypeOf(Object.assign({}, event))).toBe(Object.prototype);
    expect({}).not.toHaveProperty("isAdmin");
  });
});

describe("a body is rejected", () => {
  test.for<[EventErrorCode, string, unknown]>([
    ["invalid_json", "is empty", ""],
    ["invalid_json", "has no bytes", new Uint8Array()],
    ["invalid_json", "is not JSON", `hidden ${SECRET}`],
    ["invalid_json", "is cut off", text.slice(0, -1)],
    ["invalid_json", "is not UTF-8", Uint8Array.of(...bytesOf('{"secret":"'), 0xff, ...bytesOf('"}'))],
    ["invalid_json", "is UTF-16", Buffer.from(text, "utf16le")],
    ["not_an_event", "is an array", `[${text}]`],
    ["not_an_event", "is an array of the caller", [signed]],
    ["not_an_event", "is null", "null"],
    ["not_an_event", "is null of the caller", null],
    ["not_an_event", "is undefined", undefined],
    ["not_an_event", "is a number", "1e999"],
    ["not_an_event", "is a text", `"${SECRET}"`],
    [
      "not_an_event",
      "has a getter that fails",
      {
        ...signed,
        get _id(): string {
          throw new Error(`hidden ${SECRET}`);
        },
      },
    ],
    ["not_an_event", "is a proxy that is revoked", revoked()],
    ["secret_missing", "has no secret", REPLY],
    [
      "secret_missing",
      "has a secret only in its prototype",
      JSON.stringify(REPLY).replace("{", `{"__proto__":{"secret":"${SECRET}"},`),
    ],
    ["secret_missing", "inherits its secret", Object.assign(Object.create({ secret: SECRET }) as object, REPLY)],
    ["secret_missing", "has null as its secret", { ...REPLY, secret: null }],
    ["secret_missing", "is an empty object", "{}"],
    ["secret_wrong", "has another secret", { ...REPLY, secret: "hidden" }],
    ["secret_wrong", "has an empty secret", { ...REPLY, secret: "" }],
    ["secret_wrong", "has a part of the secret", { ...REPLY, secret: SECRET.slice(0, -1) }],
    ["secret_wrong", "has more than the secret", { ...REPLY, secret: `${SECRET} ` }],
    ["secret_wrong", "has a number as its secret", { ...REPLY, secret: 5 }],
    ["secret_wrong", "has a list as its secret", { ...REPLY, secret: [SECRET] }],
    [
      "secret_wrong",
      "has an object as its secret",
      { ...REPLY, secret: { toString: () => SECRET, length: SECRET.length } },
    ],
    [
      "secret_wrong",
      "has two secrets, and the last is wrong",
      text.replace("}", `}`).replace(/\}$/, ',"secret":"hidden"}'),
    ],
    ...["_id", "type"].flatMap((field) =>
      [undefined, null, "", 5, ["x"], {}].map((value): [EventErrorCode, string, unknown] => [
        "not_an_event",
        `has ${field} ${JSON.stringify(value) ?? "not at all"}`,
        { ...signed, [field]: value },
      ]),
    ),
    ["not_an_event", "has a long _id", { ...signed, _id: "a".repeat(257) }],
    ["not_an_event", "has a long type", { ...signed, type: "a".repeat(257) }],
  ])("with %s if it %s", ([code, , body]) => {
    expectRejected(body, code);
  });

  test("before its fields are looked at, if the secret is wrong", () => {
    expectRejected({ secret: "hidden" }, "secret_wrong");
  });

  test.for([
    ["text", (content: string) => content],
    ["bytes", bytesOf],
    ["an ArrayBuffer", (content: string) => bytesOf(content).buffer],
  ] as const)("as %s above maxBytes, which counts bytes", ([, form]) => {
    const content = JSON.stringify({ ...signed, leadFirstName: "Zoë €" });
    const size = bytesOf(content).length;
    expect(size).toBeGreaterThan(content.length);
    expect(parse(form(content), { secrets: SECRETS, maxBytes: size })).toMatchObject(REPLY);
    expectRejected(form(content), "body_too_large", { secrets: SECRETS, maxBytes: size - 1 });
    expectRejected(form(" ".repeat(1_048_577)), "body_too_large");
    expectRejected(form(" ".repeat(1_048_576)), "invalid_json");
  });
});

describe("options that cannot verify anything are a TypeError", () => {
  test.for<[RegExp, unknown]>([
    [/at least one secret/, undefined],
    [/at least one secret/, null],
    [/at least one secret/, {}],
    [/at least one secret/, { unverified: false }],
    [/at least one secret/, { unverified: "true" }],
    [/at least one secret/, { secrets: [] }],
    [/at least one secret/, { secrets: SECRET }],
    [/at least one secret/, { secrets: null }],
    [/at least one secret/, { secrets: new Set(SECRETS) }],
    [/^secrets\[1\] is undefined.*environment variable/, { secrets: [SECRET, undefined] }],
    [/^secrets\[0\] is empty.*environment variable/, { secrets: ["", SECRET] }],
    [/^secrets\[0\] is null/, { secrets: [null] }],
    [/^secrets\[1\] is undefined/, { secrets: [SECRET, , SECRET] }], // oxlint-disable-line no-sparse-arrays -- on purpose
    [/^secrets\[0\] is number/, { secrets: [5] }],
    [/either/, { secrets: SECRETS, unverified: true }],
    [/maxBytes/, { secrets: SECRETS, maxBytes: 0 }],
    [/maxBytes/, { secrets: SECRETS, maxBytes: Number.NaN }],
    [/maxBytes/, { secrets: SECRETS, maxBytes: "1 MiB" }],
  ])("%s: %o", ([message, options]) => {
    for (const body of [text, "not JSON"]) {
      const error = errorOf(() => parseEvent(body, options as ParseOptions));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).not.toContain(SECRET);
    }
  });
});

test("options whose secrets are gone when they are compared accept nothing", () => {
  const lists: (readonly string[] | undefined)[] = [SECRETS, undefined];
  const options = {
    get secrets() {
      return lists.shift();
    },
  };
  expect(() => parse({ ...REPLY, secret: "hidden" }, options)).toThrow(TypeError);
});

test("no body makes parseEvent fail in another way", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.uint8Array(), fc.object()), (body) => {
      expect(errorOf(() => parse(body))).toBeInstanceOf(EventError);
    }),
  );
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
