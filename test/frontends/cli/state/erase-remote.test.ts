import { expect, test } from "vitest";
import { startS3Server } from "../../../core/state/s3/s3-server.ts";
import { type Project, useProjects } from "../project.ts";
import { ADA, certificateOf } from "./erase-project.ts";
import { useRemoteStates } from "./remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const CONFIGURATION = "version: 1\nlead_unsubscriptions:\n  out: { campaign_id: cam_000001, emails_from: out.csv }\n";
const people = (...more: readonly string[]): string => `email\n${["mary@example.net", ...more].join("\n")}\n`;

/** Several versions of the state have the person. */
async function applied(environment: { readonly [name: string]: string }, state = ""): Promise<Project> {
  const project = await openProject({ realTime: "a connection does not wait by a clock that jumps" });
  Object.assign(project.environment, environment);
  project.write("outreach.yaml", CONFIGURATION + state);
  for (const list of [people(ADA), people(ADA, "john@example.org"), people("john@example.org", "grace@example.net")]) {
    project.write("out.csv", list);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  }
  return project;
}

test("a state in PostgreSQL: no version has the address any more, and the others stay", async () => {
  const state = await openState("pg");
  const project = await applied({ ...state.environment, OUTREACH_STATE: state.url });
  expect(await state.stored()).toContain(ADA);
  const ran = await project.run(`erase ${ADA} --auto-approve --json`);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const certificate = certificateOf(ran);
  expect(new Set(certificate.erased.map(({ kind }) => kind))).toEqual(new Set(["state", "backup", "version"]));
  expect(certificate.not_reached.map(({ kind }) => kind)).toEqual(["store", "elsewhere"]);
  expect(certificate.not_reached[0]?.detail).toContain("write-ahead log");
  expect(await state.stored()).not.toContain(ADA);
  expect(await state.stored()).toContain("mary@example.net");
  expect(ran.out).not.toContain(ADA);
  // A later write keeps a backup as ever.
  project.write("out.csv", people(ADA));
  const again = await project.run("apply --auto-approve --allow-shrink");
  expect([again.code, again.sent.filter((line) => line.includes("ada"))]).toEqual([0, []]);
  expect(await state.stored()).not.toContain(ADA);
});

test("an encrypted state in PostgreSQL: earlier versions are read with its key", async () => {
  const state = await openState("pg");
  const environment = {
    ...state.environment,
    OUTREACH_STATE: state.url,
    STATE_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const project = await applied(environment, "state:\n  encryption: { key: { env: STATE_KEY } }\n");
  const ran = await project.run(`erase ${ADA} --auto-approve --json`);
  expect([ran.code, certificateOf(ran).erased.some(({ kind }) => kind === "version")]).toEqual([0, true]);
  const again = await project.run(`erase ${ADA} --auto-approve --json`);
  expect([again.code, certificateOf(again).erased]).toEqual([0, []]);
});

/** Starts a bucket with versions that lists two at once. */
async function versioned(): Promise<{
  readonly server: Awaited<ReturnType<typeof startS3Server>>;
  readonly project: Project;
}> {
  const server = await startS3Server({ nowMs: null, versions: { most: 2 } });
  const project = await applied({
    OUTREACH_STATE: `s3://${server.bucket}/crm/production.json`,
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: server.region,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  });
  return { server, project };
}

const textsOf = ({ versions }: Awaited<ReturnType<typeof startS3Server>>): readonly string[] =>
  versions.map(({ object }) => object.body.toString());

test("a state in S3 with versions: those with the address are deleted, and no other", async () => {
  const { server, project } = await versioned();
  try {
    const before = textsOf(server).filter((text) => !text.includes(ADA));
    expect(textsOf(server).length).toBeGreaterThan(before.length + 2);
    const ran = await project.run(`erase ${ADA} --auto-approve --json`);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(certificateOf(ran).erased.map(({ kind }) => kind)).toEqual([
      "state",
      ...certificateOf(ran)
        .erased.slice(1)
        .map(() => "version"),
    ]);
    expect(certificateOf(ran).erased.length).toBeGreaterThan(2);
    expect(textsOf(server).join(" ")).not.toContain(ADA);
    expect(textsOf(server)).toEqual(expect.arrayContaining([...before]));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  } finally {
    await server.close();
  }
});

test("versions in S3 that the credentials may not list or delete are named, with what would allow it", async () => {
  const { server, project } = await versioned();
  try {
    server.setFault(({ key }) => (key === "" ? { kind: "refuse", status: 403, code: "AccessDenied" } : null));
    const ran = await project.run(`erase ${ADA} --auto-approve --json`);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(certificateOf(ran).not_reached[0]).toMatchObject({
      kind: "copy",
      detail: expect.stringContaining("s3:ListBucketVersions") as string,
    });
    expect(server.objects.get("crm/production.json")?.body.toString()).not.toContain(ADA);
    // A second run, with the permission, completes it.
    server.setFault(null);
    expect(await project.run(`erase ${ADA} --auto-approve`)).toMatchObject({ code: 0 });
    expect(textsOf(server).join(" ")).not.toContain(ADA);
  } finally {
    await server.close();
  }
});

test("a state on an HTTP server: what the server keeps of earlier versions is named", async () => {
  const state = await openState("http");
  const project = await applied({ ...state.environment, OUTREACH_STATE: state.url });
  const ran = await project.run(`erase ${ADA} --auto-approve --json`);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(certificateOf(ran).not_reached).toContainEqual({
    kind: "store",
    detail: "Earlier versions of the state that the server keeps, and its backups.",
  });
  expect(await state.stored()).not.toContain(ADA);
});
