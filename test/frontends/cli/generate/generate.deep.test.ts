import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../../src/service/events/event-catalog.ts";
import { parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { type Project, useProjects } from "../project.ts";
import { NO_CHANGES } from "../no-changes.ts";

const openProject = useProjects();
const FILE = "outreach.yaml";

/** Webhooks that a team made by hand: some without a type, some without a campaign, one in a hundred twice. */
function clickedTogether(project: Project, count: number): void {
  const { sandbox } = project;
  sandbox.add("campaigns", { _id: "cam_twice1", name: "The same name" });
  sandbox.add("campaigns", { _id: "cam_twice2", name: "The same name" });
  const campaigns = ["cam_000001", "cam_000002", "cam_twice1", "cam_twice2", undefined];
  for (let at = 0; at < count; at++) {
    const index = at % 100 === 99 ? at - 1 : at;
    const type = index % 7 === 0 ? undefined : EVENT_TYPES[index % EVENT_TYPES.length]?.name;
    const campaignId = campaigns[index % campaigns.length];
    sandbox.add("webhooks", {
      targetUrl: `https://${["crm", "hooks", "n8n"][index % 3] ?? ""}.example.com/hooks/${["replies", "x1b2c3", "deals"][index % 3] ?? ""}/${String(Math.floor(index / 4))}`,
      ...(type === undefined ? {} : { type }),
      ...(campaignId === undefined ? {} : { campaignId }),
      secret: "set-by-hand",
    });
  }
}

/** Generates, plans, applies and plans again: the first plan imports what is listed, and nothing is ever sent. */
async function adopted(project: Project, listed: number, line = `generate --out ${FILE}`): Promise<string> {
  const before = project.sandbox.webhooks();
  const generated = await project.run(line);
  expect(generated).toMatchObject({ code: 0, err: "" });
  const planned = await project.run("plan --detailed-exitcode");
  expect(planned.code, planned.err).toBe(2);
  expect(planned.out).toContain(`Plan: ${String(listed)} to import, 0 to add, 0 to change, 0 to destroy.`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const again = await project.run("plan --detailed-exitcode");
  expect(again).toMatchObject({ code: 0, out: NO_CHANGES });
  expect(project.sandbox.webhooks()).toEqual(before);
  expect(project.sandbox.requests().every(({ method }) => method === "GET")).toBe(true);
  return project.read(FILE);
}

/** The lists that differ in what `generate` can read from them. */
const PROFILES = [
  "array",
  "hooks",
  "data",
  "cap=90,no-offset",
  "no-offset",
  "pages",
  "pages-from-0",
  "no-type",
  "no-campaign-id",
  "no-created-at",
  "nulls",
  "null-type",
  "empty-campaign-id",
  "is-first,automation-id",
  "is-first,automation-id,text-values",
  "bom",
  "normalized",
  "stale=1",
  "duplicates",
  "newest-first",
  "shuffled",
  "no-type,no-campaign-id,no-created-at,newest-first,duplicates,hooks",
];

describe("generate, plan, apply, plan of webhooks on more than one page", () => {
  test.each(PROFILES)(
    "imports all that the list shows, and changes nothing (%s)",
    async (words) => {
      const project = await openProject({ profile: parseListProfile(words).profile });
      // More than a page has, and two that are the same.
      const count = words === "array" ? 300 : 120;
      clickedTogether(project, count);
      const text = await adopted(project, words.startsWith("cap=90") ? 90 : count);
      expect(text.includes("may be truncated")).toBe(/cap|no-offset/.test(words));
      for (const [word, name] of [
        [/no-type|null-type/, "type"],
        [/(no|empty)-campaign-id/, "campaign_id"],
      ] as const) {
        expect(text.includes(`# - ${name}: the list shows it for no webhook.`)).toBe(word.test(words));
        expect(text.includes(`    ${name}:`)).toBe(!word.test(words));
      }
      expect(text).not.toContain("null");
    },
    60_000,
  );

  test("imports what only the further pages of the list show", async () => {
    const project = await openProject({ profile: parseListProfile("cap=10").profile });
    clickedTogether(project, 21);
    expect(await adopted(project, 21)).not.toContain("may be truncated");
  });

  const HIDDEN = "https://x.example.com/\n    type: contacted\n    is_first: true\n    secret: { env: S }";
  test.each([
    [
      "before the first apply, when it is only recorded",
      true,
      "Resources: 1 imported, 0 added, 0 changed, 0 destroyed.",
      [],
    ],
    [
      "later, when it replaces",
      false,
      "Resources: 1 added, 0 changed, 1 destroyed.",
      ["DELETE /hooks/hoo_000001 200", "POST /hooks?isFirst=true 200"],
    ],
  ])("leaves room for what the service does not show: it can be declared %s", async (_, isFirst, outcome, writes) => {
    const project = await openProject({ profile: parseListProfile("no-type").profile });
    project.environment["S"] = "set-by-hand";
    project.sandbox.add("webhooks", {
      targetUrl: "https://x.example.com/",
      type: "contacted",
      secret: "set-by-hand",
      isFirst: true,
    });
    if (isFirst) await project.run(`generate --out ${FILE}`);
    else await adopted(project, 1);
    project.write(FILE, project.read(FILE).replace("https://x.example.com/", HIDDEN));
    const { out, err, sent } = await project.run("apply --auto-approve");
    expect(out, err).toContain(outcome);
    expect(sent.filter((line) => !line.startsWith("GET"))).toEqual(writes);
    expect((await project.run("plan")).out).toContain("No changes.");
  });

  test("of an empty list writes nothing, and says so", async () => {
    const project = await openProject({ profile: parseListProfile("empty").profile });
    clickedTogether(project, 3);
    const { code, out, err } = await project.run(`generate --out ${FILE}`);
    expect({ code, out, err }).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("Nothing to write") as string,
    });
    expect(Object.keys(project.files())).not.toContain(FILE);
  });
});

describe("hostile values", () => {
  const TYPE = "contacted";
  const URLS = [
    "https://x.example.com/${a}%{b}$${c}%%{d}",
    `https://x.example.com/?q='"#frag:[x]{y}&a=*b!c|d>e%f@g\``,
    "https://x.example.com/~",
    "https://例え.jp/パス/🎉",
    "https://-.example.com/null",
    "https://127.0.0.1:8443/",
    "https://[::1]/hooks",
    "HTTPS://UPPER.example.com:443/a/../b",
    `https://long.example.com/${"a".repeat(2048 - 25)}`,
  ];
  const NAMES = [
    "${evil} %{if} $${x}",
    "# \"quotes\": 'x' \\n",
    "- a\n- b\r\n\t",
    "\u202eRTL \u0007 \u2028",
    "",
    "null",
    "日本",
    "2026-11-21",
    " blank ",
    "\ud83d lone",
    "x".repeat(500),
  ];

  test("of URLs and campaigns come back as they are", async () => {
    const project = await openProject();
    for (const targetUrl of URLS) project.sandbox.add("webhooks", { targetUrl, type: TYPE });
    for (const [at, name] of NAMES.entries()) {
      project.sandbox.add("campaigns", { _id: `cam_n${String(at)}`, name });
      project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/", campaignId: `cam_n${String(at)}` });
    }
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/", campaignId: "cam_gone" });
    const text = await adopted(project, URLS.length + NAMES.length + 1);
    expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain("campaign_id: cam_gone\n");
    expect(text).toContain("campaign_id: cam_n4\n");
    const names = [...text.matchAll(/^ {2}(\S+):$/gm)].map(([, name]) => name);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
  });

  test("that no configuration can declare are left out, and named with the reason", async () => {
    const project = await openProject();
    const refused = [
      { targetUrl: "http://plain.example.com/" },
      { targetUrl: "https://user:word@crm.example.com/" },
      { targetUrl: `https://long.example.com/${"a".repeat(2049 - 25)}` },
      { targetUrl: "https://x.example.com/\u202egnp.exe\u200b\u2066" },
      { targetUrl: "https://x.example.com/?a\\b" },
      { targetUrl: "https://x.example.com/", type: "skipped" },
      { targetUrl: "https://x.example.com/", type: "\n# injected: true" },
      { targetUrl: "https://x.example.com/?key=sandbox-key-good" },
    ];
    for (const webhook of [...refused, { targetUrl: "https://ok.example.com/" }])
      project.sandbox.add("webhooks", webhook);
    const { code, out, err } = await project.run("generate");
    expect(code).toBe(0);
    expect(err).toContain(`Warning: ${String(refused.length)} live webhooks were left out [generate_left_out]\n`);
    expect(out.match(/^ {4}target_url: .*$/gm)).toEqual(["    target_url: https://ok.example.com/"]);
    const ids = project.sandbox.webhooks().map(({ _id }) => _id);
    for (const id of ids.slice(0, -1)) expect(out).toContain(`\n# - ${id}: `);
    expect(out).not.toMatch(/^# injected/m);
    expect(`${out}${err}`).not.toContain("sandbox-key-good");
    expect(`${out}${err}`).not.toContain("user:word");
  });
});

describe("an existing configuration", () => {
  const DECLARED = "version: 1\ndata:\n  campaign:\n    q3-launch: { name: Q3 launch }\nwebhooks:\n";

  test("keeps its names, its imports and its declarations", async () => {
    const project = await openProject();
    const { sandbox } = project;
    const managed = "  crm-all-events: { target_url: https://other.example.com/ }\n";
    project.write(FILE, `${DECLARED}${managed}`);
    await project.run("apply --auto-approve");
    const ids = ["a", "b", "c", "d"].map((name) => `hoo_${name}`);
    const urls = [
      "https://crm.example.com/",
      "https://declared.example.com/",
      "https://imported.example.com/",
      "https://other.example.com/",
    ];
    for (const [at, targetUrl] of urls.entries()) sandbox.add("webhooks", { _id: ids[at] ?? "", targetUrl });
    sandbox.add("webhooks", {
      _id: "hoo_e",
      targetUrl: "https://crm.example.com/",
      type: "contacted",
      campaignId: "cam_000001",
    });
    const more =
      "  mine: { target_url: https://declared.example.com/ }\n  got: { target_url: https://imported.example.com/ }\n";
    project.write(FILE, `${DECLARED}${managed}${more}imports: [{ to: outreach_webhook.got, id: hoo_c }]\n`);
    const { code, out, err } = await project.run("generate --out more.yaml");
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining("hoo_d: It is identical to outreach_webhook.crm-all-events.") as string,
    });
    expect(out).toContain("Wrote 2 webhooks and 3 imports to more.yaml.");
    expect(out).toContain("copy its sections into outreach.yaml");
    const text = project.read("more.yaml");
    expect(text).toContain("  crm-all-events-2:\n    target_url: https://crm.example.com/\n");
    expect(text).toContain("    q3-launch-2: { name: Q3 launch }\n");
    expect(text).toContain("  - { to: outreach_webhook.mine, id: hoo_b }\n");
    project.write("both/one.yaml", project.read(FILE));
    project.write("both/two.yaml", text);
    const planned = await project.run("plan -c both --state outreach.state.json");
    expect(planned).toMatchObject({
      code: 0,
      out: expect.stringContaining("Plan: 4 to import, 0 to add, 0 to change, 0 to destroy.") as string,
    });
  });

  test("is never overwritten, and must be sound", async () => {
    const project = await openProject();
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/" });
    project.write(FILE, DECLARED.replace("webhooks:\n", ""));
    const refused = await project.run(`generate --out ${FILE}`);
    expect(refused).toMatchObject({
      code: 1,
      out: "",
      sent: [],
      err: expect.stringContaining("generate never overwrites a file") as string,
    });
    expect(await project.run("generate --out missing/file.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("The folder of missing/file.yaml does not exist") as string,
    });
    project.write(FILE, "version: 1\nwebhooks: { a: { target_url: nonsense } }\n");
    expect(await project.run("generate")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("outreach.yaml:2:") as string,
    });
    expect(project.files()).toMatchObject({ [FILE]: expect.stringContaining("nonsense") as string });
  });

  test("that is a folder takes the new file as it is", async () => {
    const project = await openProject();
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/" });
    project.write("conf/one.yaml", "version: 1\nwebhooks: { x-all-events: { target_url: https://y.example.com/ } }\n");
    const { code, out } = await project.run("generate -c conf/ --out conf/two.yaml");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("check the plan: outreach plan -c conf/\n") as string,
    });
    expect((await project.run("plan -c conf/")).out).toContain(
      "Plan: 1 to import, 1 to add, 0 to change, 0 to destroy.",
    );
  });

  test("that is applied has everything: generate writes nothing", async () => {
    const project = await openProject();
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/" });
    await adopted(project, 1);
    const before = project.files();
    expect(await project.run("generate --out more.yaml")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("Nothing to write") as string,
    });
    expect(project.files()).toEqual(before);
  });
});

describe("webhooks whose target URLs name what differs between them", () => {
  const CRM = "https://crm.example.com/hook";
  const fannedOut = (text: string): readonly string[] =>
    text.match(/^ {4}(?:target_url|types?|campaigns?): .*$/gm)?.map((line) => line.trim()) ?? [];

  test.each([
    [
      "event types",
      ["emailsReplied", "interested", "hooked"].map((type) => ({ targetUrl: `${CRM}?evt=${type}&v=2`, type })),
      ["target_url: https://crm.example.com/hook?evt=${each.type}&v=2", "types: [emailsReplied, interested, hooked]"],
    ],
    [
      "event types in the path, of one campaign",
      ["emailsReplied", "interested"].map((type) => ({
        targetUrl: `https://crm.example.com/${type}/in`,
        type,
        campaignId: "cam_000001",
      })),
      [
        "target_url: https://crm.example.com/${each.type}/in",
        "types: [emailsReplied, interested]",
        "campaign: q3-launch",
      ],
    ],
    [
      "campaigns",
      ["cam_000001", "cam_000002"].map((campaignId) => ({
        targetUrl: `${CRM}/${campaignId}?c=${campaignId}`,
        campaignId,
        type: "hooked",
      })),
      [
        "target_url: https://crm.example.com/hook/${each.campaign_id}?c=${each.campaign_id}",
        "type: hooked",
        "campaigns: [q3-launch, spring-webinar-follow-up]",
      ],
    ],
    [
      "both",
      ["cam_000001", "cam_000002"].flatMap((campaignId) =>
        ["emailsReplied", "hooked"].map((type) => ({
          targetUrl: `${CRM}?evt=${type}&c=${campaignId}`,
          campaignId,
          type,
        })),
      ),
      [
        "target_url: https://crm.example.com/hook?evt=${each.type}&c=${each.campaign_id}",
        "types: [emailsReplied, hooked]",
        "campaigns: [q3-launch, spring-webinar-follow-up]",
      ],
    ],
  ])("are one block: %s", async (_name, webhooks, lines) => {
    const project = await openProject();
    for (const webhook of webhooks) project.sandbox.add("webhooks", webhook);
    expect(fannedOut(await adopted(project, webhooks.length))).toEqual(lines);
  });

  test.each([
    ["a single one", [{ targetUrl: `${CRM}?evt=hooked`, type: "hooked" }], 1],
    [
      "another parameter",
      ["hooked", "interested"].map((type) => ({
        targetUrl: `${CRM}?evt=${type}&is=${type === "hooked" ? "1" : "2"}`,
        type,
      })),
      2,
    ],
    ["a longer word", ["hooked", "interested"].map((type) => ({ targetUrl: `${CRM}?evt=un${type}`, type })), 2],
    [
      "what would escape the expression",
      ["hooked", "interested"].map((type) => ({ targetUrl: `${CRM}?evt=$${type}`, type })),
      2,
    ],
    ["in the host", ["hooked", "interested"].map((type) => ({ targetUrl: `https://${type}.example.com/`, type })), 2],
    ["duplicates", ["hooked", "hooked"].map((type) => ({ targetUrl: `${CRM}?evt=${type}`, type })), 2],
  ])("but not with %s", async (_name, webhooks, blocks) => {
    const project = await openProject();
    for (const webhook of webhooks) project.sandbox.add("webhooks", webhook);
    const text = await adopted(project, webhooks.length);
    expect(text).not.toContain("${each.");
    expect(text.match(/^ {4}target_url:/gm)).toHaveLength(blocks);
  });

  test("a combination that is missing leaves one block for each campaign", async () => {
    const project = await openProject();
    const pairs = [
      "emailsReplied cam_000001",
      "hooked cam_000001",
      "emailsReplied cam_000002",
      "hooked cam_000002",
      "interested cam_000002",
    ];
    for (const [type = "", campaignId = ""] of pairs.map((pair) => pair.split(" ")))
      project.sandbox.add("webhooks", { targetUrl: `${CRM}?evt=${type}&c=${campaignId}`, type, campaignId });
    expect(fannedOut(await adopted(project, 5))).toEqual([
      "target_url: https://crm.example.com/hook?evt=${each.type}&c=cam_000001",
      "types: [emailsReplied, hooked]",
      "campaign: q3-launch",
      "target_url: https://crm.example.com/hook?evt=${each.type}&c=cam_000002",
      "types: [emailsReplied, hooked, interested]",
      "campaign: spring-webinar-follow-up",
    ]);
  });
});

test("a lost configuration comes back from its state, and the plan changes nothing", async () => {
  const project = await openProject();
  const S = "a-secret-of-ours";
  project.write(
    FILE,
    `version: 1
webhooks:
  plain: { target_url: https://x.example.com/, is_first: true, protect: true, rotation: create_first, secret: { env: S } }
  fan: { target_url: "https://crm.example.com/hook?evt=\${each.type}", types: [contacted, hooked] }
`,
  );
  expect(await project.run("apply --auto-approve", { S })).toMatchObject({ code: 0 });
  rmSync(path.join(project.folder, FILE));
  const { code, out } = await project.run("generate --from-state --to yaml --state outreach.state.json");
  expect(code).toBe(0);
  project.write(FILE, out);
  expect(await project.run("plan --detailed-exitcode", { PLAIN_SECRET: S })).toMatchObject({ code: 0 });
  expect((await project.run("generate --all")).err).toContain("--all");
});

test("an undecided write stops generate: its webhook would get a second owner", async () => {
  const project = await openProject();
  project.write(FILE, "version: 1\nwebhooks: { a: { target_url: https://x.example.com/ } }\n");
  project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
  project.sandbox.addFault({
    action: { kind: "answer", status: 200, body: '"no list"' },
    operation: "listWebhooks",
    times: null,
    skip: 1,
  });
  expect((await project.run("apply --auto-approve")).code).toBe(3);
  project.sandbox.clearFaults();
  project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/" });
  const before = project.files();
  expect(await project.run("generate --out more.yaml")).toMatchObject({
    code: 3,
    out: "",
    err: expect.stringContaining("outreach resolve") as string,
  });
  expect(project.files()).toEqual(before);
});

test("without any live webhook, generate says so", async () => {
  const project = await openProject();
  expect(await project.run("generate")).toMatchObject({
    code: 0,
    out: "",
    err: "Nothing to write: the service lists no webhooks.\n",
  });
});

test("without a configuration, generate says how to write the webhooks that the state has", async () => {
  const project = await openProject();
  project.write("lost.yaml", "version: 1\nwebhooks: { a: { target_url: https://x.example.com/ } }\n");
  expect(await project.run("apply -c lost.yaml --auto-approve")).toMatchObject({ code: 0 });
  expect((await project.run("generate")).err).toContain(
    "has every live webhook.\nTo write those of the state: outreach generate --from-state --to yaml\n",
  );
});
