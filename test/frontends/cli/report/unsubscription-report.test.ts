import { describe, expect, test } from "vitest";
import type { RecordedInstance } from "../../../../src/core/model/instance.ts";
import { personReport } from "../../../../src/frontends/cli/commands/report/person-report.ts";
import { REPORT_FORMATS, type ReportFormatName } from "../../../../src/frontends/cli/commands/report/report-formats.ts";
import { spanText } from "../../../../src/frontends/cli/commands/report/unsubscription-report.ts";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { HOSTILE } from "../../../output/report-plans.ts";

const HOUR = 3_600_000;
const START = 1_790_000_000_000;
const CONTEXT = { mask: (text: string) => text, nowMs: START + 400 * HOUR, version: "0.1.0" };

type More = Partial<RecordedInstance> & {
  readonly outcome?: string;
  readonly onNotFound?: string;
};

function record(
  email: string,
  campaign: string,
  { outcome = "unsubscribed", onNotFound = "watch", ...more }: More = {},
): RecordedInstance {
  const id = outcome === "unsubscribed" ? "lea_000001" : null;
  const computed = { id, contact_id: null, is_paused: null, outcome };
  return {
    address: `outreach_lead_unsubscription.out["${campaign}/${email}"]`,
    type: "outreach_lead_unsubscription",
    provider: "outreach",
    schemaVersion: 0,
    id,
    attributes: {
      campaign_id: campaign,
      email,
      on_not_found: onNotFound,
      recheck: "24h",
      reassert: "never",
      ...computed,
    },
    returned: {},
    unobserved: [],
    assumed: [],
    recordedAtMs: START,
    ...more,
  };
}

const assumed = (email: string): RecordedInstance => {
  const made = record(email, "c1");
  return { ...made, id: null, attributes: { ...made.attributes, id: null } };
};

/** One of each outcome. */
const EVERY: readonly RecordedInstance[] = [
  record("ada@example.com", "c1", {
    details: { reason: "asked by mail", source: "support", requested_at: "2026-09-21" },
  }),
  record("ada@example.com", "c2", { outcome: "not_found", sentAtMs: START + 24 * HOUR }),
  record("grace@example.com", "c1", { outcome: "unconfirmed" }),
  record("john@example.com", "c1", { outcome: "not_found", onNotFound: "accept" }),
  record("linus@example.com", "c1", { outcome: "not_found", undeclared: true }),
  record("mary@example.com", "c1", { sentAtMs: START + 50 * HOUR, doneAtMs: START + 48 * HOUR, undeclared: true }),
  record("rob@example.com", "c1", { outcome: "unconfirmed", settled: true }),
  assumed("zoe@example.com"),
];

async function documentOf(
  name: ReportFormatName,
  instances: readonly RecordedInstance[],
  team: string | null = null,
): Promise<string> {
  const format = REPORT_FORMATS[name];
  const text = format.part({ team, report: personReport(catalog, instances), undecided: 0 }, CONTEXT);
  return format.document([{ team, text }], CONTEXT);
}

/** A reader of RFC 4180 of its own. */
function csvRows(text: string): readonly (readonly string[])[] {
  expect(text.endsWith("\r\n")).toBe(true);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("what the records tell", () => {
  const { people, counts, requestToDone } = personReport(catalog, EVERY);
  const person = (name: string) => people.find((one) => one.person === `${name}@example.com`);

  test("each outcome is counted once, and people are sorted", () => {
    expect(counts).toEqual({ unconfirmed: 1, not_found: 1, waiting: 1, accepted: 2, assumed: 1, done: 2 });
    expect(people.map((one) => one.person.split("@")[0])).toEqual([
      "ada",
      "grace",
      "john",
      "linus",
      "mary",
      "rob",
      "zoe",
    ]);
  });

  test("a person has the request of the list, else the first record; and how each campaign stands", () => {
    expect(person("ada")).toMatchObject({
      requestedAt: "2026-09-21",
      reason: "asked by mail",
      source: "support",
      isDeclared: true,
      writes: [
        { place: "c1", outcome: "done", doneAtMs: START, waitingSinceMs: null },
        { place: "c2", outcome: "waiting", doneAtMs: null, waitingSinceMs: START, lastSentAtMs: START + 24 * HOUR },
      ],
    });
    expect(person("mary")).toMatchObject({
      requestedAt: null,
      askedAtMs: START,
      isDeclared: false,
      firstSentAtMs: START,
      writes: [{ doneAtMs: START + 48 * HOUR }],
    });
  });

  test("what is recorded as done without a request was never sent, and what nothing declares does not wait", () => {
    expect(person("zoe")).toMatchObject({
      firstSentAtMs: null,
      writes: [{ outcome: "assumed", doneAtMs: null, lastSentAtMs: null }],
    });
    expect(person("linus")).toMatchObject({
      isDeclared: false,
      writes: [{ outcome: "not_found", waitingSinceMs: null }],
    });
    expect(person("grace")).toMatchObject({
      writes: [{ outcome: "unconfirmed", waitingSinceMs: START, doneAtMs: null }],
    });
  });

  test("the time from request to done begins with the list's time", () => {
    const fromList = START - Date.parse("2026-09-21");
    expect(requestToDone).toEqual({
      count: 2,
      fromList: 1,
      medianMs: (fromList + 48 * HOUR) / 2,
      longestMs: Math.max(fromList, 48 * HOUR),
    });
  });

  test.each([
    ["2026-09-21", "2026-09-21T00:00:00Z"],
    ["2026-09-21 08:30", "2026-09-21T08:30:00Z"],
    ["2026-09-21T08:30:15.5+02:00", "2026-09-21T06:30:15.5Z"],
    ["2026-09-21T08:30Z", "2026-09-21T08:30:00Z"],
    ["21.09.2026", null],
    ["09/10/2026", null],
    ["2026-13-45", null],
    ["last week", null],
  ])("a request at %s is %s", (text, time) => {
    const report = personReport(catalog, [record("ada@example.com", "c1", { details: { requested_at: text } })]);
    expect(report.people[0]).toMatchObject({ requestedAt: text, askedAtMs: time === null ? null : Date.parse(time) });
    expect(report.requestToDone.count).toBe(time === null ? 0 : 1);
  });

  test("the earliest request counts, in however many lists the person is, and however the address is written", () => {
    const said = ["2026-09-10", "2026-09-02", "soon"].map((at, index) =>
      record(index === 0 ? "Ada@Example.com" : "ada@example.com", `c${String(index)}`, {
        details: { requested_at: at, reason: at },
      }),
    );
    expect(personReport(catalog, said).people).toMatchObject([
      { person: "ada@example.com", requestedAt: "2026-09-02", reason: "2026-09-02" },
    ]);
  });

  test("a request that a list dates after the answer took no time", () => {
    const report = personReport(catalog, [
      record("ada@example.com", "c1", { details: { requested_at: "2027-01-01" } }),
    ]);
    expect(report.requestToDone).toMatchObject({ medianMs: 0, longestMs: 0 });
  });

  test.each([
    [0, "0 s"],
    [40_000, "40 s"],
    [2 * HOUR + 300_000, "2 h 5 min"],
    [76 * HOUR, "3 d 4 h"],
    [48 * HOUR + 60_000, "2 d"],
  ])("%i ms are %s", (ms, text) => expect(spanText(ms)).toBe(text));
});

describe("the CSV", () => {
  test("has a row for each address and campaign, and as many cells in each", async () => {
    const [head = [], ...rows] = csvRows(await documentOf("csv", EVERY, "emea"));
    expect(rows).toHaveLength(EVERY.length);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(Object.fromEntries(head.map((name, index) => [name, rows[1]?.[index]]))).toEqual({
      team: "emea",
      email: "ada@example.com",
      asked: "2026-09-21",
      asked_from: "list",
      reason: "asked by mail",
      source: "support",
      declared: "yes",
      campaign_id: "c2",
      outcome: "waiting",
      first_sent: new Date(START).toISOString(),
      last_sent: new Date(START + 24 * HOUR).toISOString(),
      done: "",
      waiting_since: new Date(START).toISOString(),
    });
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x.example","a")'])(
    "guards %j, which a spreadsheet would calculate",
    async (reason) => {
      const rows = csvRows(await documentOf("csv", [record("+1@example.com", "c1", { details: { reason } })]));
      expect(rows[1]?.[4]).toBe(`'${reason}`);
      expect(rows[1]?.[1]).toBe("'+1@example.com");
    },
  );

  test.each(HOSTILE)("keeps %j in its cell", async (reason) => {
    const rows = csvRows(
      await documentOf("csv", [record("ada@example.com", "c1", { details: { reason, source: "after" } })]),
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]?.slice(4, 6)).toEqual([/^[-@]/.test(reason) ? `'${reason}` : reason, "after"]);
  });
});

test("the JSON says the unit of the times", async () => {
  for (const instances of [EVERY, []]) {
    const document = JSON.parse(await documentOf("json", instances)) as object;
    expect(document).toMatchObject({ request_to_done: { unit: "seconds", count: instances.length === 0 ? 0 : 2 } });
  }
});

describe("the text", () => {
  test("has those people first that need attention", async () => {
    const text = await documentOf("text", EVERY, "emea");
    expect(text.split("\n")[0]).toMatch(/^Unsubscriptions of the team emea\. As of \S+ \S+\. Times are in UTC\.$/);
    expect(text.match(/^\d (?:person|people) .*:$/gm)).toEqual([
      "1 person unconfirmed:",
      "1 person not found:",
      "1 person waiting:",
      "2 people accepted:",
      "1 person assumed done:",
      "1 person done:",
    ]);
    expect(text).toContain(
      "7 people, 8 unsubscriptions: 2 done, 1 assumed done, 2 accepted, 1 waiting, 1 not found, 1 unconfirmed.\n",
    );
    expect(text).toContain(
      "For 1 of them, no list says when the person asked, so the time begins with the first record.\n",
    );
    expect(text).toMatch(/c2: waiting since \S+ \S+, last sent \S+ \S+$/m);
    expect(text).toContain("c1: not found, no longer declared\n");
    expect(text).toMatch(
      /^ +mary@example\.com +\S+ \S+ \(first record\) +- +- +no +\S+ \S+ +c1: done \S+ \S+, no longer declared$/m,
    );
  });

  test.each(HOSTILE)("shows %j in one row", async (reason) => {
    const rows = (await documentOf("text", [record("ada@example.com", "c1", { details: { reason } })]))
      .split("\n")
      .filter((line) => line.trimStart().startsWith("ada@"));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/c1: done \S+ \S+$/);
  });

  test("has a part for each team, and says which one is missing", async () => {
    const format = REPORT_FORMATS.text;
    const text = format.part({ team: "emea", report: personReport(catalog, EVERY), undecided: 2 }, CONTEXT);
    const document = format.document(
      [
        { team: "emea", text },
        { team: "apac", text: "" },
      ],
      CONTEXT,
    );
    expect(document.match(/^Unsubscriptions of the team \w+/gm)).toEqual([
      "Unsubscriptions of the team emea",
      "Unsubscriptions of the team apac",
    ]);
    expect(document).toMatch(
      /team apac.*\n\nThe state of this team could not be read, so the report does not have it\.\n$/,
    );
    expect(document).toContain("2 requests of an earlier run have no recorded outcome, and are not in this report.\n");
  });
});
