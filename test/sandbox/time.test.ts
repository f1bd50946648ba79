import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { httpTime, isoTime, parseHttpTime, parseIsoTime } from "../../src/sandbox/sandbox-time.ts";

const MOMENT = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });

describe("sandbox times", () => {
  test("have the platform's format", () => {
    fc.assert(
      fc.property(MOMENT, (ms) => {
        expect(isoTime(ms)).toBe(new Date(ms).toISOString());
        expect(httpTime(ms)).toBe(new Date(ms).toUTCString());
      }),
    );
  });

  test("survive a round trip", () => {
    fc.assert(
      fc.property(MOMENT, (ms) => {
        expect(parseIsoTime(isoTime(ms))).toBe(ms);
        expect(parseHttpTime(httpTime(ms))).toBe(Math.floor(ms / 1000) * 1000);
      }),
    );
    expect(parseIsoTime("2026-06-01T08:00:00Z")).toBe(Date.UTC(2026, 5, 1, 8));
    expect(parseIsoTime("2026-06-01T08:00:00.5Z")).toBe(Date.UTC(2026, 5, 1, 8, 0, 0, 500));
  });

  test.each([
    "",
    "2026-06-01",
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T00:00:00+02:00",
  ])("%j is not a time", (text) => expect(parseIsoTime(text)).toBeNull());

  test.each([
    "",
    "soon",
    "Mon, 01 Foo 2026 00:00:00 GMT",
    "Mon, 31 Feb 2026 00:00:00 GMT",
    "Mon, 01 Jun 2026 00:00:00 CET",
    "2026-06-01T08:00:00Z",
  ])("%j is not an HTTP date", (text) => expect(parseHttpTime(text)).toBeNull());
});
