import { describe, expect, test } from "vitest";
import { checkAttributes } from "../../src/core/model/check.ts";
import { dataReading } from "../../src/core/model/definition.ts";
import { type Attributes, type Value, UNKNOWN } from "../../src/core/model/value.ts";
import { sameMeaning } from "../../src/core/model/attribute.ts";
import type { WireCampaign } from "../../src/service/api/team-lists.ts";
import type { ReadClient } from "../../src/service/api/client.ts";
import { EVENT_TYPES } from "../../src/service/events/event-catalog.ts";
import { campaign } from "../../src/service/resources/campaign-data-source.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { warmupSettings } from "../../src/service/resources/warmup-settings-data-source.ts";
import { webhook } from "../../src/service/resources/webhook.ts";

/** One of each kind of character that no font shows. */
const INVISIBLE = [
  ..."\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200f\u202a\u202e\u2060\u206f\u3164\ufe00\ufe0f\uffa0\ufff0\u{1bca0}\u{1d173}\u{e0001}\u{e0100}\u{e0fff}",
];
const OK = { target_url: "https://crm.example.com/h" };
const problems = (attributes: Attributes) => checkAttributes(webhook, { ...OK, ...attributes });

describe("an event type", () => {
  test.each(EVENT_TYPES.map(({ name }) => [name]))("can be %s", (name) => {
    expect(problems({ type: name })).toEqual([]);
  });

  test.each([
    [
      "skipped",
      "event_type_removed",
      "no replacement. Remove the webhook or the entry, or use a similar event type: networkFollowSkipped, networkEndorseSkipped.",
    ],
    ["emailsSendFailed", "event_type_removed", "Use emailsFailed"],
    ["opportunitiesDone", "event_type_removed", "Use annotated or task-level webhooks"],
    ["emailsReplyed", "event_type_unknown", "Did you mean emailsReplied?"],
    ["EmailsReplied", "event_type_unknown", "Did you mean emailsReplied?"],
    ["email_replied", "event_type_unknown", ""],
    ["nonsense", "event_type_unknown", "Write one of the event types"],
    [
      "linkedinReplied",
      "event_type_unknown",
      "a similar event type: emailsReplied, networkReplied, chatReplied, smsReplied.",
    ],
    ["inviteAccept", "event_type_unknown", "a similar event type: networkInviteAccepted."],
    ["leadReply", "event_type_unknown", "a similar event type: emailsReplied,"],
    ["constructor", "event_type_unknown", ""],
  ])("cannot be %j", (type, code, hint) => {
    const found = problems({ type });
    expect(found).toMatchObject([{ code, path: ["type"], hint: expect.stringContaining(hint) }]);
    expect(found[0]?.hint).not.toMatch(/all events|type out/);
  });

  test.each(["", "*", "all", "any"])("that means all events is left out, and is not %j", (type) => {
    expect(problems({ type })).toMatchObject([
      { code: "event_type_unknown", path: ["type"], hint: "For all events, omit type." },
    ]);
  });
});

describe("a target URL", () => {
  test.each([
    "https://crm.example.com/h",
    "https://crm.example.com:8443/h?x=1#f",
    "http://localhost:9000/h",
    "http://127.0.0.1/h",
    "http://[::1]:1/",
    `https://a.example/${"x".repeat(2048 - 18)}`,
  ])("can be %s", (url) => {
    expect(problems({ target_url: url })).toEqual([]);
  });

  // URL.canParse of Node.js 20 answers wrong for such texts once it has been called often.
  test("with letters beyond ASCII stays valid and the same however many URLs are read", () => {
    for (let time = 0; time < 5000; time++) {
      expect(problems({ target_url: "https://müller.example.com/ä" })).toMatchObject([{ code: "target_url_host" }]);
      expect(
        sameMeaning(
          webhook.schema.target_url,
          "https://müller.example.com/ä",
          "https://xn--mller-kva.example.com/%C3%A4",
        ),
      ).toBe(true);
    }
  });

  test.each<readonly [string, string]>([
    ["crm.example.com/h", "not an absolute URL"],
    ["/h", "not an absolute URL"],
    ["", "not an absolute URL"],
    ["http://crm.example.com/h", "uses http"],
    ["http://localhost.example.com/", "uses http"],
    ["ftp://crm.example.com/h", "uses ftp"],
    ["javascript:alert(1)", "uses javascript"],
    ["https://ada:pw@crm.example.com/h", "user name"],
    ["https://ada@crm.example.com/h", "user name"],
    ["https://:pw@crm.example.com/h", "a password"],
    [" https://crm.example.com/h", "white space"],
    ["https://crm.example.com/a\nb", "white space"],
    [`https://a.example/${"x".repeat(2049 - 18)}`, "2049 characters"],
    [`https://${"a.".repeat(126)}com/h`, "255 characters"],
    ["https://crm.example.com\\@evil.test/", "a backslash"],
    ["https:\\\\evil.test/", "a backslash"],
    ...INVISIBLE.map((character): readonly [string, string] => [
      `https://crm${character}.example.com/h`,
      "an invisible character",
    ]),
    ["https://crm.example.com/a\u{fe0f}", "an invisible character"],
    ["https://✉\u{fe0f}.example.com/", "an invisible character"],
  ])("cannot be %j", (target_url, detail) => {
    expect(problems({ target_url })).toMatchObject([
      { code: "target_url_invalid", path: ["target_url"], detail: expect.stringContaining(detail) },
    ]);
  });

  test.each([
    ["https://$HOST/x", "$HOST"],
    ["https://$host/x", "$host"],
    ["https://{{host}}/x", "{{host}}"],
    ["https://{host}.example.com/x", "{host}"],
    ["https://crm.example.com/{{path}}", "{{path}}"],
    ["https://crm.example.com/?token=$CRM_TOKEN", "$CRM_TOKEN"],
    ["https://crm.example.com/${token}", "${token}"],
  ])("with a placeholder that nobody fills in is a warning: %s", (target_url, found) => {
    expect(problems({ target_url })).toMatchObject([
      {
        code: "target_url_placeholder",
        severity: "warning",
        path: ["target_url"],
        detail: expect.stringContaining(`contains ${found}, `),
      },
    ]);
  });

  test.each([
    ["https://crm\u3002example.com/h", "crm.example.com"],
    ["https://crm\uff0eexample\uff61com/h", "crm.example.com"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://пример.example/", "xn--e1afmkfd.example"],
    ["https://日本カナ漢字abc.example/", "xn--abc-jj4b4f772xlpp0kceu2a.example"],
    ["https://한국abc.example/", "xn--abc-lt8lk11n.example"],
    ["https://\uff43rm.example.com:8443/", "crm.example.com:8443"],
    ["https://crm%2eexample.com/", "crm.example.com"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https:evil.test/x", "evil.test"],
  ])("that writes its host in another way is a warning with that host: %s", (target_url, host) => {
    expect(problems({ target_url })).toMatchObject([
      {
        code: "target_url_host",
        severity: "warning",
        path: ["target_url"],
        detail: expect.stringContaining(`the host ${host},`),
      },
    ]);
  });

  test.each([
    ["https://\u0430pple.example/", "\u0430pple", "xn--pple-43d.example"],
    ["https://login.g\u03bfogle.example/", "g\u03bfogle", "login.xn--gogle-rce.example"],
    ["https://\u0440\u03bf.example/", "\u0440\u03bf", "xn--0xa1x.example"],
    ["https://crm.example\u3002\u0441om/", "\u0441om", "crm.example.xn--om-nmc"],
  ])("with letters of several scripts in one label is a warning: %s", (target_url, label, host) => {
    expect(problems({ target_url })).toMatchObject([
      {
        code: "target_url_mixed_scripts",
        severity: "warning",
        path: ["target_url"],
        detail: expect.stringMatching(`^"${label}" .*${host}\\.$`),
      },
    ]);
  });

  test.each([
    "https://crm.example.com/?$filter=a",
    "https://crm.example.com/$metadata",
    "https://crm.example.com/{id}",
    "https://crm.example.com/a$",
  ])("may contain these characters: %s", (target_url) => {
    expect(problems({ target_url })).toEqual([]);
  });

  test.each<readonly [Value, Value, boolean]>([
    ["https://a.example", "https://a.example/", true],
    ["https://A.example/x", "https://a.example/x", true],
    ["https://a.example:443/x", "https://a.example/x", true],
    ["https://a.example/a b", "https://a.example/a%20b", true],
    ["https://a.example/x/../y", "https://a.example/y", true],
    ["https://a.example/x", "https://a.example/x/", false],
    ["https://a.example/X", "https://a.example/x", false],
    ["https://a.example/?a", "https://a.example/", false],
    ["not a URL", "not a URL", true],
    [null, null, true],
  ])("%j is the same as %j: %s", (a, b, expected) => {
    expect(sameMeaning(webhook.schema.target_url, a, b)).toBe(expected);
  });
});

describe("a webhook", () => {
  test("requires only its URL", () => {
    expect(checkAttributes(webhook, OK)).toEqual([]);
    expect(checkAttributes(webhook, {})).toMatchObject([{ code: "attribute_missing", path: ["target_url"] }]);
  });

  test("accepts unknown values in any attribute", () => {
    expect(
      checkAttributes(webhook, Object.fromEntries(Object.keys(webhook.schema).map((name) => [name, UNKNOWN]))),
    ).toEqual([]);
  });

  test.each(["hoo_1", "cam_1/..", "cam 1", "", "cam_é"])("refuses the campaign id %j", (campaign_id) => {
    expect(problems({ campaign_id })).toMatchObject([{ code: "campaign_id_invalid", path: ["campaign_id"] }]);
  });

  test("has one secret", () => {
    expect(problems({ secret: "a", secret_wo: "b" })).toMatchObject([{ code: "secret_twice" }]);
    expect(problems({ secret: "a" })).toEqual([]);
    expect(problems({ secret_wo: "a", secret_wo_version: 1 })).toEqual([]);
    for (const secret of ["secret", "secret_wo"])
      expect(problems({ secret_wo_version: 1, [secret]: "" })[0]).toMatchObject({
        code: "secret_empty",
        path: [secret],
      });
  });

  test("warns if a new secret would go unnoticed, and if it has none", () => {
    expect(problems({ secret_wo: "a" })).toMatchObject([{ severity: "warning", path: ["secret_wo"] }]);
    expect(problems({ secret_wo_version: 1 })).toMatchObject([{ severity: "error", path: ["secret_wo"] }]);
    expect(problems({ secret_wo_version: 1, secret: "a" })).toMatchObject([
      { severity: "warning", path: ["secret_wo_version"] },
    ]);
    for (const unknown of ["secret", "secret_wo", "secret_wo_version"])
      expect(problems({ secret_wo_version: 1, [unknown]: UNKNOWN })).toEqual([]);
  });

  test("has is_first false by default", () => {
    expect(sameMeaning(webhook.schema.is_first, null, false)).toBe(true);
    expect(sameMeaning(webhook.schema.is_first, null, true)).toBe(false);
  });

  test("is imported by the service's id", () => {
    expect(webhook.checkId?.("hoo_1")).toBeUndefined();
    for (const id of ["cam_1", "1", "", "hoo_1/x"])
      expect(webhook.checkId?.(id)).toMatchObject({ code: "webhook_id_invalid" });
  });
});

const CAMPAIGNS: readonly WireCampaign[] = [
  {
    _id: "cam_1",
    name: "Q3 launch",
    status: "running",
    labels: ["a"],
    scheduleIds: ["skd_1"],
    creator: { x: 1 },
    senders: [],
    createdBy: "usr_1",
  },
  { _id: "cam_2", name: "Shared", status: "paused", hasError: true, errors: ["no sender"] },
  { _id: "cam_3", name: "Shared", status: "running" },
  { _id: "cam_4", name: "Shared", status: "draft" },
];

/** Statuses that only the service's filter shows. */
const HIDDEN: { readonly [id: string]: readonly string[] } = { cam_2: ["errors"], cam_4: ["archived"] };

function find(config: { readonly id?: string; readonly name?: string; readonly status?: string }) {
  const client: Pick<ReadClient, "campaigns"> = {
    campaigns: ({ status }) =>
      Promise.resolve(
        CAMPAIGNS.filter(
          (wire) => status === undefined || wire["status"] === status || HIDDEN[wire._id]?.includes(status),
        ),
      ),
  };
  return campaign.read({ id: null, name: null, status: null, ...config } as Parameters<typeof campaign.read>[0], {
    ...dataReading(catalog, { client: client as ReadClient, signal: new AbortController().signal }),
  });
}

describe("a campaign", () => {
  test.each<readonly [string, Parameters<typeof find>[0], string]>([
    ["by its id", { id: "cam_2" }, "cam_2"],
    ["by its name", { name: "Q3 launch" }, "cam_1"],
    ["by its name and status", { name: "Shared", status: "running" }, "cam_3"],
    ["by its name and an additional status", { name: "Shared", status: "errors" }, "cam_2"],
    ["by its name and the status shown with its errors", { name: "Shared", status: "paused" }, "cam_2"],
    ["by its name and a status that is not shown", { name: "Shared", status: "archived" }, "cam_4"],
    ["by its id and status", { id: "cam_1", status: "running" }, "cam_1"],
  ])("is found %s", async (_, config, id) => {
    const { value, diagnostics } = await find(config);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ id, ...(config.status === undefined ? {} : { status: config.status }) });
  });

  test("has the documented attributes, and null or nothing for absent ones", async () => {
    expect((await find({ id: "cam_1" })).value).toMatchObject({
      name: "Q3 launch",
      status: "running",
      labels: ["a"],
      schedule_ids: ["skd_1"],
      created_by: "usr_1",
      has_error: false,
      errors: [],
      creator_json: '{"x":1}',
      senders_json: "[]",
      sequence_id: null,
    });
  });

  test.each([
    [
      "several have the name",
      { name: "Shared" },
      "campaign_ambiguous",
      "cam_2 (paused, errors), cam_3 (running), cam_4 (draft)",
      "add status",
    ],
    [
      "none has the name",
      { name: "Q3 lunch" },
      "campaign_not_found",
      "None of the team's 4 campaigns",
      'Did you mean "Q3 launch"?',
    ],
    [
      "none has the name, by far",
      { name: "Something else entirely" },
      "campaign_not_found",
      "None of the team's 4 campaigns",
      "Check",
    ],
    ["none has the id", { id: "cam_9" }, "campaign_not_found", "the id cam_9", "Check"],
    [
      "none with the name has the status",
      { name: "Q3 launch", status: "ended" },
      "campaign_not_found",
      "there is cam_1 (running)",
      "status",
    ],
  ])("is not found when %s, with a hint", async (_, config, code, detail, hint) => {
    const { value, diagnostics } = await find(config);
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([
      { code, detail: expect.stringContaining(detail), hint: expect.stringContaining(hint) },
    ]);
  });

  test.each<readonly [string, Attributes, readonly string[]]>([
    ["an id", { id: "cam_1" }, []],
    ["a name", { name: "x" }, []],
    ["neither", {}, ["campaign_key"]],
    ["both", { id: "cam_1", name: "x" }, ["campaign_key"]],
    ["an unknown name", { name: UNKNOWN }, []],
    ["an invalid status", { name: "x", status: "runing" }, ["value_not_allowed"]],
  ])("is checked with %s", (_, config, codes) => {
    expect(checkAttributes(campaign, config).map(({ code }) => code)).toEqual(codes);
  });
});

describe("warm-up settings", () => {
  const { object: inner } = warmupSettings.schema.deliverability.type;
  const computed = Object.entries({ ...warmupSettings.schema, ...inner }).filter(([, { mode }]) => mode === "computed");

  test.each(computed)(
    "the specification does not say what %s means, so its docs only name the field",
    (name, { docs }) => {
      const wireName = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect(docs.replace(" (ISO 8601, UTC)", "")).toBe(`The service's \`${wireName}\`.`);
    },
  );
});
