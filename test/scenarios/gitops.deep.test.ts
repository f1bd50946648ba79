import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { postgresState, s3State } from "./github-states.ts";
import { type GithubHost, type Host, type Merged, githubHost, gitlabHost, startGithubByHand } from "./gitops-hosts.ts";
import { type Story, useStories } from "./gitops-story.ts";

const postgres = usePostgres();
const onGithub = githubHost(() => postgresState(postgres));
const stories = useStories();
const { begin } = stories;

const CRM = "https://crm.example.com/";

const contains = (text: string): string => expect.stringContaining(text) as string;

/** The configuration with further webhooks, as somebody adds them in an editor. */
function adding(text: string, webhooks: { readonly [name: string]: object }): string {
  const edited = parseDocument(text);
  for (const [name, settings] of Object.entries(webhooks))
    edited.setIn(["webhooks", name], { target_url: `${CRM}${name}`, ...settings });
  return edited.toString();
}

async function approved({ apply }: Merged): Promise<void> {
  expect(apply).not.toBeNull();
  expect(await apply?.()).toMatchObject({ isDone: true, log: contains("Apply complete!") });
}

/** Of the CRM's webhooks: a team may have old ones of other tools. */
function livePaths({ sandbox }: Pick<Story<Host>, "sandbox">): readonly string[] {
  return sandbox
    .webhooks()
    .flatMap(({ targetUrl }) => (targetUrl.startsWith(CRM) ? [targetUrl.slice(CRM.length)] : []))
    .toSorted();
}

/** Adopt, change, two changes at once, rotate, drift and repair. */
async function tell<H extends Host>(
  story: Story<H>,
  between: (moment: "reviewed" | "drifted" | "repaired") => void = () => undefined,
): Promise<void> {
  const { host, sandbox, apiKey, mainSecrets, ada, grace } = story;
  sandbox.add("webhooks", { _id: "hoo_clicked01", targetUrl: `${CRM}clicked` });
  const before = sandbox.webhooks();

  // Adopt what somebody has clicked together.
  const generated = await stories.runner.bash(`'${stories.runner.command}' generate --out ../generated.yaml`, {
    folder: ada.folder,
    variables: { ...host.workstation, OUTREACH_API_KEY: apiKey, OUTREACH_BASE_URL: sandbox.baseUrl },
    flags: ["-e"],
  });
  expect(generated).toMatchObject({ code: 0 });
  const adopted = readFileSync(path.join(ada.folder, "../generated.yaml"), "utf8");
  ada.propose("adopt", adopted);
  expect(await host.validate("adopt")).toMatchObject({ isDone: true, log: contains("The configuration is valid.") });
  expect(await host.review("adopt")).toMatchObject({ isDone: true });
  expect(host.comments()).toEqual([contains(`${String(before.length)} to import, 0 to add, `)]);
  ada.merge("adopt");
  await approved(await host.merged());
  expect(await host.nightly()).toMatchObject({ isDone: true, isDrift: false });

  // A change, in two commits: one comment. The job of an unmerged change gets no secret.
  const added = { a: {}, secret: { secret: { env: "CRM_HOOK_SECRET" } } };
  grace.propose("add", adding(adopted, { a: {} }));
  expect(await host.review("add")).toMatchObject({ isDone: true });
  grace.amend(adding(adopted, added));
  expect(await host.review("add")).toMatchObject({ isDone: true, log: contains("Updated the comment") });
  expect(host.comments()).toEqual([contains("2 to add")]);
  expect(host.report()).toMatch(/^<!doctype html>[^]*outreach_webhook\.secret/i);
  expect(host.comments().join("") + host.report()).not.toContain("webhook-secret-1");
  between("reviewed");
  grace.merge("add");

  // While its plan waits for the approval, another change is merged and applied: the plan is stale.
  const waiting = await host.merged();
  ada.propose("other", adding(adopted, { ...added, b: {} }));
  ada.merge("other");
  await approved(await host.merged());
  expect(livePaths(story)).toEqual(["a", "b", "clicked", "secret"]);
  const stale = await waiting.apply?.();
  expect(stale).toMatchObject({ isDone: false, log: contains("Saved plan is stale") });
  expect(stale?.log).toMatch(
    /If the plan is stale, (re-run all jobs|run a new pipeline|run the workflow without a number)/,
  );
  expect(livePaths(story)).toEqual(["a", "b", "clicked", "secret"]);

  // Rotate: only the secret of the CI changes.
  mainSecrets["CRM_HOOK_SECRET"] = "webhook-secret-2";
  const idOf = (name: string): string =>
    sandbox.webhooks().find(({ targetUrl }) => targetUrl.endsWith(`/${name}`))?._id ?? "";
  const rotated = idOf("secret");
  await approved(await host.merged());
  expect(idOf("secret")).not.toBe(rotated);
  expect(sandbox.webhooks().find(({ _id: id }) => id === idOf("secret"))).toMatchObject({ secret: "webhook-secret-2" });

  // Somebody deletes a webhook by hand. The nightly job reports it until it is repaired.
  sandbox.remove("webhooks", idOf("a"));
  for (let night = 0; night < 2; night++) expect(await host.nightly()).toMatchObject({ isDone: true, isDrift: true });
  between("drifted");
  await approved(await host.merged());
  expect(livePaths(story)).toEqual(["a", "b", "clicked", "secret"]);
  expect(await host.nightly()).toMatchObject({ isDone: true, isDrift: false });
  between("repaired");
  expect(sandbox.webhooks()).toEqual(expect.arrayContaining([...before]));
}

describe.each(Object.entries(PROFILES))(
  "a repository whose CI plans and applies, on a service of the kind %s",
  (_, service) => {
    test("on GitHub, with the state in PostgreSQL: adopts, changes, rotates, finds drift in one issue, and repairs it", async () => {
      const story = await begin(onGithub, service);
      const { server } = story.host;
      await tell(story, (moment) => {
        const issues = server.issues.map(({ state }) => state);
        if (moment === "reviewed") expect(issues).toEqual([]);
        if (moment === "drifted") {
          expect([issues, server.issues[0]?.body]).toEqual([["open"], contains("outreach_webhook.a")]);
          expect(server.issues[0]?.title).toMatch(
            /^Webhooks have drifted from outreach\.yaml, postgres:\/\/127\.0\.0\.1:\d+\/\w+\?\S*name=production#[0-9a-f]{8}$/,
          );
        }
        if (moment === "repaired") expect(issues).toEqual(["closed"]);
      });
    }, 120_000);

    test("on GitLab, which keeps the state: adopts, changes, rotates, finds drift, and repairs it", async () => {
      const story = await begin(gitlabHost, service);
      await tell(story);
      expect(story.host.front.states.lock("outreach")).toBeNull();
    }, 120_000);

    test("checks the pull request of a fork without secrets; the merge queue plans it", async () => {
      const { host, ada }: Story<GithubHost> = await begin(onGithub, service);
      ada.propose("fork", adding("version: 1\n", { a: { target_url: "ftp://crm.example.com" } }));
      expect(await host.jobsFor("fork", "fork")).toMatchObject({
        validate: { result: "failure", log: contains("outreach.yaml:4") },
        plan: { result: "skipped" },
      });
      ada.amend(adding("version: 1\n", { a: {} }));
      expect(await host.jobsFor("fork", "fork")).toMatchObject({
        validate: { result: "success" },
        plan: { result: "skipped" },
      });
      expect(host.server.log).toEqual([]);
      const { plan } = await host.jobsFor("queue", "fork");
      expect(plan).toMatchObject({
        result: "success",
        log: contains("This job has no pull request"),
        summary: contains("Plan: 1 to add"),
      });
      expect(host.comments()).toEqual([]);
    });
  },
);

test("on GitHub, with the state in S3 and the step that its guide adds: adopts, changes, rotates, finds drift, and repairs it", async () => {
  const state = await s3State();
  await tell(
    await begin(
      githubHost(() => Promise.resolve(state)),
      PROFILES.documented,
    ),
  );
  expect([...state.store.objects.keys()]).toEqual(["crm/production.json"]);
}, 120_000);

test("on GitHub without required reviewers: somebody starts each apply, of exactly the plan that the merge left", async () => {
  await tell(
    await begin(
      githubHost(() => postgresState(postgres), startGithubByHand),
      PROFILES.documented,
    ),
  );
}, 120_000);

describe("an outcome that is undecided, next to an ordinary change", () => {
  const WORDS = "resolve outreach_webhook.lost";
  const RESOLVE = `npx outreach-as-code ${WORDS}`;

  test.each([
    ["GitHub", onGithub],
    ["GitLab", gitlabHost],
  ] as const)(
    "on %s: comment, page and log show how to resolve it, the rest is applied, and each run ends red",
    async (_, start) => {
      const story = await begin<Host>(start, PROFILES.documented);
      const { host, sandbox, apiKey, ada, grace } = story;
      const declared = { lost: {} };
      ada.propose("lost", adding("version: 1\n", declared));
      ada.merge("lost");
      const first = await host.merged();
      sandbox.addFault({ method: "POST", path: "/hooks", when: "after", action: { kind: "drop" } });
      sandbox.addFault({ method: "GET", path: "/hooks", skip: 1, action: { kind: "drop" }, times: null });
      expect(await first.apply?.()).toMatchObject({ isDone: false });
      sandbox.clearFaults();
      sandbox.add("webhooks", { targetUrl: `${CRM}lost` });

      grace.propose("next", adding("version: 1\n", { ...declared, next: {} }));
      expect(await host.review("next")).toMatchObject({ isDone: false });
      expect(host.comments()).toEqual([contains("1 to add")]);
      expect(host.comments()[0]).toContain(RESOLVE);
      expect(host.report()).toContain(RESOLVE);
      grace.merge("next");
      const merged = await host.merged();
      expect(merged).toMatchObject({ isDone: false, log: contains(RESOLVE) });
      expect(await merged.apply?.()).toMatchObject({ isDone: false, log: contains("1 added") });
      expect(livePaths(story)).toEqual(["lost", "lost", "next"]);
      expect(await host.nightly()).toMatchObject({ isDone: false, isDrift: false, log: contains("undecided") });

      const found = sandbox.webhooks().find(({ targetUrl }) => targetUrl === `${CRM}lost`);
      const variables = { ...host.workstation, OUTREACH_API_KEY: apiKey, OUTREACH_BASE_URL: sandbox.baseUrl };
      expect(
        await stories.runner.bash(`'${stories.runner.command}' ${WORDS} --adopt ${found?._id ?? ""}`, {
          folder: grace.folder,
          variables,
          flags: ["-e"],
        }),
      ).toMatchObject({
        code: 0,
      });
      expect(await host.merged()).toMatchObject({ isDone: true, apply: null });
      expect(await host.nightly()).toMatchObject({ isDone: true });
    },
    120_000,
  );
});
