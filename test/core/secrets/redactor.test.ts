import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "../../../src/core/secrets/redactor.ts";

const SECRET = 'p"a/ss+wörd? &<x>~';

const ENCODINGS: readonly (readonly [string, (secret: string) => string])[] = [
  ["unchanged", (secret) => secret],
  ["in JSON", (secret) => JSON.stringify(secret).slice(1, -1)],
  ["in a path", encodeURIComponent],
  ["in a form", (secret) => new URLSearchParams({ "": secret }).toString().slice(1)],
  ["in base64", (secret) => Buffer.from(secret).toString("base64")],
  ["in base64 without padding", (secret) => Buffer.from(secret).toString("base64").replace(/=+$/, "")],
  ["in base64 for URLs", (secret) => Buffer.from(secret).toString("base64url")],
  ["in hexadecimal", (secret) => Buffer.from(secret).toString("hex")],
  ["in capital hexadecimal", (secret) => Buffer.from(secret).toString("hex").toUpperCase()],
  ["in an Authorization header", (secret) => Buffer.from(`:${secret}`).toString("base64")],
];

describe("text for people", () => {
  test.each(ENCODINGS)("does not show a secret %s", (_, encode) => {
    const { add, redact } = redactor();
    add(SECRET);
    expect(redact(`before ${encode(SECRET)} after ${encode(SECRET)}`)).toBe("before (sensitive value) after (sensitive value)");
  });

  test("does not show any secret, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 6 }), fc.constantFrom(...ENCODINGS), (secret, [, encode]) => {
        const { add, redact } = redactor();
        add(secret);
        const shown = redact(`<<${encode(secret)}>>`);
        if (!"(sensitive value)".includes(encode(secret))) expect(shown).not.toContain(encode(secret));
      }),
    );
  });

  test("shows no part of a longer secret that starts with a shorter one", () => {
    const { add, redact } = redactor();
    add("secret");
    add("secret-of-secrets");
    expect(redact("secret-of-secrets, secret")).toBe("(sensitive value), (sensitive value)");
  });

  test("is otherwise unchanged", () => {
    const { add, redact } = redactor();
    add(SECRET);
    add("abc");
    expect(redact("abc is too short to distinguish from a word")).toBe("abc is too short to distinguish from a word");
  });

  test("takes a secret that is not well-formed text", () => {
    const { add, redact } = redactor();
    add("half\ud800pair");
    expect(redact("a half\ud800pair b")).toBe("a (sensitive value) b");
  });
});
