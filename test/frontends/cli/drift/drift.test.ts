import { describe, expect, test } from "vitest";
import { parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
/** The members of the document, in their order. */
const MEMBERS =
  "format_version outreach_version configuration status complete summary missing changed unmanaged unobservable unchecked undecided names advice diagnostics".split(
    " ",
  );

const HEAD = "version: 1\nwebhooks:\n";
const URLS = { a: "https://crm.example.com/a", b: "https://crm.example.com/b", c: "https://crm.example.com/c" };
const block = (name: keyof typeof URLS): string => `  ${name}: { target_url: "${URLS[name]}", type: emailsSent }\n`;

/** Three applied webhooks. */
async function applied(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", `${HEAD}${block("a")}${block("b")}${block("c")}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

const idOf = ({ sandbox }: Project, url: string): string =>
  String(sandbox.webhooks().find(({ targetUrl }) => targetUrl === url)?._id);

function remove(project: Project, url: string): string {
  const id = idOf(project, url);
  project.sandbox.remove("webhooks", id);
  return id;
}

/** The service has no update: somebody's database change shows as the same id with another value. */
function change(project: Project, url: string, type: string): string {
  const id = remove(project, url);
  project.sandbox.add("webhooks", { _id: id, targetUrl: url, type });
  return id;
}

interface Report {
  readonly status: string;
  readonly complete: boolean;
  readonly summary: { readonly [name: string]: number };
  readonly [member: string]: unknown;
}

/** What `--json` prints. */
async function reportOf(
  project: Project,
  line = "drift",
  environment = {},
): Promise<Report & { readonly code: number | null }> {
  const { code, out } = await project.run(`${line} --json`, environment);
  const report = JSON.parse(out) as Report;
  expect(Object.keys(report)).toEqual(MEMBERS);
  return { ...report, code };
}

describe("outreach drift", () => {
  test("finds nothing right after an apply, sends one read, and stores nothing", async () => {
    const project = await applied();
    const before = project.files();
    const { code, out, err, sent } = await project.run("drift");
    expect({ code, err, sent }).toEqual({ code: 0, err: "", sent: ["GET /hooks 200"] });
    expect(out).toBe("No drift. Your webhooks match the state.\n");
    expect(project.files()).toEqual(before);
    expect(await reportOf(project)).toMatchObject({
      code: 0,
      status: "none",
      complete: true,
      missing: [],
      changed: [],
      unmanaged: [],
      diagnostics: [],
    });
  });

  test("names what is missing, changed and unmanaged, with what to do", async () => {
    const project = await applied();
    const [gone, other] = [remove(project, URLS.a), change(project, URLS.b, "emailsReplied")];
    project.sandbox.add("webhooks", {
      _id: "hoo_foreign",
      targetUrl: "https://elsewhere.example.com/",
      campaignId: "cam_000001",
    });
    const before = project.files();
    const { code, out, err, sent } = await project.run("drift");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(sent.every((request) => request.startsWith("GET /hooks"))).toBe(true);
    expect(out.split("\n")[0]).toBe("Drift detected: 1 missing, 1 changed, 1 unmanaged.");
    expect(out).toContain(
      `  - outreach_webhook.a (${gone})\n        target_url = "${URLS.a}"\n        type       = "emailsSent"\n`,
    );
    expect(out).toContain(`  ~ outreach_webhook.b\n      ~ type = "emailsSent" -> "emailsReplied"\n`);
    expect(out).toMatch(/\n {2}hoo_foreign +https:\/\/elsewhere\.example\.com\/ +- +cam_000001 +\S+\n/);
    for (const command of [
      "To create it again: outreach apply.",
      "To restore the declared value: outreach apply.",
      "outreach generate",
      "If nobody needs it, write it into a list of removals: outreach ",
    ])
      expect(out).toContain(command);
    expect(project.files()).toEqual(before);
    expect(await reportOf(project)).toMatchObject({
      code: 2,
      status: "drift",
      complete: true,
      configuration: "outreach.yaml",
      summary: { missing: 1, changed: 1, unmanaged: 1, unobservable: 0, unchecked: 0, undecided: 0 },
      missing: [{ address: "outreach_webhook.a", id: gone, values: { target_url: URLS.a } }],
      changed: [
        {
          address: "outreach_webhook.b",
          id: other,
          attributes: { type: { before: "emailsSent", after: "emailsReplied" } },
        },
      ],
      unmanaged: [{ id: "hoo_foreign", values: { campaign_id: "cam_000001", type: null } }],
    });
  });

  test("counts unmanaged webhooks as drift only with --fail-on unmanaged", async () => {
    const project = await applied();
    project.sandbox.add("webhooks", { targetUrl: "https://elsewhere.example.com/" });
    expect(await project.run("drift")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No drift. Your webhooks match the state. 1 unmanaged.") as string,
    });
    expect(await project.run("drift --fail-on unmanaged")).toMatchObject({
      code: 2,
      out: expect.stringContaining("Drift detected: 1 unmanaged.") as string,
    });
    expect(await reportOf(project)).toMatchObject({ code: 0, status: "none" });
    expect(await project.run("drift --fail-on everything")).toMatchObject({ code: 1, sent: [] });
  });

  test("counts the recorded values that the service does not return, by attribute", async () => {
    const project = await openProject({ profile: parseListProfile("no-type").profile });
    const bodies = [
      "type: contacted, secret: { env: S }",
      "type: contacted, secret: { env: S }, is_first: true",
      "type: contacted, automation_id: x",
    ];
    project.write(
      "outreach.yaml",
      `${HEAD}${bodies.map((body, at) => `  w${String(at)}: { target_url: https://x.example.com/${String(at)}, ${body} }\n`).join("")}`,
    );
    await project.run("apply --auto-approve", { S: "a-secret-of-ours" });
    const { code, out } = await project.run("drift");
    expect(code).toBe(0);
    expect(out).toContain(
      "  type of 3 webhooks\n  is_first of 1 webhook\n  automation_id of 1 webhook\n  secret of 2 webhooks\n",
    );
    expect((await reportOf(project))["unobservable"]).toContainEqual({
      type: "outreach_webhook",
      attribute: "secret",
      count: 2,
    });
  });

  test("says that unsubscriptions are never compared", async () => {
    const project = await applied();
    project.write(
      "outreach.yaml",
      `${project.read("outreach.yaml")}lead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ada@example.com] }\n`,
    );
    await project.run("apply --auto-approve --allow-unsubscribes");
    const { code, out } = await project.run("drift");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("  everything of 1 lead unsubscription\n") as string,
    });
    expect(out).not.toContain("ada@example.com");
  });

  test("resolves no secret, runs no command, and needs no declarations", async () => {
    const project = await applied();
    remove(project, URLS.c);
    project.write(
      "outreach.yaml",
      `${HEAD}  a: { target_url: "\${var.host}", type: nonsense, secret: { command: [touch, ran] } }\nvariables: { host: }\n`,
    );
    expect(await project.run("drift")).toMatchObject({
      code: 2,
      err: "",
      out: expect.stringContaining("outreach_webhook.c") as string,
    });
    expect(Object.keys(project.files())).not.toContain("ran");
    const { out } = await project.run("drift -c elsewhere.yaml");
    expect(out).toBe("");
  });

  test("needs no configuration where the environment says where state and service are", async () => {
    const project = await applied();
    remove(project, URLS.a);
    const empty = await openProject();
    empty.write("kept.json", project.read("outreach.state.json"));
    const environment = { OUTREACH_BASE_URL: project.sandbox.baseUrl, OUTREACH_API_KEY: project.sandbox.keys.good };
    expect(await empty.run("drift --state kept.json", environment)).toMatchObject({
      code: 2,
      out: expect.stringContaining("Drift detected: 1 missing.") as string,
    });
    expect(await empty.run("drift --state kept.json", { OUTREACH_BASE_URL: "" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("No base URL") as string,
    });
    const { code, unmanaged } = await reportOf(empty, "drift", environment);
    expect(code).toBe(0);
    // In the order of their creation, which is not that of the configuration.
    const urls = (unmanaged as readonly { readonly values: { readonly target_url: string } }[]).map(
      ({ values }) => values.target_url,
    );
    expect(urls.toSorted()).toEqual([URLS.b, URLS.c]);
  });
});

describe("what cannot be determined is not reported as no drift", () => {
  test("a webhook that a possibly truncated list lacks is unchecked, and not missing", async () => {
    const project = await openProject({ profile: parseListProfile("cap=10,no-offset").profile });
    const blocks = Array.from(
      { length: 11 },
      (_, at) => `  w${String(at)}: { target_url: 'https://x.example.com/${String(at)}' }\n`,
    );
    project.write("outreach.yaml", `${HEAD}${blocks.join("")}`);
    await project.run("apply --auto-approve");
    const { code, out } = await project.run("drift");
    expect(code).toBe(1);
    expect(out.split("\n")[0]).toBe("Drift cannot be determined: 1 unchecked.");
    expect(out).toMatch(/which may be truncated\n\n {2}outreach_webhook\.w\d+ \(hoo_\d+\)\n/);
    expect(out).toContain("outreach doctor");
    expect(await reportOf(project)).toMatchObject({
      code: 1,
      status: "unknown",
      complete: false,
      missing: [],
      unchecked: [{ type: "outreach_webhook" }],
    });
  });

  test("an unmanaged webhook that a list may hide matters only where it counts", async () => {
    const project = await openProject({ profile: parseListProfile("no-offset").profile });
    project.write("outreach.yaml", `${HEAD}${block("a")}`);
    await project.run("apply --auto-approve");
    for (let at = 0; at < 99; at++)
      project.sandbox.add("webhooks", { targetUrl: `https://x.example.com/${String(at)}` });
    expect(await reportOf(project)).toMatchObject({ code: 0, status: "none", complete: false });
    expect(await reportOf(project, "drift --fail-on unmanaged")).toMatchObject({ code: 1, status: "unknown" });
  });

  test("an undecided outcome exits with 3, and what it may have created is not unmanaged", async () => {
    const project = await applied();
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    project.write(
      "outreach.yaml",
      `${HEAD}${block("a")}${block("b")}${block("c")}  d: { target_url: "https://crm.example.com/d" }\n`,
    );
    expect((await project.run("apply --auto-approve")).code).toBe(3);
    project.sandbox.clearFaults();
    project.sandbox.add("webhooks", { _id: "hoo_twin", targetUrl: "https://crm.example.com/d" });
    const { code, out } = await project.run("drift");
    expect({ code, out }).toMatchObject({
      code: 3,
      out: expect.stringContaining("Drift cannot be determined: 1 undecided.") as string,
    });
    expect(await reportOf(project)).toMatchObject({
      code: 3,
      status: "undecided",
      unmanaged: [],
      undecided: [{ address: "outreach_webhook.d" }],
    });
  });

  test("another service, a wrong key and a failing service are errors, also in JSON", async () => {
    const project = await applied();
    const other = await openProject();
    const moved = await reportOf(project, "drift", { OUTREACH_BASE_URL: other.sandbox.baseUrl });
    expect(moved).toMatchObject({
      code: 1,
      status: "error",
      complete: false,
      diagnostics: [{ summary: "The state belongs to another service" }],
    });
    expect(JSON.stringify(moved)).not.toContain("--allow-");
    const denied = await reportOf(project, "drift", { OUTREACH_API_KEY: "wrong" });
    expect(denied).toMatchObject({ code: 1, status: "error", diagnostics: [{ severity: "error" }] });
    const text = await project.run("drift", { OUTREACH_API_KEY: "wrong" });
    expect(text).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("Error: The service refused the request") as string,
    });
  });

  test("a key of another team is an error; another key of the same team is not", async () => {
    const project = await applied();
    remove(project, URLS.a);
    const { otherTeam, sameTeam } = project.sandbox.keys;
    expect(await project.run("drift", { OUTREACH_API_KEY: otherTeam })).toMatchObject({
      code: 1,
      err: expect.stringContaining("Another API key") as string,
    });
    expect(await project.run("drift", { OUTREACH_API_KEY: sameTeam })).toMatchObject({ code: 2, err: "" });
  });

  test("many missing webhooks are drift, with a warning that names the limit", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `${HEAD}${["k", "l", "m", "n", "o"].map((name) => `  ${name}: { target_url: https://x.example.com/${name} }\n`).join("")}`,
    );
    await project.run("apply --auto-approve");
    for (const { _id } of project.sandbox.webhooks().slice(1)) project.sandbox.remove("webhooks", _id);
    const { code, err } = await project.run("drift");
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining("Warning: More webhooks are missing than allowed") as string,
    });
    expect(err).not.toContain("--allow-recreate");
  });

  test("the limit of the configuration decides how many missing webhooks are too many", async () => {
    const project = await applied();
    remove(project, URLS.a);
    expect((await project.run("drift")).err).not.toContain("More webhooks are missing than allowed");
    project.write("outreach.yaml", `version: 1\nlimits: { recreate: 0 }\n`);
    expect((await project.run("drift")).err).toContain("Warning: More webhooks are missing than allowed");
    remove(project, URLS.b);
    project.write("outreach.yaml", `version: 1\nlimits: { recreate: 100% }\n`);
    expect(await project.run("drift")).toMatchObject({ code: 2, err: "" });
  });
});

test("--format markdown prints the body of an issue, which names the configuration relative to the checkout of the job", async () => {
  const project = await applied();
  const id = remove(project, URLS.a);
  project.write("teams/crm/outreach.yaml", project.read("outreach.yaml"));
  project.write("teams/crm/outreach.state.json", project.read("outreach.state.json"));
  const line = "drift -c teams/crm/outreach.yaml --format markdown";
  const { code, out, err } = await project.run(line, { GITHUB_WORKSPACE: `${project.folder}/teams` });
  expect({ code, err }).toEqual({ code: 2, err: "" });
  expect(out.split("\n")[0]).toBe("<!-- outreach-as-code drift: crm/outreach.yaml -->");
  expect(out).toContain(`| \`outreach_webhook.a\` | \`${id}\` | \`target_url\`: \`"${URLS.a}"\`<br>`);
  expect(out).toContain("To create it again: `outreach apply -c teams/crm/outreach.yaml`.");
  expect((await project.run(line)).out.split("\n")[0]).toBe("<!-- outreach-as-code drift: teams/crm/outreach.yaml -->");
  expect(await project.run(line, { OUTREACH_API_KEY: "wrong" })).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("Error:") as string,
  });
});

test("the reports of two stages have a marker and a heading each, by the place of the state or by --name, and say the commit", async () => {
  const project = await applied();
  for (const stage of ["staging", "production"]) project.write(`${stage}.json`, project.read("outreach.state.json"));
  const run = { GITHUB_ACTIONS: "true", GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567" };
  const lines = async (options: string, state?: string): Promise<readonly (string | undefined)[]> => {
    const { out } = await project.run(`drift --format markdown ${options}`, {
      ...run,
      ...(state === undefined ? {} : { OUTREACH_STATE: state }),
    });
    return [out.split("\n")[0], out.split("\n")[2]];
  };
  const reports = [
    await lines("", "staging.json"),
    await lines("", "production.json"),
    await lines("--name production"),
    await lines(""),
  ];
  expect(new Set(reports.map(([marker]) => marker)).size).toBe(4);
  expect(reports[0]).toEqual([
    expect.stringMatching(/^<!-- outreach-as-code drift: outreach\.yaml, staging\.json#[0-9a-f]{8} -->$/),
    expect.stringMatching(/^### Drift of `outreach\.yaml`, `staging\.json#[0-9a-f]{8}` at 0123456789ab$/),
  ]);
  expect(reports.slice(2)).toEqual([
    [
      "<!-- outreach-as-code drift: outreach.yaml, production -->",
      "### Drift of `outreach.yaml`, `production` at 0123456789ab",
    ],
    ["<!-- outreach-as-code drift: outreach.yaml -->", "### Drift of `outreach.yaml` at 0123456789ab"],
  ]);
  expect(await lines("", "staging.json")).toEqual(reports[0]);
  expect(await project.run("drift --name ' '")).toMatchObject({
    code: 1,
    err: expect.stringContaining("--name production") as string,
  });
});

test("a target URL from a sensitive variable is masked in every format", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1\nvariables: { token: { sensitive: true } }\nwebhooks:\n  a: { target_url: "https://x.example.com/\${var.token}" }\n`,
  );
  const environment = { OUTREACH_VAR_token: "hidden-token" };
  await project.run("apply --auto-approve", environment);
  remove(project, "https://x.example.com/hidden-token");
  for (const format of ["text", "json", "markdown"]) {
    const { code, out } = await project.run(`drift --format ${format}`);
    expect(code).toBe(2);
    expect(out).toContain("(sensitive value) (host x.example.com)");
    expect(out).not.toContain("hidden-token");
  }
});

test("without a state, a report says that nothing was compared, and not that there is no drift", async () => {
  const project = await openProject();
  for (const line of ["drift", "drift --format markdown"]) {
    const { code, out, err } = await project.run(line);
    expect([code, out]).toEqual([0, expect.stringContaining("Nothing was compared: no state exists.")]);
    expect(out).not.toContain("No drift");
    expect(err).toContain(
      "Warning: No state was found [state_missing]\n\nThe state outreach.state.json does not exist",
    );
    expect(err).toContain("so it compared nothing.");
    expect(err).toContain("Name another state with -c PATH or --state PATH.");
    if (line !== "drift") expect(out).toContain("No state was found");
  }
  const { code, out } = await project.run("drift --json");
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { status: "none", diagnostics: [{ severity: "warning", summary: "No state was found" }] },
  ]);
});

test("one report has one format", async () => {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\nwebhooks:\n  a: { target_url: "https://crm.example.com/a" }\n`);
  for (const line of ["drift --json --format markdown", "show --json --format html"]) {
    const { code, out, err } = await project.run(line);
    expect(code).toBe(1);
    expect(`${out}${err}`).toContain("Conflicting options");
  }
  await project.run("apply --auto-approve");
  expect(await project.run("drift --json --format json")).toMatchObject({ code: 0 });
});
