import { expect, test } from "vitest";
import { holdAt, parseWindow } from "../../src/fleet/maintenance.ts";

const at = (time: string): number => Date.parse(time);
const hold = (time: string, ...windows: readonly string[]): string | null =>
  holdAt({ freeze: null, windows }, at(time));
const next = (time: string): string => `Outside of the maintenance windows. The next one begins at ${time} UTC.`;

test("a freeze holds plans until its time, with its reason", () => {
  const freeze = { untilMs: at("2027-01-04T08:00:00Z"), reason: "Holidays." };
  expect(holdAt({ freeze, windows: [] }, at("2027-01-04T07:59:59Z"))).toBe(
    "Frozen until 2027-01-04 08:00 UTC: Holidays.",
  );
  expect(
    holdAt({ freeze: { ...freeze, reason: "" }, windows: ["mon-sun 00:00-24:00"] }, at("2026-12-24T00:00:00Z")),
  ).toBe("Frozen until 2027-01-04 08:00 UTC.");
  expect(holdAt({ freeze, windows: [] }, at("2027-01-04T08:00:00Z"))).toBeNull();
});

test("a window is open from its first minute up to its last, on its days, by the clock of its time zone", () => {
  // A Monday. Berlin is an hour ahead of UTC.
  const berlin = "mon-thu 09:00-16:00 Europe/Berlin";
  expect(hold("2026-11-23T07:59:59Z", berlin)).toBe(next("2026-11-23 08:00"));
  expect(hold("2026-11-23T08:00:00Z", berlin)).toBeNull();
  expect(hold("2026-11-23T14:59:59Z", berlin)).toBeNull();
  expect(hold("2026-11-23T15:00:00Z", berlin)).toBe(next("2026-11-24 08:00"));
  expect(hold("2026-11-26T15:00:00Z", berlin)).toBe(next("2026-11-30 08:00"));
});

test("a window may go past midnight and around the end of the week, and the next of several counts", () => {
  const night = "fri-sun 22:00-04:00";
  expect(hold("2026-11-27T22:00:00Z", night)).toBeNull();
  expect(hold("2026-11-30T03:59:00Z", night)).toBeNull();
  expect(hold("2026-11-30T04:00:00Z", night)).toBe(next("2026-12-04 22:00"));
  expect(hold("2026-11-27T03:00:00Z", night)).toBe(next("2026-11-27 22:00"));
  expect(hold("2026-11-30T04:00:00Z", night, "wed 12:00-13:00")).toBe(next("2026-12-02 12:00"));
  expect(hold("2026-12-02T12:30:00Z", night, "wed 12:00-13:00")).toBeNull();
  expect(hold("2026-11-29T12:00:00Z", "sat-mon 00:00-24:00")).toBeNull();
  expect(hold("2026-11-23T10:01:00Z", "mon 10:00-10:01")).toBe(next("2026-11-30 10:00"));
});

test("the next window begins by the clock of that day, also after the time zone has changed it", () => {
  // Clocks in Berlin went back on 25 October 2026, and go ahead on 28 March 2027.
  expect(hold("2026-10-24T12:00:00Z", "sun-mon 09:00-16:00 Europe/Berlin")).toBe(next("2026-10-25 08:00"));
  expect(hold("2027-03-26T16:00:00Z", "mon-fri 09:00-16:00 Europe/Berlin")).toBe(next("2027-03-29 07:00"));
  expect(hold("2026-11-23T03:00:00Z", "mon 18:00-20:00 Asia/Kolkata")).toBe(next("2026-11-23 12:30"));
  expect(hold("2026-11-24T00:30:00Z", "mon 16:00-18:00 America/Los_Angeles")).toBeNull();
});

test("every minute of a week is in the window or before the next one, which is open when it begins", () => {
  const windows = ["mon-fri 09:30-17:15 America/New_York", "sat 23:45-00:15 Asia/Kathmandu"];
  for (let minute = 0; minute < 7 * 24 * 60; minute += 13) {
    const nowMs = at("2027-03-11T00:00:00Z") + minute * 60_000;
    const [, begin] = /begins at (.*) UTC/.exec(holdAt({ freeze: null, windows }, nowMs) ?? "") ?? [];
    if (begin === undefined) continue;
    const beginMs = at(`${begin.replace(" ", "T")}:00Z`);
    expect(beginMs).toBeGreaterThan(nowMs);
    expect(holdAt({ freeze: null, windows }, beginMs)).toBeNull();
    expect(holdAt({ freeze: null, windows }, beginMs - 60_000)).not.toBeNull();
  }
});

test("a text that is no window is none", () => {
  for (const text of [
    "mon 9:00-16:00",
    "mon 09:00-09:00",
    "mon 24:00-01:00",
    "mon 09:60-10:00",
    "mon 09:00-24:01",
    "noday 09:00-10:00",
    "mon-tue-wed 09:00-10:00",
    "mon 09:00-10:00 Mars/Base",
    "mon 09:00",
    "",
    "mon, 09:00-10:00",
    "mon 09:00-10:00 UTC more",
  ])
    expect([text, parseWindow(text)]).toEqual([text, null]);
  for (const text of ["mon 00:00-24:00", "SAT,sun 09:00-10:00 utc", " mon-fri 09:00-17:00 Europe/Berlin "])
    expect([text, parseWindow(text) === null]).toEqual([text, false]);
});
