import { describe, expect, test } from "vitest";
import { canonicalEmail, cleanedEmail, isEmail } from "../../src/service/api/email-address.ts";

describe("no address", () => {
  test.each([
    ["<ada@example.com>", "ada@example.com"],
    ["Ada Lovelace <ada@example.com>", "ada@example.com"],
    ["mailto:ada@example.com", "ada@example.com"],
    ["MAILTO:ada@example.com?subject=Hi", "ada@example.com"],
    ["'ada@example.com", "ada@example.com"],
    ['="ada@example.com"', "ada@example.com"],
    ["=ada@example.com", "ada@example.com"],
    ['"ada@example.com"', "ada@example.com"],
    ["“ada@example.com”", "ada@example.com"],
    ['["ada@example.com"]', "ada@example.com"],
    ["ada@example.com.", "ada@example.com"],
    ["ada@example..com", "ada@example.com"],
    ["ada@example.com;", "ada@example.com"],
    [" ada@example.com", "ada@example.com"],
    ["ada@exam\u{200b}ple.com", "ada@example.com"],
    ["ada@exam\u{fe0f}ple.com", "ada@example.com"],
    ["ada\u{34f}@example.com", "ada@example.com"],
    ["ada@example.com; bob@example.com", null],
    ["ada@example.com,bob@example.com", null],
    ["ada@@example.com", null],
    ["ada@", null],
    ["@example.com", null],
    ["ada", null],
    ["a b@example.com", null],
    ["ada@exa mple.com", null],
    ["ada@-example.com", null],
    ["ada@example.com/x", null],
    ["ada@exa%2emple.com", null],
    ["ada@[192.0.2.1]", null],
    [`${"a".repeat(250)}@b.example`, null],
    ["", null],
    [null, null],
    [7, null],
  ])("%j, cleaned: %j", (text, cleaned) => {
    expect(isEmail(text)).toBe(false);
    if (typeof text === "string") expect(cleanedEmail(text)).toBe(cleaned);
  });
});

test.each([
  "ada@example.com",
  "ADA.B+tag@sub-domain.example.co.uk",
  "o'brien@example.com",
  "a/b=c!#$%&*?^`{|}~@example.com",
  "ada..b@docomo.example",
  "ada@b",
  "ada@x_y.example",
  "ada@192.0.2.1",
  "ada@münchen.example",
  "ada@mu\u{308}nchen.example",
  "ada@例え。テスト",
  "josé@example.com",
  "ada@xn--mnchen-3ya.example",
])("%j is an address", (text) => {
  expect(isEmail(text)).toBe(true);
  expect(cleanedEmail(text)).toBeNull();
});

test.each([
  ["case", "Ada@Example.COM", "ada@example.com"],
  ["a host in Unicode and in punycode", "ada@MÜNCHEN.example", "ada@xn--mnchen-3ya.example"],
  ["composed characters", "ada@mu\u{308}nchen.example", "ada@xn--mnchen-3ya.example"],
  ["composed characters of a name", "Jose\u{301}@example.com", "jos\u{e9}@example.com"],
  ["other dots", "ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ["wide letters", "ada@ｅｘａｍｐｌｅ.com", "ada@example.com"],
  ["what is no address keeps its form", "Ada @Example.com ", "ada @example.com "],
])("%s makes no difference", (_, text, canonical) => {
  expect(canonicalEmail(text)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});
