import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import {
  type ApplyResult,
  type Options,
  apply,
  applySaved,
  drift,
  explain,
  generate,
  plan,
} from "../../src/library/index.ts";
import { ROOT } from "../docs/pages.ts";
import { type Project, oneWebhook, useProjects } from "../frontends/cli/project.ts";

const openProject = useProjects();
const ADDRESS = "outreach_webhook.crm";
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";
const OBJECT = {
  version: 1,
  webhooks: { crm: { target_url: "https://crm.example.com/hooks", type: "emailsReplied" } },
};
const CONFIG = "outreach.yaml";

/** Options for a project. No listing delay is waited for. */
function within(project: Project, more: { readonly [name: string]: string | undefined } = {}): Options {
  return { folder: project.folder, environment: { ...project.environment, OUTREACH_SETTLE: "0s", ...more } };
}

async function configured(): Promise<Project> {
  const project = await openProject();
  project.write(CONFIG, oneWebhook(BODY));
  return project;
}

function writes(project: Project): readonly string[] {
  return project.sandbox
    .requests()
    .flatMap(({ method, path: sent }) => (method === "GET" ? [] : [`${method} ${sent}`]));
}

test("a plan is JSON, and says what an apply does; a second apply does nothing", async () => {
  const project = await configured();
  const planned = await plan(CONFIG, within(project));
  expect(planned).toMatchObject({
    status: "changed",
    counts: { add: 1, change: 0, destroy: 0 },
    diagnostics: [{ severity: "note", code: "state_missing" }],
  });
  expect(JSON.parse(JSON.stringify(planned.plan))).toEqual(planned.plan);
  expect(planned.plan?.steps).toMatchObject([{ action: "create", address: ADDRESS }]);
  expect(writes(project)).toEqual([]);
  expect(await apply(CONFIG, within(project))).toMatchObject({
    status: "complete",
    counts: { add: 1 },
    diagnostics: [{ code: "state_missing" }],
  });
  expect(writes(project)).toEqual(["POST /hooks"]);
  expect(await apply(CONFIG, within(project))).toMatchObject({
    status: "complete",
    counts: { add: 0, change: 0, destroy: 0 },
  });
  expect(await plan(CONFIG, within(project))).toMatchObject({ status: "unchanged" });
  expect(writes(project)).toEqual(["POST /hooks"]);
});

test("without verified certificates, no operation sends anything, whatever environment it was given", async () => {
  const project = await configured();
  const { saved } = await plan(CONFIG, within(project));
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  try {
    const options = within(project, { NODE_TLS_REJECT_UNAUTHORIZED: undefined });
    const before = project.sandbox.requests().length;
    const results = [
      await plan(CONFIG, options),
      await apply(CONFIG, options),
      await applySaved(CONFIG, saved ?? new Uint8Array(), options),
      await drift(CONFIG, options),
      await explain(CONFIG, ADDRESS, options),
      await generate(CONFIG, options),
    ];
    expect(results.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual(
      results.map(() => ["tls_not_verified"]),
    );
    expect(project.sandbox.requests().slice(before)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
  // Another process's variable, which changes nothing here.
  expect(await plan(CONFIG, within(project, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }))).toMatchObject({
    status: "changed",
  });
});

test("a configuration can be an object; its state is where a file's would be", async () => {
  const project = await openProject();
  expect(await apply(OBJECT, within(project))).toMatchObject({ status: "complete", counts: { add: 1 } });
  expect(Object.keys(project.files())).toEqual(["outreach.state.json", "outreach.state.json.backup"]);
  expect(await apply(OBJECT, within(project))).toMatchObject({ status: "complete", counts: { add: 0 } });
  const wrong = await plan(
    { version: 1, webhooks: { crm: { target_url: "http://crm.example.com", type: "emailsReplied" } } },
    within(project),
  );
  expect(wrong).toMatchObject({
    status: "failed",
    saved: null,
    diagnostics: [{ severity: "error", place: { file: "configuration.yaml", line: 5 } }],
  });
});

test("options: variables, destroy, targets, a team's name and the place of the state", async () => {
  const project = await openProject();
  project.write(
    CONFIG,
    "version: 1\nvariables: { host: {} }\nwebhooks:\n  a: { target_url: 'https://${var.host}/a', type: emailsReplied }\n  b: { target_url: 'https://${var.host}/b', type: emailsReplied }\n",
  );
  const options = { ...within(project), variables: { host: "crm.example.com" }, state: "own.state.json" };
  expect(await plan(CONFIG, within(project))).toMatchObject({
    status: "failed",
    diagnostics: [{ code: "variable_missing" }],
  });
  expect(await apply(CONFIG, { ...options, targets: ["outreach_webhook.a"] })).toMatchObject({ counts: { add: 1 } });
  expect(await apply(CONFIG, options)).toMatchObject({ counts: { add: 1 } });
  expect(project.files()).toHaveProperty(["own.state.json"]);
  expect(await apply(CONFIG, { ...options, destroy: true })).toMatchObject({
    status: "complete",
    counts: { destroy: 2 },
  });
  expect(await plan(CONFIG, { ...options, team: "sales" })).toMatchObject({
    status: "failed",
    diagnostics: [{ severity: "error" }],
  });
});

test("decide sees the plan under the lock, and false applies nothing", async () => {
  const project = await configured();
  const seen: unknown[] = [];
  const declined = await apply(CONFIG, {
    ...within(project),
    decide: async (planned) => {
      const other = await apply(CONFIG, within(project));
      seen.push(
        planned.counts.add,
        other.status,
        other.diagnostics.map(({ code }) => code),
      );
      return false;
    },
  });
  expect(declined).toMatchObject({ status: "declined", counts: { add: 0 }, plan: { steps: [{ action: "create" }] } });
  expect(seen).toEqual([1, "failed", ["state_locked"]]);
  expect(writes(project)).toEqual([]);
  expect(Object.keys(project.files())).toEqual([CONFIG]);
});

test("a service that changed while decide took its time stops the apply", async () => {
  const project = await configured();
  await apply(CONFIG, within(project));
  project.write(CONFIG, oneWebhook(BODY.replace("/hooks", "/other")));
  const sent = writes(project);
  const decide = (): boolean => {
    for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
    return true;
  };
  expect(await apply(CONFIG, { ...within(project), decide })).toMatchObject({
    status: "failed",
    diagnostics: [{ code: "plan_outdated" }],
  });
  expect(writes(project)).toEqual(sent);
});

test.for<[problem: string, environment: { readonly [name: string]: string | undefined }, code: string]>([
  ["a missing key", { OUTREACH_API_KEY: undefined }, "api_key_missing"],
  ["a key that the service refuses", { OUTREACH_API_KEY: "another" }, "service_wrong_key"],
  ["a setting that means nothing", { OUTREACH_LOG: "loud" }, "setting_invalid"],
])("mistakes of users are diagnostics: %s", async ([, environment, code]) => {
  const project = await configured();
  const options = within(project, environment);
  const failed = { diagnostics: [{ severity: "error", code }] };
  expect(await plan(CONFIG, options)).toMatchObject({ ...failed, status: "failed", saved: null });
  expect(await apply(CONFIG, options)).toMatchObject({ ...failed, status: "failed" });
  expect(await drift(CONFIG, options)).toMatchObject({ ...failed, status: "error" });
  expect(await explain(CONFIG, ADDRESS, options)).toMatchObject({ ...failed, status: "failed", explanation: null });
  expect(await generate(CONFIG, options)).toMatchObject({ ...failed, status: "failed", yaml: null });
});

test("faults are thrown: an error of the program's own function", async () => {
  const project = await configured();
  const broken = new Error("the rule is broken");
  await expect(
    apply(CONFIG, {
      ...within(project),
      decide: () => {
        throw broken;
      },
    }),
  ).rejects.toBe(broken);
});

test("an aborted signal gives interrupted: before the start, and during an apply, which keeps what it did", async () => {
  const project = await openProject();
  const many = Array.from(
    { length: 30 },
    (_, index) =>
      `  w${String(index)}: { target_url: https://crm.example.com/${String(index)}, type: emailsReplied }\n`,
  );
  project.write(CONFIG, `version: 1\nwebhooks:\n${many.join("")}`);
  expect(await plan(CONFIG, { ...within(project), signal: AbortSignal.abort() })).toMatchObject({
    status: "interrupted",
    diagnostics: [{ code: "interrupted" }],
  });
  expect(project.sandbox.requests()).toEqual([]);
  const stop = new AbortController();
  const interrupted = await apply(CONFIG, { ...within(project), signal: stop.signal, onProgress: () => stop.abort() });
  expect(interrupted.status).toBe("interrupted");
  expect(interrupted.counts.add).toBe(project.sandbox.webhooks().length);
  expect(interrupted.counts.add).toBeLessThan(30);
  expect(await apply(CONFIG, within(project))).toMatchObject({
    status: "complete",
    counts: { add: 30 - interrupted.counts.add },
  });
  expect(project.sandbox.webhooks()).toHaveLength(30);
});

test("a saved plan works between the library and the command, in both directions, and only once", async () => {
  const project = await configured();
  const planned = await plan(CONFIG, within(project));
  project.write("crm.plan", new TextDecoder().decode(planned.saved ?? new Uint8Array()));
  expect(await project.run("apply crm.plan")).toMatchObject({ code: 0, err: "" });
  await project.run("plan --destroy --out gone.plan");
  const saved = new TextEncoder().encode(project.read("gone.plan"));
  expect(await applySaved(CONFIG, saved, within(project))).toMatchObject({
    status: "complete",
    counts: { destroy: 1 },
  });
  expect(await applySaved(CONFIG, saved, within(project))).toMatchObject({
    status: "failed",
    diagnostics: [{ code: "plan_stale" }],
  });
  expect(project.sandbox.webhooks()).toEqual([]);
});

test("a plan without secrets runs no command, and cannot be applied", async () => {
  const project = await openProject();
  project.write(CONFIG, oneWebhook(`${BODY}\nsecret: { command: [touch, ran] }`));
  const planned = await plan(CONFIG, { ...within(project), secrets: false });
  expect(planned).toMatchObject({ status: "changed", saved: null });
  expect(Object.keys(project.files())).toEqual([CONFIG]);
  await project.run("plan --no-secrets --out open.plan");
  const open = new TextEncoder().encode(project.read("open.plan"));
  expect(await applySaved(CONFIG, open, within(project))).toMatchObject({
    status: "failed",
    diagnostics: [{ code: "plan_without_secrets" }],
  });
});

test("drift, explain and generate return what the command prints", async () => {
  const project = await configured();
  await apply(CONFIG, within(project));
  expect(await drift(CONFIG, within(project))).toMatchObject({ status: "none", missing: [], diagnostics: [] });
  const [webhook] = project.sandbox.webhooks();
  expect(await explain(CONFIG, ADDRESS, within(project))).toMatchObject({
    status: "complete",
    explanation: {
      address: ADDRESS,
      recorded: { id: webhook?._id },
      live: { id: webhook?._id },
      steps: [{ action: "keep" }],
    },
  });
  expect(await explain(CONFIG, "outreach_webhook.other", within(project))).toMatchObject({
    diagnostics: [{ code: "address_unknown" }],
  });
  expect(await generate(CONFIG, within(project))).toMatchObject({
    status: "complete",
    yaml: null,
    counts: { declared: 0 },
  });
  project.sandbox.add("webhooks", { targetUrl: "https://erp.example.com/hooks" });
  expect((await generate(CONFIG, within(project))).yaml).toContain("https://erp.example.com/hooks");
  project.sandbox.remove("webhooks", webhook?._id ?? "");
  expect(await drift(CONFIG, within(project))).toMatchObject({ status: "drift", missing: [{ address: ADDRESS }] });
});

test("progress: each step of an apply, and the wait for another run's lock", async () => {
  const project = await configured();
  const said: string[] = [];
  const onProgress: Options["onProgress"] = (event) =>
    void said.push(event.kind === "step" ? `${event.step.kind} ${event.step.address}` : event.kind);
  const second: Promise<ApplyResult>[] = [];
  await apply(CONFIG, {
    ...within(project),
    decide: async () => {
      second.push(apply(CONFIG, { ...within(project), lockTimeoutMs: 30_000, onProgress }));
      await expect.poll(() => said).toContain("waiting-for-lock");
      return true;
    },
  });
  expect(await Promise.all(second)).toMatchObject([{ status: "complete", counts: { add: 0 } }]);
  await apply(CONFIG, { ...within(project), replace: [ADDRESS], onProgress });
  expect(said.filter((one) => one.includes(ADDRESS))).toEqual(
    ["start", "complete", "start", "complete"].map((kind) => `${kind} ${ADDRESS}`),
  );
});

test("it prints nothing, reads no terminal, and ends no process", { timeout: 60_000 }, async () => {
  const project = await configured();
  project.write(
    "program.mjs",
    `import { apply, applySaved, drift, explain, generate, plan, startSandbox } from ${JSON.stringify(path.join(ROOT, "dist/library/index.js"))};
const sandbox = await startSandbox();
const options = { environment: { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.apiKey, OUTREACH_SETTLE: "0s", OUTREACH_LOG: "debug" } };
const wrong = await plan({ version: 1, webhooks: { crm: {} } }, options);
const planned = await plan("outreach.yaml", options);
const results = [
  wrong,
  planned,
  await apply("outreach.yaml", options),
  await applySaved("outreach.yaml", planned.saved, options),
  await drift("outreach.yaml", options),
  await explain("outreach.yaml", "outreach_webhook.crm", options),
  await generate("outreach.yaml", options),
];
await sandbox.close();
const { writeFileSync } = await import("node:fs");
writeFileSync("statuses.json", JSON.stringify(results.map(({ status }) => status)));
`,
  );
  const ran = promisify(execFile)(process.execPath, ["program.mjs"], {
    cwd: project.folder,
  });
  ran.child.stdin?.destroy();
  expect(await ran).toMatchObject({ stdout: "", stderr: "" });
  expect(JSON.parse(project.read("statuses.json"))).toEqual([
    "failed",
    "changed",
    "complete",
    "failed",
    "none",
    "complete",
    "complete",
  ]);
});

test("operations that run at once with the same key share the rate limit", async () => {
  const project = await openProject({ rateLimit: {} });
  const names = Array.from({ length: 4 }, (_, index) => `w${String(index)}`);
  const applying = ["one", "two", "three", "four"].map((state) =>
    apply(
      {
        version: 1,
        webhooks: Object.fromEntries(
          names.map((name) => [name, { target_url: `https://${state}.example.com/${name}` }]),
        ),
      },
      { ...within(project), state: `${state}.state.json` },
    ),
  );
  expect((await Promise.all(applying)).map(({ status }) => status)).toEqual(applying.map(() => "complete"));
  const requests = project.sandbox.requests();
  expect(requests.length).toBeGreaterThan(20);
  expect(requests.filter(({ status }) => status === 429)).toEqual([]);
});
