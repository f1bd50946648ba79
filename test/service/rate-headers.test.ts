import { describe, expect, test } from "vitest";
import { rateAdvice, retryAfterMs } from "../../src/service/api/rate-headers.ts";

const NOW_MS = 1_700_000_000_000;
const dateAt = (ms: number): string => new Date(ms).toUTCString();

describe("the number of counted requests", () => {
  test.each([
    ["20", "5", { used: 15, limit: 20 }],
    ["20", "20", { used: 0, limit: 20 }],
    [" 20 ", " 0 ", { used: 20, limit: 20 }],
    ["1", "1", { used: 0, limit: 1 }],
    ["999999999", "0", { used: 999_999_999, limit: 999_999_999 }],
    ["9999999999", "0", null],
    ["20", "21", null],
    ["0", "0", null],
    ["20", "-1", null],
    ["20", "many", null],
    ["2e1", "0", null],
    ["20", undefined, null],
    [undefined, "5", null],
  ])("with the limit %j and %j remaining is %j", (limit, remaining, counted) => {
    const headers = {
      ...(limit === undefined ? {} : { "x-ratelimit-limit": limit }),
      ...(remaining === undefined ? {} : { "x-ratelimit-remaining": remaining }),
    };
    expect(rateAdvice({ status: 200, headers }, NOW_MS).counted).toEqual(counted);
  });
});

describe("the end of the window", () => {
  const reset = (at: string, date?: string, nowMs = NOW_MS) => {
    const { resetMs, resetAtLeastMs } = rateAdvice(
      { status: 200, headers: { "x-ratelimit-reset": at, ...(date === undefined ? {} : { date }) } },
      nowMs,
    );
    return [resetMs, resetAtLeastMs];
  };

  test.each([
    ["as a date with milliseconds", new Date(NOW_MS + 1500).toISOString(), 1500, 1500],
    ["in milliseconds", String(NOW_MS + 1500), 1500, 1500],
    ["in seconds, which may have been rounded up", String(NOW_MS / 1000 + 2), 2000, 1000],
    ["as a date in seconds, which may have been rounded up", dateAt(NOW_MS + 1000), 1000, 0],
    [
      "as a date in JavaScript's long form",
      "Tue Nov 14 2023 23:13:21 GMT+0100 (Central European Standard Time)",
      1000,
      0,
    ],
    ["with spaces around it", ` ${String(NOW_MS + 1)} `, 1, 1],
    ["just now", String(NOW_MS), null, 0],
    ["in the past", String(NOW_MS - 1500), null, 0],
    ["as far as the window is long, and a little more", String(NOW_MS + 2100), 2100, 2100],
    ["further away than a window", String(NOW_MS + 2101), null, 0],
    ["in words", "soon", null, 0],
    ["as a duration", "5", null, 0],
    ["in eleven digits", "17000000001", null, 0],
    ["with a year in words", "the year 2026, perhaps", null, 0],
  ])("%s, without the service's time", (_, at, resetMs, resetAtLeastMs) => {
    expect(reset(at)).toEqual([resetMs, resetAtLeastMs]);
  });

  test("may be a minute away if the service's time is known, and no more", () => {
    expect(reset(String(NOW_MS + 60_000), dateAt(NOW_MS))).toEqual([60_000, 59_000]);
    expect(reset(String(NOW_MS + 60_001), dateAt(NOW_MS))).toEqual([null, 0]);
  });

  test.each([
    ["ahead", 3_600_000, 3_600_000],
    ["behind", -3_600_000, -3_600_000 + 1000],
  ])("is read by the service's clock if that is an hour %s, with a second of doubt", (_, offMs, serverNowMs) => {
    const date = dateAt(NOW_MS + offMs);
    expect(reset(String(NOW_MS + serverNowMs + 1500), date)).toEqual([1500, 500]);
    expect(reset(String(NOW_MS + serverNowMs + 1000), date)).toEqual([1000, 0]);
  });

  test.each([
    [0, 1500, 1500],
    [1000, 500, 500],
    [1001, 500, 0],
    [-1, 1500, 500],
  ])(
    "with this machine's clock %i ms after the service's date, which has no milliseconds",
    (afterMs, resetMs, resetAtLeastMs) => {
      expect(reset(String(NOW_MS + 1500), dateAt(NOW_MS), NOW_MS + afterMs)).toEqual([resetMs, resetAtLeastMs]);
    },
  );
});

describe("the wait after a refusal", () => {
  test.each([
    [429, "3", 3000],
    [400, "3", 3000],
    [399, "3", null],
    [200, "3", null],
    [503, "600", 600_000],
    [503, "600.001", null],
    [503, "soon", null],
  ])("of status %i with Retry-After %s is %j", (status, after, retryMs) => {
    expect(rateAdvice({ status, headers: { "retry-after": after } }, NOW_MS).retryMs).toBe(retryMs);
  });

  test.each([
    [" 1.5 ", 1500],
    ["-5", 0],
    ["0", 0],
    ["", null],
    [" ", null],
    ["later", null],
    [dateAt(NOW_MS + 7000), 7000],
    [dateAt(NOW_MS - 7000), 0],
  ])("of %j is %j", (after, waitMs) => {
    expect(retryAfterMs({ "retry-after": after }, NOW_MS)).toBe(waitMs);
    expect(retryAfterMs({}, NOW_MS)).toBeNull();
  });
});
