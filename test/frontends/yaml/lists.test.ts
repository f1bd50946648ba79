import { describe, expect, test } from "vitest";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { type Given, checkConfiguration } from "./check-configuration.ts";
import { cpuCost } from "../../cpu-cost.ts";

const DATA = `version: 1
data:
  campaign:
    q3: { name: Q3 launch }
    q4: { id: cam_4 }
  campaigns:
    live: { status: running }
`;
const KNOWN = {
  "data.outreach_campaign.q3": { id: "cam_3", name: "Q3 launch" },
  "data.outreach_campaign.q4": { id: "cam_4", name: "Q4" },
  "data.outreach_campaigns.live": { ids: ["cam_1", "cam_2"], status: "running" },
};
const HOOK = "target_url: https://x.example.com/a";

/** A block, one line of its body after the other. */
function block(section: string, ...body: readonly string[]): string {
  return `${DATA}${section}:\n  a:\n${body.map((line) => `    ${line}\n`).join("")}`;
}
const webhook = (...body: readonly string[]): string => block("webhooks", HOOK, ...body);
const unsubscription = (...body: readonly string[]): string => block("lead_unsubscriptions", ...body);

interface Found extends Given {
  readonly known?: { readonly [address: string]: Attributes };
  readonly instances?: readonly RecordedInstance[];
}

async function evaluated(source: string, { known = KNOWN, instances = [], ...given }: Found = {}) {
  const { loaded, diagnostics } = await checkConfiguration(source, given);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return loaded.evaluate({ known: new Map(Object.entries(known)), instances });
}

function recorded(address: string, attributes: Attributes): RecordedInstance {
  const [type = ""] = address.split(".");
  return {
    address,
    type,
    provider: "outreach",
    schemaVersion: 0,
    id: "x",
    attributes,
    returned: {},
    unobserved: [],
    assumed: [],
    recordedAtMs: 0,
  };
}

describe("lists make one instance for each combination", () => {
  test.each<readonly [string, string, readonly (readonly [key: string, attributes: Attributes])[]]>([
    [
      "of event types",
      webhook("types: [emailsSent, emailsBounced]"),
      [
        ["emailsSent", { type: "emailsSent" }],
        ["emailsBounced", { type: "emailsBounced" }],
      ],
    ],
    ["of one event type", webhook("types: [emailsSent]"), [["emailsSent", { type: "emailsSent" }]]],
    [
      "of what a filter finds",
      webhook("campaigns: live"),
      [
        ["cam_1", { campaign_id: "cam_1" }],
        ["cam_2", { campaign_id: "cam_2" }],
      ],
    ],
    [
      "of named campaigns",
      webhook("campaigns: [q4, q3]"),
      [
        ["cam_4", { campaign_id: "cam_4" }],
        ["cam_3", { campaign_id: "cam_3" }],
      ],
    ],
    [
      "of event types and campaigns",
      webhook("campaigns: live", "types: [emailsSent, emailsBounced]"),
      [
        ["emailsSent/cam_1", { type: "emailsSent", campaign_id: "cam_1" }],
        ["emailsSent/cam_2", { type: "emailsSent", campaign_id: "cam_2" }],
        ["emailsBounced/cam_1", { type: "emailsBounced", campaign_id: "cam_1" }],
        ["emailsBounced/cam_2", { type: "emailsBounced", campaign_id: "cam_2" }],
      ],
    ],
    [
      "of addresses, next to one campaign",
      unsubscription("campaign: q3", "emails: [ada@example.com, Bob@example.com]"),
      [
        ["ada@example.com", { campaign_id: "cam_3", email: "ada@example.com" }],
        ["bob@example.com", { campaign_id: "cam_3", email: "Bob@example.com" }],
      ],
    ],
    [
      "of campaigns and addresses",
      unsubscription("emails: [ada@example.com]", "campaigns: [q3, q4]"),
      [
        ["cam_3/ada@example.com", { campaign_id: "cam_3", email: "ada@example.com" }],
        ["cam_4/ada@example.com", { campaign_id: "cam_4", email: "ada@example.com" }],
      ],
    ],
    [
      "of campaigns, next to one address",
      unsubscription("email: ada@example.com", "campaigns: [q3]"),
      [["cam_3", { campaign_id: "cam_3", email: "ada@example.com" }]],
    ],
  ])("%s", async (_, source, expected) => {
    const { declarations, diagnostics } = await evaluated(source);
    expect(diagnostics).toEqual([]);
    const type = source.includes("webhooks:\n  a") ? "outreach_webhook" : "outreach_lead_unsubscription";
    expect(declarations.map(({ address }) => address)).toEqual(
      expected.map(([key]) => `${type}.a[${JSON.stringify(key)}]`),
    );
    for (const [index, [, attributes]] of expected.entries())
      expect(declarations[index]?.attributes).toMatchObject(attributes);
  });

  test("with what they have in common: a secret, other attributes, what is masked", async () => {
    const source = `${webhook('types: [emailsSent, "${var.other}"]', "secret: { env: S }", "automation_id: ${var.token}")}variables: { other: { default: skipped2 }, token: { sensitive: true } }\n`;
    const { declarations } = await evaluated(source.replace("skipped2", "emailsBounced"), {
      environment: { OUTREACH_VAR_token: "t" },
    });
    expect(declarations).toMatchObject([
      {
        attributes: { type: "emailsSent", automation_id: "t" },
        secrets: { secret: { kind: "env", name: "S" } },
        masked: ["automation_id"],
      },
      {
        attributes: { type: "emailsBounced", automation_id: "t" },
        secrets: { secret: { kind: "env", name: "S" } },
        masked: ["automation_id"],
      },
    ]);
  });

  test("and the same address in another case counts once", async () => {
    const { declarations } = await evaluated(
      unsubscription("campaign: q3", "emails: [Ada@example.com, ada@EXAMPLE.com, bob@example.com]"),
    );
    expect(declarations.map(({ attributes }) => attributes["email"])).toEqual(["Ada@example.com", "bob@example.com"]);
  });

  test("only when the campaigns are known", async () => {
    const { declarations, reads } = await evaluated(webhook("campaigns: live"), { known: {} });
    expect(declarations).toEqual([]);
    expect(reads.map(({ address }) => address)).toContain("data.outreach_campaigns.live");
  });

  test("an instance is found where its own value stands", async () => {
    const { declarations } = await evaluated(webhook("types:", "  - emailsSent", "  - emailsBounced"));
    const at = (index: number, path: readonly string[]) => {
      const { line, column } = declarations[index]?.locate(path) ?? {};
      return [line, column];
    };
    expect([at(0, ["type"]), at(1, ["type"]), at(1, []), at(1, ["target_url"])]).toEqual([
      [12, 9],
      [13, 9],
      [9, 3],
      [10, 17],
    ]);
  });
});

describe("what an instance was looked up by", () => {
  test.each([
    ["a name", webhook("campaign: q3"), 'data.outreach_campaign.q3 (name "Q3 launch")'],
    ["a name in a list", webhook("campaigns: [q3]"), 'data.outreach_campaign.q3 (name "Q3 launch")'],
    ["a filter: it finds others tomorrow, which is what it is for", webhook("campaigns: live"), undefined],
    ["an id", webhook("campaign: q4"), undefined],
    ["an id that is written out", webhook("campaign_id: cam_9"), undefined],
  ])("is kept: %s", async (_, source, expected) => {
    const { declarations } = await evaluated(source);
    expect(declarations[0]?.lookups?.["campaign_id"]).toBe(expected);
  });

  test("does not show a sensitive variable", async () => {
    const source = `${webhook("campaign: q3")}variables: { n: { sensitive: true } }\n`.replace(
      "Q3 launch",
      '"${var.n}"',
    );
    const { declarations } = await evaluated(source, { environment: { OUTREACH_VAR_n: "hunter2" } });
    expect(declarations[0]?.lookups?.["campaign_id"]).toBe("data.outreach_campaign.q3 (name (sensitive value))");
  });
});

describe("an instance whose campaign left the filter", () => {
  const address = 'outreach_webhook.a["emailsSent/cam_9"]';
  const left = recorded(address, { target_url: "https://x.example.com/a", type: "emailsSent", campaign_id: "cam_9" });
  const source = (...more: readonly string[]) => webhook("types: [emailsSent]", "campaigns: live", ...more);

  test("is kept, with a note", async () => {
    const { declarations, diagnostics } = await evaluated(source(), { instances: [left] });
    expect(declarations.map((one) => [one.address, one.retained])).toEqual([
      ['outreach_webhook.a["emailsSent/cam_1"]', undefined],
      ['outreach_webhook.a["emailsSent/cam_2"]', undefined],
      [address, true],
    ]);
    expect(declarations[2]?.attributes).toMatchObject({
      target_url: "https://x.example.com/a",
      type: "emailsSent",
      campaign_id: "cam_9",
    });
    expect(diagnostics).toMatchObject([
      {
        severity: "note",
        summary: "Kept after leaving the filter",
        detail:
          "cam_9 is no longer a result of data.outreach_campaigns.live. The instance of outreach_webhook.a made for it is kept.",
        hint: "To delete instances whose value leaves the filter, set prune: true in the block.",
        place: { line: 12, column: 16 },
      },
    ]);
  });

  test.each<readonly [string, string, RecordedInstance]>([
    ["with prune: true", source("prune: true"), left],
    ["when its event type was taken out too", source().replace("[emailsSent]", "[emailsBounced]"), left],
    ["when the campaigns are named one by one", source().replace("campaigns: live", "campaigns: [q3]"), left],
    ["when its key has another shape", source(), { ...left, address: 'outreach_webhook.a["cam_9"]' }],
    ["when it is of another block", source(), { ...left, address: 'outreach_webhook.b["emailsSent/cam_9"]' }],
    ["when it has no key", source(), { ...left, address: "outreach_webhook.a" }],
  ])("is not kept %s", async (_, text, instance) => {
    const { declarations, diagnostics } = await evaluated(text, { instances: [instance] });
    expect(declarations.filter(({ retained }) => retained)).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  test("is kept also when the filter finds nothing any more, which is then no empty fan-out", async () => {
    const known = { ...KNOWN, "data.outreach_campaigns.live": { ids: [], status: "running" } };
    const { declarations, diagnostics } = await evaluated(source(), { instances: [left], known });
    expect([declarations.length, diagnostics.map(({ code }) => code)]).toEqual([1, ["left_filter"]]);
  });
});

describe("an empty list", () => {
  const none = { known: { ...KNOWN, "data.outreach_campaigns.live": { ids: [], status: "running" } } };

  test("of what a filter finds is an error", async () => {
    const { diagnostics } = await evaluated(webhook("campaigns: live"), none);
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        summary: "Empty fan-out",
        detail: "data.outreach_campaigns.live finds nothing, so this block declares nothing.",
        hint: "If this is intended, set allow_empty: true in the block.",
        place: { line: 11, column: 16 },
      },
    ]);
  });

  test.each([
    webhook("campaigns: live", "allow_empty: true"),
    webhook("types: []", "allow_empty: true"),
    unsubscription("campaign: q3", "emails: []", "allow_empty: true"),
  ])("is none with allow_empty: true", async (source) => {
    const { declarations, diagnostics } = await evaluated(source, none);
    expect([declarations, diagnostics]).toEqual([[], []]);
  });
});

/** As Excel saves Unicode text. */
function utf16(text: string, end: "le" | "be"): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return end === "le" ? bytes : bytes.swap16();
}

describe("addresses from a file", () => {
  const source = (...more: readonly string[]) => unsubscription("campaign: q3", "emails_from: lists/a.csv", ...more);
  const emails = async (text: string | Uint8Array, config = source(), more: Given = {}) => {
    const { declarations } = await evaluated(config, { ...more, files: { "lists/a.csv": text } });
    return declarations.map(({ attributes }) => attributes["email"]);
  };

  test.each<readonly [string, string | Uint8Array, readonly string[]]>([
    ["one a line", "ada@example.com\nbob@example.com\n", ["ada@example.com", "bob@example.com"]],
    [
      "without a last newline, with empty lines and CRLF",
      "\r\nada@example.com\r\n\r\n  \r\nbob@example.com",
      ["ada@example.com", "bob@example.com"],
    ],
    [
      "with a byte order mark and spaces around",
      "\ufeff ada@example.com \n\tbob@example.com\n",
      ["ada@example.com", "bob@example.com"],
    ],
    [
      "a CSV with an email column, in whatever case",
      "Name,EMail,Note\nAda,ada@example.com,x\nBob,bob@example.com,y\n",
      ["ada@example.com", "bob@example.com"],
    ],
    ["a CSV of one column", "email\nada@example.com\n", ["ada@example.com"]],
    [
      "a CSV with quoted cells",
      '"name", "email"\r\n"Lovelace, ""Ada""","ada@example.com"\r\n"two\nlines",bob@example.com\r\n',
      ["ada@example.com", "bob@example.com"],
    ],
    ["a CSV with a byte order mark", "\ufeffemail,name\nada@example.com,A\n", ["ada@example.com"]],
    ["doubles once, in whatever case", "ada@example.com\nADA@example.com\n", ["ada@example.com"]],
    ["expressions as they are", "${var.x}@example.com\n", ["${var.x}@example.com"]],
    ["semicolons", "Name;Email;Note\nLovelace, Ada;ada@example.com;x\n", ["ada@example.com"]],
    ["tabs", "name\temail\nAda\tada@example.com\n\tbob@example.com\n", ["ada@example.com", "bob@example.com"]],
    [
      "semicolons behind the address alone",
      "ada@example.com;;\nbob@example.com;;\n",
      ["ada@example.com", "bob@example.com"],
    ],
    ["the separator that a spreadsheet says", "sep=;\r\nemail;name\r\nada@example.com;A\r\n", ["ada@example.com"]],
    ["and its comma", "sep=,\nname,email\nA,ada@example.com\n", ["ada@example.com"]],
    ["rows of commas", "name,email\n,,\nA,ada@example.com,,,\n,\n,,,\n", ["ada@example.com"]],
    ["a row of commas above the header", ",,\nname,email\nA,ada@example.com\n", ["ada@example.com"]],
    ...["Email Address", "E-mail", "E-Mail-Adresse", "email_address", "Mail", "EMAILS"].map(
      (name): readonly [string, string, readonly string[]] => [
        `a column called ${name}`,
        `Name,"${name}"\nAda,ada@example.com\n`,
        ["ada@example.com"],
      ],
    ),
    ["email before what is called like it", "E-mail,email\nbob@example.com,ada@example.com\n", ["ada@example.com"]],
    [
      "the guards of a spreadsheet",
      `email\n="ada@example.com"\n"=""bob@example.com"""\n'eve@example.com\n`,
      ["ada@example.com", "bob@example.com", "eve@example.com"],
    ],
    [
      "forms of one address once",
      "ada@m\u00fcnchen.example\nAda@mu\u0308nchen.example\nada@xn--mnchen-3ya.example\n",
      ["ada@m\u00fcnchen.example"],
    ],
    ["UTF-16, little end first", utf16("name;email\nÄda;ada@example.com\n", "le"), ["ada@example.com"]],
    ["UTF-16, big end first", utf16("email\nada@example.com\n", "be"), ["ada@example.com"]],
  ])("%s", async (_, text, expected) => {
    expect(await emails(text)).toEqual(expected);
  });

  test.each([
    ["a column that is called otherwise", "Kontakt,Firma\nada@example.com,A\n", "Kontakt"],
    [
      "one of two that are called like an address, in whatever case",
      "Private Email;Work Email\nx@x.io;ada@example.com\n",
      "work email",
    ],
    ["one with a comma in its name", '"Contact, first";b\nada@example.com;c\n', "Contact, first"],
  ])("from %s", async (_, text, column) => {
    const named = source().replace(
      "emails_from: lists/a.csv",
      `emails_from: { file: lists/a.csv, column: "${column}" }`,
    );
    expect(await emails(text, named)).toEqual(["ada@example.com"]);
  });

  test.each<readonly [string, string, readonly (readonly [email: string, details: object | undefined])[]]>([
    ["without such columns", "email,note\na@x.io,b\n", [["a@x.io", undefined]]],
    ["of a list without a header", "a@x.io\n", [["a@x.io", undefined]]],
    [
      "in whatever form their headers have",
      "REASON;e-mail; Requested At ;Source:\nasked;a@x.io;2026-11-03;mail\n",
      [["a@x.io", { reason: "asked", source: "mail", requested_at: "2026-11-03" }]],
    ],
    [
      "where a cell has something",
      "email,reason,source\na@x.io,,\nb@x.io, asked\n",
      [
        ["a@x.io", undefined],
        ["b@x.io", { reason: "asked" }],
      ],
    ],
    [
      "of the first row of an address",
      "email,reason\na@x.io,first\nA@x.io,second\na@x.io,third\n",
      [["a@x.io", { reason: "first" }]],
    ],
    ["but not of the column of addresses", "source,reason\na@x.io,asked\n", [["a@x.io", { reason: "asked" }]]],
    [
      "on one line, and printable",
      'email,reason\na@x.io,"one\ntwo\u0000\u202e  three"\n',
      [["a@x.io", { reason: "one two three" }]],
    ],
    [
      "bounded by characters, not by halves of them",
      `email,reason\na@x.io,${"\u{1f600}".repeat(400)}\n`,
      [["a@x.io", { reason: "\u{1f600}".repeat(300) }]],
    ],
  ])("columns that say why are details %s", async (name, text, expected) => {
    const config = name.startsWith("but not")
      ? source().replace("emails_from: lists/a.csv", "emails_from: { file: lists/a.csv, column: source }")
      : source();
    const { declarations } = await evaluated(config, { files: { "lists/a.csv": text } });
    expect(declarations.map(({ attributes, details }) => [attributes["email"], details])).toEqual(expected);
  });

  test("guards of a spreadsheet are removed with a note, which counts them", async () => {
    const { diagnostics } = await checkConfiguration(source(), {
      files: { "lists/a.csv": `email\n="ada@example.com"\n'bob@example.com\n` },
    });
    expect(diagnostics).toMatchObject([
      {
        code: "address_file_guards",
        severity: "note",
        detail: expect.stringContaining("has 2 addresses as") as string,
        place: { file: "lists/a.csv" },
      },
    ]);
  });

  test("come after those of the list, each once", async () => {
    expect(await emails("bob@example.com\nada@example.com\n", source("emails: [ada@example.com]"))).toEqual([
      "ada@example.com",
      "bob@example.com",
    ]);
  });

  test("from a file that a variable names", async () => {
    const config = `${source().replace("lists/a.csv", "lists/${var.name}.csv")}variables: { name: { default: a } }\n`;
    expect(await emails("ada@example.com\n", config)).toEqual(["ada@example.com"]);
  });

  test.for([
    ["bad addresses", "nobody\n", "70 more values of email have such a problem."],
    ["bad rows", "a@x.io,b@x.io\n", "70 more rows are wrong."],
  ])("%s beyond fifty are only counted", async ([, row = "", last]) => {
    const { diagnostics } = await checkConfiguration(source(), {
      files: {
        "lists/a.csv": `a@x.io\n${Array.from({ length: 120 }, (_, index) => row.replace("nobody", `nobody-${String(index)}`)).join("")}`,
      },
    });
    expect(diagnostics).toHaveLength(51);
    expect(diagnostics.at(-1)).toMatchObject({ detail: last, count: 70, place: { file: "lists/a.csv", line: 52 } });
  });

  test("50,000 of them for two campaigns take no time to speak of", async () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `lead-${String(index)}@example.com\n`).join("");
    const { loaded } = await checkConfiguration(source().replace("campaign: q3", "campaigns: [q3, q4]"), {
      files: { "lists/a.csv": text },
    });
    const evaluate = () =>
      expect(loaded.evaluate({ known: new Map(Object.entries(KNOWN)), instances: [] }).declarations).toHaveLength(
        100_000,
      );
    expect(await cpuCost(evaluate)).toBeLessThan(450);
  });
});

test("a value made from a sensitive variable cannot become part of an address", async () => {
  const source = `${unsubscription("campaign: q4", 'emails: ["${var.lead}"]')}variables:\n  lead: { sensitive: true }\n`;
  const { diagnostics } = await checkConfiguration(source, { var: ["lead=ada@example.com"] });
  expect(diagnostics).toMatchObject([
    { code: "fan_out_sensitive", path: ["email", 0], place: { line: 11, column: 14 } },
  ]);
});
