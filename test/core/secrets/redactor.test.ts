import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable } from "../../../src/core/model/words.ts";
import { personalMask } from "../../../src/core/secrets/personal-mask.ts";
import { redactor } from "../../../src/core/secrets/redactor.ts";
import { nodeKeyedDigest } from "../../../src/platform/node-digest.ts";

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
    expect(redact(`before ${encode(SECRET)} after ${encode(SECRET)}`)).toBe(
      "before (sensitive value) after (sensitive value)",
    );
  });

  test("does not show any secret, whatever is in it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 6 }),
        fc.constantFrom(...ENCODINGS),
        (secret, [, encode]) => {
          const { add, redact } = redactor();
          add(secret);
          const shown = redact(`<<${encode(secret)}>>`);
          if (!"(sensitive value)".includes(encode(secret))) expect(shown).not.toContain(encode(secret));
        },
      ),
    );
  });

  test("shows no part of a longer secret that starts with a shorter one", () => {
    const { add, redact } = redactor();
    add("secret");
    add("secret-of-secrets");
    expect(redact("secret-of-secrets, secret")).toBe("(sensitive value), (sensitive value)");
  });

  test("does not show a secret of four characters", () => {
    const { add, redact, redactForeign } = redactor();
    add("pw-1");
    expect([redact("it is pw-1."), redactForeign("it is pw-1.")]).toEqual([
      "it is (sensitive value).",
      "it is (sensitive value).",
    ]);
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

const WITHHELD = "(text not shown: it contains a sensitive value)";

/** Encodings in which a service may quote what it was sent, inside each other. */
const LAYERS: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => JSON.stringify({ error: { sent: text } }),
  (text) => JSON.stringify(text).replaceAll("/", String.raw`\/`),
  (text) => units(text, (unit) => String.raw`\u${hexadecimal(unit, 4)}`),
  (text) =>
    units(text, (unit, character) => (unit < 128 ? character : String.raw`\u${hexadecimal(unit, 4).toUpperCase()}`)),
  (text) => points(text, (point) => `&#${String(point)};`),
  (text) => points(text, (point) => `&#x${point.toString(16)};`),
  (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("/", "&sol;"),
  (text) => encodeURIComponent(text),
  (text) => [...Buffer.from(text)].map((byte) => `%${hexadecimal(byte, 2)}`).join(""),
  (text) => Buffer.from(JSON.stringify({ a: text })).toString("base64"),
  (text) => Buffer.from(text).toString("base64url"),
  (text) => Buffer.from(text).toString("hex"),
];

function units(text: string, written: (unit: number, character: string) => string): string {
  return text
    .split("")
    .map((character) => written(character.charCodeAt(0), character))
    .join("");
}

function points(text: string, written: (point: number) => string): string {
  return Array.from(text, (character) => written(character.codePointAt(0) ?? 0)).join("");
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Texts in which every piece is special in one of the encodings, with enough letters to recognise them. */
const SECRETS = fc
  .array(
    fc.constantFrom(
      "a",
      "Bc",
      "7",
      "é",
      "😀",
      "/",
      '"',
      "\\",
      "&",
      "&amp;",
      "%",
      "%41",
      "+",
      " ",
      "<",
      "n",
      "u00e9",
      "\n",
      "=",
      ";",
      "#",
    ),
    {
      minLength: 4,
      maxLength: 12,
    },
  )
  .map((parts) => `k3y${parts.join("")}Z9`);
const NESTINGS = fc.array(fc.constantFrom(...LAYERS), { maxLength: 4 });

describe("text of unknown origin", () => {
  test("does not show a secret in any nesting of encodings", () => {
    fc.assert(
      fc.property(SECRETS, NESTINGS, (secret, layers) => {
        const { add, redactForeign } = redactor();
        add(secret);
        const text = `no: ${layers.reduce((inner, encode) => encode(inner), secret)} !`;
        const shown = redactForeign(text);
        if (text.length > 16_384) expect(shown).toMatch(/^\(text of \d+ characters not shown\)$/);
        else
          expect(shown === WITHHELD || (shown.includes("(sensitive value)") && !/k3y|z9/i.test(shown)), shown).toBe(
            true,
          );
      }),
      { numRuns: 300 },
    );
  });

  test("shows an address of a lead only where the mask of addresses finds it", () => {
    const email = "ada.l+x@example.com";
    const masked = personalMask(() => "00", nodeKeyedDigest);
    masked.add([email]);
    fc.assert(
      fc.property(NESTINGS, (layers) => {
        const text = `no: ${layers.reduce((inner, encode) => encode(inner), email)} !`;
        const shown = masked.mask(redactor().redactForeign(text));
        expect(shown === WITHHELD || text.length > 16_384 || shown.includes("a***@example.com#")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    "ada.l@example.com",
    "ada.l(at)example.com",
    "Ada.L [AT] example.com",
    "ada.l (at) example (dot) com",
    "ada.l at example.com",
    "ada.l AT example dot com",
    "ａｄａ．ｌ＠ｅｘａｍｐｌｅ．ｃｏｍ",
    "ａｄａ．ｌ at ｅｘａｍｐｌｅ．ｃｏｍ",
    "a\u200bda.l\u2060@exam\u00adple.com",
    "ada.l\u200b(at)\ufeffexample\u00ad.com",
    "ada.l\ufe0f@example\u{e0020}.com",
    "&#65281;ada.l&#x200b;@example.com",
    encodeURIComponent("ada.l＠example.com"),
  ])("shows no known address that is written as %s", (written) => {
    const masked = personalMask(() => "00", nodeKeyedDigest);
    masked.add(["ada.l@example.com"]);
    for (const text of [written, `No lead for ${written}, sorry`, JSON.stringify({ error: `mail at ${written}.` })]) {
      const shown = masked.mask(printable(redactor().redactForeign(text)));
      expect(shown).toContain("a***@example.com#");
      expect(shown.normalize("NFKC").toLowerCase()).not.toMatch(/ada\.l|example (at|dot|com)/);
    }
  });

  test("shows a word at a host that no known address has", () => {
    const masked = personalMask(() => "00", nodeKeyedDigest);
    masked.add(["ada@example.com"]);
    const text = "Failed at example.com at 10.30, adam at example.com";
    expect(masked.mask(redactor().redactForeign(text))).toBe(text);
  });

  test.each([
    "Internal error",
    '{"error":"no such thing","at":"2026-11-22T10:00:00Z"}',
    "<html><head><title>502 Bad Gateway</title></head></html>",
    "Trace 5f2b8c1e9d7a4b3c8f6e, request QmFkIGdhdGV3YXk=",
    "100% of a\\b & c",
    "全角の文、ｋｅｙ① … ok (at) noon",
  ])("is otherwise unchanged: %s", (text) => {
    const { add, redactForeign } = redactor();
    add(SECRET);
    expect(redactForeign(text)).toBe(text);
  });

  test("is not shown when nobody would read it all", () => {
    expect(redactor().redactForeign("x".repeat(20_000))).toBe("(text of 20000 characters not shown)");
  });

  test("with thousands of layers ends soon, and is not shown", () => {
    expect(redactor().redactForeign(`%${"25".repeat(8000)}41`)).toBe(WITHHELD);
  });
});
