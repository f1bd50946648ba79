import { describe, expect, test } from "vitest";
import { PROFILES } from "../../../src/sandbox/profiles.ts";
import { usePostgres } from "../../core/state/pg/shared-postgres.ts";
import { fencesOf } from "../../docs/markdown.ts";
import { read } from "../../docs/pages.ts";
import { deedsOf, tells } from "../../docs/transcript.ts";
import { type GithubState, postgresState } from "../../scenarios/github-states.ts";
import { type Host, githubHost, gitlabHost } from "../../scenarios/gitops-hosts.ts";
import { useStories } from "../../scenarios/gitops-story.ts";

const postgres = usePostgres();
const { begin } = useStories();
const SECRETS = { BOUNCES_HOOK_SECRET: "webhook-secret-2", CHAT_HOOK_SECRET: "webhook-secret-3" };

const TUTORIALS = [
  {
    name: "github",
    page: "docs/tutorials/github-actions.md",
    file: ".github/workflows/apply.yml",
    host: githubHost(() => postgresState(postgres)),
  },
  { name: "gitlab", page: "docs/tutorials/gitlab.md", file: ".gitlab-ci.yml", host: gitlabHost },
] as const;

const contains = (text: string): string => expect.stringContaining(text) as string;

/** What the page shows of a job: the block that is labelled with its name. */
function told(page: string, job: string): string {
  const found = fencesOf(read(page)).find(({ words }) => words[0] === "elsewhere" && words[1] === job);
  return found?.text ?? expect.fail(`${page} shows nothing of ${job}`);
}

/** The addresses of the page instead of those of the test. */
function asTold(text: string): string {
  return text
    .replaceAll(/postgres:\/\/127\.0\.0\.1:\d+\/\w+/g, "postgres://db.example.com/automation")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/api\/v4/g, "https://gitlab.example.com/api/v4");
}

function expectTold(page: string, job: string, printed = ""): void {
  if (!tells(told(page, job), asTold(printed))) expect(asTold(printed).trim(), job).toBe(told(page, job).trim());
}

describe.each(TUTORIALS)("the tutorial $page", ({ name, page, file, host: start }) => {
  const written = deedsOf(read(page)).flatMap((deed) =>
    deed.kind === "write" ? [[deed.file, deed.text] as const] : [],
  );

  test("has the files of the example, and quotes its workflow as it is", () => {
    expect(written.map(([path]) => path)).toEqual(["outreach.yaml", "opted-out.csv"]);
    for (const [path, text] of written) expect(read(`examples/ci/${name}/${path}`)).toBe(text);
    const quotes = fencesOf(read(page)).filter(({ words }) => words[0] === "fragment");
    expect(quotes).toHaveLength(1);
    for (const { text } of quotes) expect(read(`examples/ci/${name}/${file}`)).toContain(`\n${text}\n`);
  });

  test.each(Object.entries(PROFILES))(
    "shows what the jobs print, up to the first apply, on a service of the kind %s",
    async (_, service) => {
      const { host, sandbox, mainSecrets, ada } = await begin<Host>(start, {
        ...service,
        seed: PROFILES.documented.seed,
      });
      Object.assign(mainSecrets, SECRETS);
      ada.propose("first", written[0]?.[1] ?? "");
      expect(await host.validate("first")).toMatchObject({
        isDone: true,
        log: contains("Success! The configuration is valid."),
      });
      expect(await host.review("first")).toMatchObject({ isDone: true });
      expectTold(page, "comment", host.comments().join("\n"));
      expect(host.report()).toContain("outreach_webhook.crm-replies");
      ada.merge("first");
      const merged = await host.merged();
      expect(merged).toMatchObject({ isDone: true });
      const applied = await merged.apply?.();
      expect(applied).toMatchObject({ isDone: true });
      expectTold(page, "apply", applied?.log);
      const night = await host.nightly();
      expect(night).toMatchObject({ isDone: true, isDrift: false });
      expectTold(page, "drift", night.log);
      const secrets = sandbox
        .webhooks()
        .flatMap(({ targetUrl, secret }) => (/hooks\/(replies|bounces|interested)$/.test(targetUrl) ? [secret] : []));
      expect(secrets.toSorted()).toEqual(["webhook-secret-1", "webhook-secret-2", "webhook-secret-3"]);
    },
    120_000,
  );
});

describe("a secret that is missing", () => {
  const { page } = TUTORIALS[0];
  const messages = [...read(page).matchAll(/^\| `([^`]+)`.*\| The secret .*\|$/gm)].map(([, message = ""]) => message);
  const without =
    (changes: (state: GithubState) => Partial<GithubState>): (() => Promise<GithubState>) =>
    async () => {
      const state = await postgresState(postgres);
      return { ...state, ...changes(state) };
    };

  test("of the state, the key or a webhook stops the job of GitHub with the message of the tutorial, and nothing is created", async () => {
    expect(messages).toHaveLength(3);
    const stateless = await begin(
      githubHost(without(() => ({ secrets: {}, environmentSecrets: {} }))),
      PROFILES.documented,
    );
    expect((await stateless.host.merged()).log).toContain(messages[0]);
    const keyless = await begin(
      githubHost(without(({ secrets }) => ({ secrets: { ...secrets, OUTREACH_API_KEY: "" } }))),
      PROFILES.documented,
    );
    expect((await keyless.host.merged()).log).toContain(messages[1]);
    const secretless = await begin(githubHost(without(() => ({}))), PROFILES.documented);
    secretless.mainSecrets["CRM_HOOK_SECRET"] = "";
    secretless.ada.propose("first", read("examples/ci/github/outreach.yaml"));
    secretless.ada.merge("first");
    const merged = await secretless.host.merged();
    expect([merged.isDone, merged.log]).toEqual([false, contains(messages[2] ?? "?")]);
    const unnamed = await begin(githubHost(without(() => ({}))), PROFILES.documented);
    unnamed.ada.propose("new", read("examples/ci/github/outreach.yaml").replace("CRM_HOOK_SECRET", "NEW_HOOK_SECRET"));
    unnamed.ada.merge("new");
    const [, notSet = "?"] = /`(The environment variable NEW_HOOK_SECRET is\s+not set)`/.exec(read(page)) ?? [];
    expect((await unnamed.host.merged()).log).toContain(notSet.replace(/\s+/g, " "));
    for (const { sandbox } of [unnamed, stateless, keyless, secretless]) expect(sandbox.webhooks()).toEqual([]);
  }, 120_000);
});
