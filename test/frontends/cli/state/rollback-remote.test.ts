import { expect, test } from "vitest";
import { startS3Server } from "../../../core/state/s3/s3-server.ts";
import { type Project, useProjects } from "../project.ts";
import { useRemoteStates } from "./remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const configured = (version: number): string =>
  `version: 1\nwebhooks: { crm: { target_url: 'https://crm.example.com/${String(version)}' } }\n`;

const FIRST = ["https://crm.example.com/1"];

/** Three configurations, applied one after the other. */
async function applied(environment: { readonly [name: string]: string }, state = ""): Promise<Project> {
  const project = await openProject({ realTime: "a connection does not wait by a clock that jumps" });
  Object.assign(project.environment, environment);
  for (const version of [1, 2, 3]) {
    project.write("outreach.yaml", `${configured(version)}${state}`);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  }
  return project;
}

interface Listed {
  readonly current: number;
  readonly versions: readonly {
    readonly serial: number;
    readonly written: string | null;
    readonly webhooks: number;
    readonly changed_since: number;
  }[];
}

/** Goes back to the oldest version with a webhook: not to one in the middle of a run. */
async function goesBack(project: Project): Promise<readonly string[]> {
  const { code, out } = await project.run("rollback --json");
  const { current, versions } = JSON.parse(out) as Listed;
  expect(code).toBe(0);
  const serials = versions.map(({ serial }) => serial);
  expect([serials, serials.every((serial) => serial < current)]).toEqual([serials.toSorted((a, b) => b - a), true]);
  expect(versions.every(({ written }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(written ?? ""))).toBe(true);
  const full = versions.filter(({ webhooks }) => webhooks === 1);
  expect(full.map(({ changed_since }) => changed_since)).toEqual([1, 1]);
  expect(await project.run(`rollback --to ${String(full.at(-1)?.serial)} --auto-approve`)).toMatchObject({ code: 0 });
  const live = project.sandbox.webhooks().map(({ targetUrl }) => targetUrl);
  expect(await project.run("rollback --to 999")).toMatchObject({
    code: 1,
    err: expect.stringContaining("rollback asks") as string,
  });
  const unknown = await project.run("rollback --to 999 --auto-approve");
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringMatching(/The state keeps no serial 999\. It keeps \d+ \(\d{4}-\d\d-\d\dT\S+Z\), \d+ \(/),
  ]);
  return live;
}

test("a state in PostgreSQL goes back to any version that the database keeps", async () => {
  const state = await openState("pg");
  expect(await goesBack(await applied({ ...state.environment, OUTREACH_STATE: state.url }))).toEqual(FIRST);
});

test("an encrypted state in PostgreSQL goes back with its key", async () => {
  const state = await openState("pg");
  const environment = {
    ...state.environment,
    OUTREACH_STATE: state.url,
    STATE_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  expect(await goesBack(await applied(environment, "state:\n  encryption: { key: { env: STATE_KEY } }\n"))).toEqual(
    FIRST,
  );
});

test("versions with an earlier key are counted as unreadable, and the others are listed", async () => {
  const state = await openState("pg");
  const key = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
  const project = await applied(
    { ...state.environment, OUTREACH_STATE: state.url, STATE_KEY: key(7), OLD_KEY: key(7) },
    "state:\n  encryption: { key: { env: STATE_KEY } }\n",
  );
  project.environment["STATE_KEY"] = key(8);
  project.write(
    "outreach.yaml",
    `${configured(4)}state:\n  encryption: { key: { env: STATE_KEY }, fallback: { key: { env: OLD_KEY } } }\n`,
  );
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", `${configured(5)}state:\n  encryption: { key: { env: STATE_KEY } }\n`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const { code, out, err } = await project.run("rollback");
  expect([code, out.split("\n").length > 3, err.includes("[version_unread]")]).toEqual([0, true, true]);
});

test("a state in S3 goes back to any version of the bucket", async () => {
  const server = await startS3Server({ nowMs: null, versions: { most: 2 } });
  try {
    const project = await applied({
      OUTREACH_STATE: `s3://${server.bucket}/crm/production.json`,
      AWS_ENDPOINT_URL_S3: server.url,
      AWS_REGION: server.region,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    });
    expect(await goesBack(project)).toEqual(FIRST);
    server.setFault(({ key }) => (key === "" ? { kind: "refuse", status: 403, code: "AccessDenied" } : null));
    expect(await project.run("rollback")).toMatchObject({
      code: 1,
      err: expect.stringContaining("s3:ListBucketVersions") as string,
    });
    server.setFault(null);
    // A bucket without versioning lists the object itself.
    server.versions.splice(1);
    expect(await project.run("rollback")).toMatchObject({
      code: 1,
      err: expect.stringContaining("turn on versioning of the bucket") as string,
    });
  } finally {
    await server.close();
  }
});

test("a state on an HTTP server has no versions to go back to", async () => {
  const state = await openState("http");
  const project = await applied({ ...state.environment, OUTREACH_STATE: state.url });
  for (const words of ["", " --to 1 --auto-approve"]) {
    const { code, err } = await project.run(`rollback${words}`);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("keeps only the current state, so there is nothing to go back to."),
    ]);
    expect(err).toContain("Revert the commit, and apply.");
  }
});
