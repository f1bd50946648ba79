import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { fencesOf } from "../docs/markdown.ts";
import { read } from "../docs/pages.ts";
import { postgresState } from "./github-states.ts";
import {
  type GithubHost,
  type Host,
  type HostOptions,
  githubHost,
  gitlabHost,
  startGithubByHand,
} from "./gitops-hosts.ts";
import { useStories } from "./gitops-story.ts";

const postgres = usePostgres();
const { begin } = useStories();

const TEAMS = ["acme", "birch", "north-sea"];
const suffixOf = (team: string): string => team.toUpperCase().replaceAll("-", "_");
/** Ends with a character that a shell could take for a separator. */
const keyOf = (team: string): string => `key-of-${team}=`;
const contains = (text: string): string => expect.stringContaining(text) as string;

function configuration(more = ""): string {
  return `version: 1
service: { api_key: { env: 'OUTREACH_API_KEY_\${upper(replace(team.name, "-", "_"))}' } }
teams: { ${TEAMS.join(": , ")}: }
webhooks:
  replies:
    target_url: https://crm.example.com/\${team.name}
    type: emailsReplied
    secret: { env: 'CRM_SECRET_\${upper(replace(team.name, "-", "_"))}' }
${more}`;
}
const BOUNCES = "  bounces: { target_url: 'https://crm.example.com/${team.name}/bounces', type: emailsBounced }\n";

/** The secrets of the CI, which a story may change: the keys for all jobs, and the secrets of webhooks for the main branch. */
interface Secrets {
  readonly keys: { [name: string]: string };
  readonly hooks: { [name: string]: string };
}

function secretsOfTeams(): Secrets {
  return {
    keys: Object.fromEntries(TEAMS.map((team) => [`OUTREACH_API_KEY_${suffixOf(team)}`, keyOf(team)])),
    hooks: Object.fromEntries(TEAMS.map((team) => [`CRM_SECRET_${suffixOf(team)}`, `secret-of-${team}`])),
  };
}

const lines = (variables: { readonly [name: string]: string }): string =>
  Object.entries(variables)
    .map((pair) => `${pair.join("=")}\r\n`)
    .join("");

/** GitHub as the guide says: the files of the example as they are, and one secret for all teams. */
function manyOnGithub(
  { keys, hooks }: Secrets,
  start?: typeof startGithubByHand,
): (options: HostOptions) => Promise<GithubHost> {
  return async (options) => {
    const state = await postgresState(postgres);
    const ofTeams = ({ OUTREACH_STATE = "" }: { readonly [name: string]: string }): string =>
      OUTREACH_STATE.replace("name=production", "name=${team.name}");
    const changed = {
      ...state,
      get secrets() {
        return { OUTREACH_API_KEY: "", OUTREACH_STATE: ofTeams(state.secrets), TEAM_SECRETS: lines(keys) };
      },
      get environmentSecrets() {
        return { OUTREACH_STATE: ofTeams(state.environmentSecrets), TEAM_SECRETS: lines({ ...keys, ...hooks }) };
      },
    };
    return githubHost(() => Promise.resolve(changed), start)(options);
  };
}

/** GitLab as the guide says: a variable for each secret, and one more line in the pipeline. */
function manyOnGitlab({ keys, hooks }: Secrets): (options: HostOptions) => Promise<Host> {
  const [{ text: guide } = { text: "" }] = fencesOf(read("docs/guides/many-teams-ci.md")).filter(({ text }) =>
    text.startsWith("default:"),
  );
  return async (options) => {
    const host = await gitlabHost({ ...options, secrets: keys, mainSecrets: hooks });
    return {
      ...host,
      seed: (folder) => {
        host.seed(folder);
        const file = path.join(folder, ".gitlab-ci.yml");
        const [before, after] = readFileSync(file, "utf8").split(/^default:\n(?: .*\n)+/m);
        expect([after, guide]).toEqual([contains("validate:"), contains("image: node:")]);
        writeFileSync(file, `${before ?? ""}${guide}\n${after ?? ""}`);
      },
    };
  };
}

function addTeams(sandbox: Sandbox): void {
  for (const name of TEAMS) {
    sandbox.add("teams", { _id: `tea_${name}`, name });
    sandbox.add("users", { _id: `usr_${name}`, teamId: `tea_${name}`, name, email: `${name}@example.com` });
    sandbox.add("keys", { name, key: keyOf(name), userId: `usr_${name}` });
  }
}

const live = (sandbox: Sandbox): readonly string[] =>
  sandbox
    .webhooks()
    .flatMap(({ targetUrl, secret }) =>
      targetUrl.startsWith("https://crm.example.com/") ? [`${targetUrl.slice(24)} ${secret ?? "-"}`] : [],
    )
    .toSorted();

/** What a log shows once the host has masked what it was told to mask. */
function expectMasked(log: string): void {
  const masked = new Set([...log.matchAll(/^::add-mask::(.*)$/gm)].map(([, value]) => value));
  const rest = log.replaceAll(/^::add-mask::.*$/gm, "");
  for (const value of TEAMS.map(keyOf)) expect(masked.has(value) || !log.includes(value)).toBe(true);
  for (const team of TEAMS) for (const value of [keyOf(team), `secret-of-${team}`]) expect(rest).not.toContain(value);
}

describe.each([
  ["GitHub", manyOnGithub],
  ["GitHub, without required reviewers", (secrets: Secrets) => manyOnGithub(secrets, startGithubByHand)],
  ["GitLab", manyOnGitlab],
] as const)("several teams on %s", (_, start) => {
  test("have one comment and one page; each is applied with its own key and secret, has its own report of drift, and one that fails stops no other", async () => {
    const secrets = secretsOfTeams();
    const { host, sandbox, ada } = await begin<Host>(start(secrets), PROFILES.documented);
    addTeams(sandbox);
    ada.propose("teams", configuration());
    expect(await host.validate("teams")).toMatchObject({ isDone: true });
    const reviewed = await host.review("teams");
    expect(reviewed, reviewed.log).toMatchObject({ isDone: true });
    expectMasked(reviewed.log);
    expect(host.comments()).toEqual([contains("3 teams: 3 with changes, 0 without changes.")]);
    expect([...host.report().matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading)).toEqual(
      TEAMS.map((team) => `Team ${team}`),
    );
    ada.merge("teams");
    const merged = await host.merged();
    expect(merged, merged.log).toMatchObject({ isDone: true });
    const applied = await merged.apply?.();
    expect(applied, applied?.log).toMatchObject({ isDone: true });
    expectMasked(merged.log + (applied?.log ?? ""));
    expect(live(sandbox)).toEqual(TEAMS.map((team) => `${team} secret-of-${team}`));
    expect(await host.nightly()).toMatchObject({ isDone: true, isDrift: false });

    // One key is no longer valid. The others go on, and every run is red.
    secrets.keys["OUTREACH_API_KEY_BIRCH"] = "revoked";
    ada.propose("more", configuration(BOUNCES));
    expect(await host.review("more")).toMatchObject({ isDone: false });
    expect(host.comments()).toEqual([contains("3 teams: 2 with changes, 0 without changes, 1 not planned.")]);
    expect(host.report()).toContain("birch.");
    ada.merge("more");
    const partly = await host.merged();
    expect(partly).toMatchObject({ isDone: false });
    expect(await partly.apply?.()).toMatchObject({ isDone: false });
    const bounces = ["acme/bounces -", "north-sea/bounces -"];
    expect(live(sandbox)).toEqual([...TEAMS.map((team) => `${team} secret-of-${team}`), ...bounces].toSorted());
    sandbox.remove("webhooks", sandbox.webhooks().find(({ targetUrl }) => targetUrl.endsWith("/acme"))?._id ?? "");
    const night = await host.nightly();
    expect(night.isDone).toBe(false);
    expect(night.log).toContain("acme");
    if ("server" in host) {
      const { issues } = (host as GithubHost).server;
      expect(issues.map(({ title, state }) => [title.replace(/,.*/, ""), state])).toEqual([
        ["Webhooks have drifted from outreach.yaml#acme", "open"],
      ]);
    }

    // The key works again: the next run repairs and applies the rest.
    secrets.keys["OUTREACH_API_KEY_BIRCH"] = keyOf("birch");
    const repaired = await (await host.merged()).apply?.();
    expect(repaired, repaired?.log).toMatchObject({ isDone: true });
    expect(live(sandbox)).toHaveLength(6);
    expect(await host.nightly()).toMatchObject({ isDone: true, isDrift: false });
  }, 180_000);
});
