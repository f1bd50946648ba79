import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { until } from "../frontends/cli/project.ts";
import {
  COMMAND_SECRET,
  type Canaries,
  EMAIL,
  ENV_SECRET,
  FILE_SECRET,
  KEY,
  SECRETS,
  echo,
  search,
  useCanaries,
  watched,
} from "./canary-project.ts";
import { leaks } from "./spellings.ts";

const openCanaries = useCanaries();
const postgres = usePostgres();
const TOKEN = { name: "the token", value: "token/canary+6 of=the controller" };
const TEAMS = "state: { backend: pg, name: 'of-${team.name}' }\nteams:\n  emea: { api_key: { env: KEY_OF_EMEA } }\n";
/** An unencrypted state has the emails, and so do the bytes of its plans. */
const WITH_EMAILS = new Set(["bytes"]);

async function asked(url: string, path: string): Promise<string> {
  return (await fetch(url + path)).text();
}

/** Every text in the fleet's own tables, by table and column. */
async function stored(url: string): Promise<{ readonly [place: string]: string }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'outreach_fleet%'",
    );
    const places: { [place: string]: string } = {};
    for (const { name } of tables) {
      for (const row of (await client.query<{ [column: string]: unknown }>(`SELECT * FROM ${name}`)).rows) {
        for (const [column, value] of Object.entries(row)) {
          const text = Buffer.isBuffer(value) ? value.toString("latin1") : JSON.stringify(value);
          places[`${name}.${column}`] = `${places[`${name}.${column}`] ?? ""}\n${text}`;
        }
      }
    }
    return places;
  } finally {
    await client.end();
  }
}

async function waitingPlan(project: Canaries, url: string): Promise<string> {
  for (let tried = 0; tried < 100; tried++) {
    const { teams } = JSON.parse(await asked(url, "/api/status")) as {
      readonly teams: readonly { readonly plan: string | null }[];
    };
    const plan = teams[0]?.plan;
    if (typeof plan === "string") return plan;
    await pause(100);
  }
  throw new Error(`no plan waits: ${JSON.stringify([...project.found])}`);
}

test("a controller prints, shows and stores no secret and no masked email", async () => {
  const project = await openCanaries({ state: TEAMS, realTime: "a controller is a process of its own" });
  const { url } = await postgres.database();
  const password = { name: "the password of the database", value: new URL(url).password };
  project.more.push(TOKEN, password);
  const fleet = {
    OUTREACH_API_KEY: undefined,
    KEY_OF_EMEA: KEY.value,
    OUTREACH_DATABASE: url,
    PG_CONN_STR: url,
    OUTREACH_CONTROLLER_TOKEN: TOKEN.value,
  };
  Object.assign(project.environment, fleet);
  const { child, ended } = project.start("controller --auto none --interval 10s --listen 127.0.0.1:0");
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: string) => (said += chunk));
  await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said), `the controller serves: ${said}`);
  const [page = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  const plan = await waitingPlan(project, page);
  const shown = async (): Promise<void> => {
    const paths = ["/", "/teams/emea", "/api/status", "/metrics", "/readyz"];
    search(
      project,
      "the page",
      Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await asked(page, path)] as const))),
    );
  };
  await shown();
  const denied = await fetch(`${page}/api/teams/emea/pause`, {
    method: "POST",
    headers: { authorization: "Bearer wrong" },
  });
  expect(denied.status).toBe(401);
  await watched(project, `controller approve emea ${plan}`);
  await until(() => project.sandbox.webhooks().length === 4, "the plan is applied");
  for (const line of [
    "controller status",
    "controller status --json",
    "controller pause emea",
    "controller resume emea",
    "controller run emea",
    "controller run nobody",
  ])
    await watched(project, line);
  project.sandbox.addFault({
    action: {
      kind: "answer",
      status: 400,
      body: [KEY, ENV_SECRET, FILE_SECRET, COMMAND_SECRET].map(({ value }) => echo(value)).join(" "),
    },
    times: null,
  });
  await watched(project, "controller run emea");
  await until(() => said.includes('"outcome":"failed"'), `the next look fails: ${said}`);
  await shown();
  child.kill("SIGINT");
  const { code, out, err } = await ended;
  search(project, "the controller", { stdout: out, stderr: err });
  expect(code).toBe(0);
  expect([...project.found]).toEqual([]);
  const places = await stored(url);
  expect(leaks([...SECRETS, TOKEN, password], places)).toEqual([]);
  expect(
    leaks(
      [EMAIL],
      Object.fromEntries(Object.entries(places).filter(([place]) => !WITH_EMAILS.has(place.split(".").at(-1) ?? ""))),
    ),
  ).toEqual([]);
  expect(Object.keys(places)).toEqual(
    expect.arrayContaining(["outreach_fleet.plan.text", "outreach_fleet.run.messages"]),
  );
}, 60_000);
