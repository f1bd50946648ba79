import { expect, test } from "vitest";
import { leaks, spellings } from "./spellings.ts";

const CANARY = { name: "the key", value: 'canary/w+1 "quoted" \\ü~?>:<&' };
const bytes = Buffer.from(CANARY.value);
const escaped = JSON.stringify(CANARY.value).slice(1, -1);

test.each<readonly [string, string]>([
  ["raw", `x${CANARY.value}y`],
  ["JSON", JSON.stringify({ a: [CANARY.value] })],
  ["JSON of PHP", escaped.replaceAll("/", "\\/")],
  ["JSON of Go", escaped.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026")],
  ["a URL", `https://a.example/${encodeURIComponent(CANARY.value)}?b`],
  ["a URL in lower case", encodeURIComponent(CANARY.value).replaceAll(/%../g, (one) => one.toLowerCase())],
  ["a form", new URLSearchParams({ a: CANARY.value, b: "c" }).toString()],
  ["hex", `00${bytes.toString("hex")}ff`],
  ["hex in upper case", bytes.toString("hex").toUpperCase()],
  ...["", ":", "ab", "abc", "Bearer "].flatMap((before) =>
    ["", "z", "yz"].flatMap((after) =>
      (["base64", "base64url"] as const).map((encoding): readonly [string, string] => [
        `${encoding} between ${JSON.stringify(before)} and ${JSON.stringify(after)}`,
        Buffer.from(`${before}${CANARY.value}${after}`).toString(encoding),
      ]),
    ),
  ),
])("finds a leak in %s", (_encoding, content) => {
  expect(leaks([CANARY], { "a place": content, "a clean place": "nothing" })).toEqual([
    expect.stringMatching(/^a place has the key in /),
  ]);
});

test("finds no leak where there is none, and looks for enough of a value to be sure", () => {
  expect(leaks([CANARY], { a: Buffer.from("canary/w+1 is not the key").toString("base64"), b: "canary/w+1" })).toEqual(
    [],
  );
  for (const { text } of spellings("a-short-one")) expect(text.length).toBeGreaterThanOrEqual(11);
});
