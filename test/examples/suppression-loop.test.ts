import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { ROOT, read } from "../docs/pages.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { sandboxForTest } from "../frontends/terraform/provider-under-test.ts";
import { type Receiver, startReceiver } from "./start-receiver.ts";
import { copySuppressionLoop } from "./suppression-loop-project.ts";

const run = promisify(execFile);
const postgres = usePostgres();
const HEADER = "email,reason,source,requested_at\n";
const AT = "2026-11-03T10:00:00.000Z";

let folder: string;

function open(): string {
  folder = mkdtempSync(path.join(tmpdir(), "outreach-loop-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copySuppressionLoop(folder);
  return folder;
}

test("the example depends on the packed package, and on the tested versions", () => {
  const { dependencies, devDependencies, engines } = JSON.parse(
    read("examples/suppression-loop/package.json"),
  ) as Record<string, Record<string, string>>;
  const { "outreach-as-code": own, ...others } = { ...dependencies, ...devDependencies };
  expect(own).toBe(`file:${manifest.name}-${manifest.version}.tgz`);
  expect(manifest.devDependencies).toMatchObject(others);
  expect(engines).toEqual(manifest.engines);
});

test("a copy of the example passes the type check", async () => {
  open();
  const checked = run(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "--noEmit"], {
    cwd: folder,
  });
  expect((await checked.catch((error: unknown) => error as { readonly stdout: string })).stdout).toBe("");
});

const SECRET = "a-secret-of-the-test";
const STORAGES = ["a CSV file", "PostgreSQL"] as const;

interface Loop {
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  readonly environment: { readonly [name: string]: string };
  /** What outreach reads. */
  readonly list: () => Promise<string>;
}

/** Starts a receiver of the example, which gets the events of both teams. */
async function openLoop(storage: (typeof STORAGES)[number]): Promise<Loop> {
  open();
  const environment = {
    HOOK_SECRET: SECRET,
    LIST_DATABASE_URL: storage === "PostgreSQL" ? (await postgres.database()).url : "",
  };
  const sandbox = await sandboxForTest({ delivery: { retriesMs: [200] } });
  onTestFinished(() => sandbox.close());
  const receiver = await startReceiver(folder, "receiver.mjs", environment);
  for (const teamId of ["tea_000001", "tea_000002"])
    sandbox.add("webhooks", { teamId, targetUrl: receiver.url, secret: SECRET });
  const env = { PATH: process.env["PATH"], ...environment };
  return {
    sandbox,
    receiver,
    environment,
    list: async () => (await run(process.execPath, ["suppression-list.mjs"], { cwd: folder, env })).stdout,
  };
}

describe.each(STORAGES)("the list in %s", (storage) => {
  test("has each person once, with the first reason, whatever the case, the team and the number of deliveries", async () => {
    const { sandbox, receiver, list } = await openLoop(storage);
    expect(await list()).toBe(HEADER);
    sandbox.add("leads", { campaignId: "cam_000101", email: "ADA@Example.com" });
    const set = { createdAt: AT };
    sandbox.trigger({
      type: "emailsUnsubscribed",
      lead: "ada@example.com",
      set: { ...set, campaignName: 'Q3, the "launch"\nof all' },
    });
    await sandbox.whenIdle();
    sandbox.redeliver(1);
    sandbox.trigger({ type: "emailsBounced", campaignId: "cam_000101", lead: "ada@example.com", set });
    sandbox.trigger({ type: "emailsOpened", lead: "charles@example.com", set });
    await sandbox.whenIdle();
    sandbox.trigger({ type: "emailsBounced", campaignId: "cam_000101", lead: "ruby@example.com", set });
    await sandbox.whenIdle();
    expect(await list()).toBe(
      `${HEADER}ada@example.com,emailsUnsubscribed,"Q3, the ""launch"" of all",${AT}\nruby@example.com,emailsBounced,Southern summer,${AT}\n`,
    );
    expect(receiver.printed().match(/is on the list now/g)).toHaveLength(2);
  });

  test("has no row without a valid address, which would stop outreach: the log names the lead", async () => {
    const { sandbox, receiver, list } = await openLoop(storage);
    for (const email of ["=1+1@example.com", "ada@-example.com", "<ada@example.com>"]) {
      sandbox.add("leads", { campaignId: "cam_000001", email });
      sandbox.trigger({ type: "emailsUnsubscribed", lead: email });
    }
    await sandbox.whenIdle();
    expect(await list()).toBe(HEADER);
    expect(
      receiver.printed().match(/^Lead lea_\d+ opted out in Q3 launch, but the event has no valid address/gm),
    ).toHaveLength(3);
    expect(sandbox.deliveries().every(({ status }) => status === 204)).toBe(true);
  });
});

test("two receivers that share a table write each person once", async () => {
  const { sandbox, environment, list } = await openLoop("PostgreSQL");
  const other = await startReceiver(folder, "receiver-hono.ts", environment);
  sandbox.add("webhooks", { targetUrl: other.url, secret: SECRET });
  for (const lead of ["ada@example.com", "charles@example.com"])
    sandbox.trigger({ type: "emailsUnsubscribed", lead, set: { createdAt: AT } });
  await sandbox.whenIdle();
  expect((await list()).trim().split("\n")).toHaveLength(3);
});

test("an opt-out that could not be written is delivered again", async () => {
  const { sandbox, list } = await openLoop("a CSV file");
  mkdirSync(path.join(folder, "suppressions.csv"));
  sandbox.trigger({ type: "emailsUnsubscribed", lead: "ada@example.com" });
  await expect.poll(() => sandbox.deliveries()[0]?.attempts.length, { timeout: 20_000 }).toBe(1);
  rmdirSync(path.join(folder, "suppressions.csv"));
  await sandbox.whenIdle();
  expect(sandbox.deliveries()[0]?.attempts.map(({ status }) => status)).toEqual([500, 204]);
  expect(await list()).toMatch(/^ada@example\.com,emailsUnsubscribed,/m);
});

test("rows that people add to the file count: without a time, quoted, and without a last line end", async () => {
  const { sandbox, receiver, list } = await openLoop("a CSV file");
  writeFileSync(
    path.join(folder, "suppressions.csv"),
    `${HEADER}"Charles@example.com"\r\n\r\nmary@example.net,by phone`,
  );
  sandbox.trigger({ type: "emailsSent", lead: "charles@example.com" });
  sandbox.trigger({ type: "emailsUnsubscribed", lead: "charles@example.com" });
  sandbox.trigger({ type: "emailsUnsubscribed", lead: "ada@example.com", set: { createdAt: AT } });
  await sandbox.whenIdle();
  expect(await list()).toBe(
    `${HEADER}charles@example.com,,,\nmary@example.net,by phone,,\nada@example.com,emailsUnsubscribed,Q3 launch,${AT}\n`,
  );
  // A webhook for all types gets the email and the group: two alarms.
  expect(receiver.printed().match(/^ALARM: /gm)).toHaveLength(2);
});

test("a receiver does not start without a secret", async () => {
  open();
  await expect(startReceiver(folder, "receiver.mjs", {})).rejects.toThrow("Is an environment variable missing?");
});

test("the bot commits and pushes what is new, and works on top of what others pushed", async () => {
  open();
  const place = path.join(folder, "git");
  const env = { PATH: process.env["PATH"], HOME: place, GIT_AUTHOR_NAME: "bot", GIT_AUTHOR_EMAIL: "bot@example.com" };
  mkdirSync(place);
  const git = async (cwd: string, ...words: readonly string[]): Promise<string> =>
    (
      await run("git", ["-c", "init.defaultBranch=main", ...words], {
        cwd,
        env: { ...env, GIT_COMMITTER_NAME: "bot", GIT_COMMITTER_EMAIL: "bot@example.com" },
      })
    ).stdout;
  const [ours, theirs] = [path.join(place, "ours"), path.join(place, "theirs")];
  await git(place, "init", "--quiet", "--bare", "shared.git");
  await git(place, "clone", "--quiet", "shared.git", "theirs");
  writeFileSync(path.join(theirs, "outreach.yaml"), "version: 1\n");
  await git(theirs, "add", ".");
  await git(theirs, "commit", "--quiet", "--message", "first");
  await git(theirs, "push", "--quiet", "origin", "HEAD:main");
  await git(place, "clone", "--quiet", "shared.git", "ours", "--branch", "main");
  const bot = (): Promise<unknown> =>
    run("sh", [path.join(folder, "commit-list.sh")], {
      cwd: ours,
      env: { ...env, GIT_COMMITTER_NAME: "bot", GIT_COMMITTER_EMAIL: "bot@example.com" },
    });
  const pushed = async (): Promise<string> =>
    (await git(place, "--git-dir=shared.git", "log", "--format=%s", "main")).trim();

  await bot();
  expect(await pushed()).toBe("first");
  writeFileSync(path.join(ours, "suppressions.csv"), HEADER);
  await bot();
  await bot();
  expect(await pushed()).toBe("People who opted out\nfirst");

  await git(theirs, "pull", "--quiet", "origin", "main");
  writeFileSync(path.join(theirs, "outreach.yaml"), "version: 1\nteams: {}\n");
  await git(theirs, "commit", "--quiet", "--all", "--message", "a change");
  await git(theirs, "push", "--quiet", "origin", "HEAD:main");
  writeFileSync(path.join(ours, "suppressions.csv"), `${HEADER}ada@example.com,,,\n`);
  await bot();
  expect(await pushed()).toBe("People who opted out\na change\nPeople who opted out\nfirst");
  expect(readFileSync(path.join(ours, "outreach.yaml"), "utf8")).toContain("teams");
});
