import { read } from "../docs/pages.ts";
import { fencesOf } from "../docs/markdown.ts";
import type { Postgres } from "../core/state/pg/shared-postgres.ts";
import { type S3Server, startS3Server } from "../core/state/s3/s3-server.ts";
import type { Variables } from "../examples/ci/runner.ts";

/** Where the jobs of GitHub keep the state. */
export interface GithubState {
  /** The secrets of the repository, and of its environments. */
  readonly secrets: Variables;
  readonly environmentSecrets: Variables;
  /** What reaches the test's server instead of the real one. */
  readonly environment: Variables;
  /** What the action for AWS credentials sets. */
  readonly credentials: Variables;
  /** A workflow of the example, changed as the page about this kind of state says. */
  edit(workflow: string): string;
  close(): Promise<void>;
}

let roles = 0;

/** The two roles of the guide, in a new database: the repository has the one that reads, the environments have the one that writes. */
export async function postgresState(postgres: Postgres): Promise<GithubState & { readonly url: string }> {
  const { url } = await postgres.database();
  const suffix = `_${String(process.pid)}_${String(++roles)}`;
  const [{ text: sql } = { text: "" }] = fencesOf(read("docs/guides/state-postgresql.md")).filter(
    ({ language }) => language === "sql",
  );
  // Roles belong to the whole server, which other tests use too.
  await postgres.query(sql.replaceAll(/\b(ROLE|AUTHORIZATION|TO) (outreach(?:_reader)?)\b/g, `$1 $2${suffix}`), url);
  const as = (role: string): string => {
    const [, password = ""] = new RegExp(`ROLE ${role} LOGIN PASSWORD '(.*?)'`).exec(sql) ?? [];
    return Object.assign(new URL(url), { username: role + suffix, password, search: "name=production" }).href;
  };
  return {
    url,
    secrets: { OUTREACH_STATE: as("outreach_reader") },
    environmentSecrets: { OUTREACH_STATE: as("outreach") },
    environment: {},
    credentials: {},
    edit: (workflow) => workflow,
    close: () => Promise.resolve(),
  };
}

/** A bucket, with the step and the permission that the guide adds to each job that runs outreach. */
export async function s3State(): Promise<GithubState & { readonly store: S3Server }> {
  const store = await startS3Server({ bucket: "acme-states", region: "eu-central-1", nowMs: null });
  const [{ text: step } = { text: "" }] = fencesOf(read("docs/guides/state-s3.md")).filter(({ text }) =>
    text.includes("uses: aws-actions/"),
  );
  return {
    store,
    secrets: { OUTREACH_STATE: "s3://acme-states/crm/production.json" },
    environmentSecrets: {},
    environment: { AWS_ENDPOINT_URL_S3: store.url },
    credentials: {
      AWS_REGION: store.region,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
    edit: (workflow) =>
      workflow
        .replaceAll(/^ +- run: npm ci .*\n(?!.*outreach validate)/gm, `$&${step.replaceAll(/^/gm, "      ")}\n`)
        .replaceAll("contents: read\n", "contents: read\n      id-token: write\n"),
    close: () => store.close(),
  };
}
