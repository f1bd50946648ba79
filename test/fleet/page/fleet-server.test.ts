import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { FleetStore } from "../../../src/fleet/database/pg-fleet-store.ts";
import type { FleetServer, FleetServerOptions } from "../../../src/fleet/page/fleet-server.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import {
  type FleetDouble,
  NOW_MS,
  SETTINGS,
  fleetDouble,
  runOf,
  teamOf,
  waitingTeam,
  serveFleet,
} from "./fleet-double.ts";

const TOKEN = "correct-horse";
/** For whom time passes at once. */
const HURRIED: Clock = { ...nodeClock, sleep: () => Promise.resolve() };

const servers: FleetServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Served {
  readonly url: string;
  readonly logged: readonly string[];
  get(path: string): Promise<Response>;
  post(path: string, headers?: { readonly [name: string]: string }, body?: string): Promise<Response>;
}

async function serve(double: FleetDouble, more: Partial<FleetServerOptions> = {}): Promise<Served> {
  const logged: string[] = [];
  const server = await serveFleet(double, {
    token: TOKEN,
    log: (level, event, message, fields) => logged.push(`${level} ${event} ${fields?.team ?? "-"}: ${message}`),
    ...more,
  });
  servers.push(server);
  return {
    url: server.url,
    logged,
    get: (path) => fetch(server.url + path),
    post: (path, headers = { authorization: `Bearer ${TOKEN}` }, body) =>
      fetch(server.url + path, { method: "POST", headers, ...(body === undefined ? {} : { body }) }),
  };
}

const statusAndText = async (response: Response): Promise<readonly [number, string]> => [
  response.status,
  await response.text(),
];

test("answers with the page of the fleet, a team's page and the status, all of them without caching, frames, scripts and requests", async () => {
  const { get } = await serve(fleetDouble([teamOf("acme")]));
  for (const path of ["/", "/teams/acme", "/api/status", "/metrics", "/healthz", "/readyz"]) {
    const { status, headers } = await get(path);
    expect([
      path,
      status,
      headers.get("cache-control"),
      headers.get("x-content-type-options"),
      headers.get("access-control-allow-origin"),
    ]).toEqual([path, 200, "no-store", "nosniff", null]);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  }
  expect((await get("/")).headers.get("content-type")).toBe("text/html; charset=UTF-8");
});

test("ages are by the clock of the database, not by that of the process", async () => {
  const { get } = await serve(fleetDouble([teamOf("acme")]), {
    clock: { ...nodeClock, now: () => NOW_MS + 3_600_000 },
  });
  for (const path of ["/", "/teams/acme"])
    expect(await (await get(path)).text()).toMatch(/2m05s ago[^]*As of 2026-11-23T12:00:00\.000Z/);
  expect(JSON.parse(await (await get("/api/status")).text())).toMatchObject({ time: "2026-11-23T12:00:00.000Z" });
});

test("an unknown team and an unknown path are not found, for people as a page and for programs as JSON", async () => {
  const { get, post } = await serve(fleetDouble());
  expect(await statusAndText(await get("/teams/acme"))).toEqual([
    404,
    expect.stringContaining("The configuration in force has no team acme."),
  ]);
  expect(await statusAndText(await get("/teams/%3Cscript%3E"))).toEqual([
    404,
    expect.stringContaining("no team &lt;script&gt;."),
  ]);
  expect(await statusAndText(await get("/elsewhere"))).toEqual([
    404,
    expect.stringContaining("There is nothing at /elsewhere."),
  ]);
  expect(await (await get("/api/elsewhere")).json()).toEqual({ error: "There is nothing at /api/elsewhere." });
  expect(await statusAndText(await post("/api/teams/acme/run"))).toEqual([
    404,
    '{"error":"The configuration in force has no team acme."}\n',
  ]);
});

test("no team has a name with a zero byte: the database, which would refuse it, is not asked", async () => {
  const fleet = fleetDouble([teamOf("acme")]);
  fleet.database = "away";
  const { get, post } = await serve(fleet);
  for (const answer of [
    await get("/teams/%00"),
    await get("/teams/acme%00"),
    await get("/api/status?team=%00"),
    await post("/api/teams/%00/run"),
    await post("/api/teams/%00/approve", undefined, '{"plan":"plan-6"}'),
  ])
    expect([answer.url, answer.status]).toEqual([answer.url, 404]);
});

test("an action that is not sent as POST is refused, and says so", async () => {
  const { url } = await serve(fleetDouble([teamOf("acme")]));
  for (const action of ["run", "pause", "resume", "approve"]) {
    const got = await fetch(`${url}/api/teams/acme/${action}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([await statusAndText(got), got.headers.get("allow")]).toEqual([
      [405, '{"error":"Send this as POST, not as GET."}\n'],
      "POST",
    ]);
  }
});

test("a team's page shows the plan that waits, the command that approves it, and the last runs with their messages", async () => {
  const double = fleetDouble([waitingTeam("acme", "plan-7")]);
  double.plans.push({
    id: "plan-7",
    team: "acme",
    madeMs: NOW_MS - 60_000,
    counts: teamOf("").counts,
    cost: null,
    text: "+ outreach_webhook.crm",
    state: "waiting",
    approvedBy: null,
  });
  double.runs.push(
    runOf("acme", {
      outcome: "failed",
      messages: [
        {
          severity: "error",
          code: "x",
          summary: "Key rejected",
          detail: "The service answered 401.",
          hint: "Check it.",
        },
      ],
    }),
  );
  const text = await (await (await serve(double)).get("/teams/acme")).text();
  for (const part of [
    "outreach controller approve acme plan-7",
    "+ outreach_webhook.crm",
    "Error: Key rejected",
    "The service answered 401.",
    "Check it.",
  ])
    expect(text).toContain(part);
});

test("a request that changes something needs the token, and does nothing without it", async () => {
  const double = fleetDouble([waitingTeam("acme", "plan-7")]);
  const { post, get } = await serve(double);
  for (const action of ["run", "pause", "resume", "approve"]) {
    for (const headers of [
      {},
      { authorization: "Bearer wrong" },
      { authorization: TOKEN },
      { authorization: `bearer  ${TOKEN}x` },
      { cookie: TOKEN },
    ]) {
      const response = await post(`/api/teams/acme/${action}`, headers, '{"plan":"plan-7"}');
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    expect((await get(`/api/teams/acme/${action}`)).status).toBe(401);
  }
  expect(double.asked).toEqual([]);
});

describe("several teams over HTTP", () => {
  const removing = { ...waitingTeam("client-b", "plan-b"), removals: ["hoo_old"] };
  const ask = (body: object | string, headers = { authorization: `Bearer ${TOKEN}` }) =>
    [headers, typeof body === "string" ? body : JSON.stringify(body)] as const;

  test("are those that the filters find, and plans with removals are left to a person", async () => {
    const double = fleetDouble([
      waitingTeam("client-a", "plan-a"),
      removing,
      waitingTeam("other", "plan-o"),
      teamOf("client-c"),
    ]);
    const { post } = await serve(double);
    const approved = await post("/api/teams", ...ask({ action: "approve", team: ["client-*"] }));
    expect([approved.status, await approved.json()]).toEqual([
      409,
      {
        error: expect.stringContaining("a person approves each by its id") as string,
        action: "approve",
        done: ["client-a"],
        late: [],
        left: ["client-b"],
      },
    ]);
    expect(double.asked).toEqual(["approve client-a plan-a by the API"]);
    const run = await post("/api/teams", ...ask({ action: "run", team: ["client-*"] }));
    expect([run.status, await run.json()]).toEqual([
      200,
      { action: "run", done: ["client-a", "client-b", "client-c"], late: [], left: [] },
    ]);
  });

  test("need the token", async () => {
    const double = fleetDouble([waitingTeam("acme", "plan-a")]);
    const { post, url } = await serve(double);
    for (const headers of [{}, { authorization: "Bearer wrong" }])
      expect((await post("/api/teams", headers, '{"action":"run","team":["*"]}')).status).toBe(401);
    expect((await fetch(`${url}/api/teams`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(405);
    expect(double.asked).toEqual([]);
  });

  test.each([
    ["", "The body must be JSON"],
    ["[]", "The body must be JSON"],
    [{ action: "delete", team: ["*"] }, "action must be one of approve, adopt, run, pause, resume."],
    [{ action: "run" }, "Name at least one filter"],
    [{ action: "run", failed: false }, "Name at least one filter"],
    [{ action: "run", team: "*" }, '"team" does not exist, or has a wrong value.'],
    [{ action: "run", team: ["*"], faild: true }, '"faild" does not exist, or has a wrong value.'],
    [{ action: "run", team: ["*"], only_creates: true }, "it goes with approve only"],
  ])("are none for %j", async (body, told) => {
    const double = fleetDouble([waitingTeam("acme", "plan-a")]);
    const answer = await (await serve(double)).post("/api/teams", ...ask(body));
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(told) as string }]);
    expect(double.asked).toEqual([]);
  });

  test("are none where a name or a group is unknown, and no plan is approved during a freeze", async () => {
    const double = fleetDouble([waitingTeam("acme", "plan-a")]);
    const { post } = await serve(double);
    for (const [body, told] of [
      [{ action: "run", team: ["acme", "nobody"] }, 'The fleet has no team "nobody".'],
      [{ action: "run", group: "0123456789" }, "0123456789"],
    ] as const) {
      const answer = await post("/api/teams", ...ask(body));
      expect([answer.status, await answer.json()]).toEqual([409, { error: expect.stringContaining(told) as string }]);
    }
    double.settings = { ...SETTINGS, freeze: { untilMs: NOW_MS + 60_000, reason: "Holidays" } };
    const all = { action: "approve", team: ["*"] };
    expect((await post("/api/teams", ...ask(all))).status).toBe(409);
    expect(double.asked).toEqual([]);
    expect((await post("/api/teams", ...ask({ ...all, ignore_freeze: true }))).status).toBe(200);
    expect(double.asked).toEqual(["approve acme plan-a by the API anyway"]);
  });
});

test("with the token, teams are run, paused and resumed, and the log says so", async () => {
  const double = fleetDouble([teamOf("acme", { state: "paused" })]);
  const { post, logged } = await serve(double);
  for (const [action, more] of [
    ["run", ""],
    ["pause", ""],
    ["resume", ',"resumed":true'],
  ] as const)
    expect(await statusAndText(await post(`/api/teams/acme/${action}`))).toEqual([
      200,
      `{"team":"acme","action":"${action}"${more}}\n`,
    ]);
  expect(double.asked).toEqual(["run acme", "pause acme", "resume acme"]);
  expect(logged).toEqual([
    "info run acme: Asked for over HTTP: run.",
    "info pause acme: Asked for over HTTP: pause.",
    "info resume acme: Asked for over HTTP: resume.",
  ]);
});

test("to resume a team that is neither paused nor parked does nothing, and the answer says so", async () => {
  const { post, logged } = await serve(fleetDouble([teamOf("acme")]));
  expect(await statusAndText(await post("/api/teams/acme/resume"))).toEqual([
    200,
    '{"team":"acme","action":"resume","resumed":false}\n',
  ]);
  expect(logged).toEqual([]);
});

test("a parked team is not run before somebody resumes it, and the answer says so", async () => {
  const { post, logged } = await serve(fleetDouble([teamOf("acme", { state: "parked" })]));
  const [status, text] = await statusAndText(await post("/api/teams/acme/run"));
  expect([status, text]).toEqual([409, expect.stringContaining("acme is parked")]);
  expect(logged).toEqual([]);
});

test("during a freeze, a plan is approved only where the request says so, and the page says until when it is", async () => {
  const double = fleetDouble([waitingTeam("acme", "plan-7")]);
  double.settings = { ...SETTINGS, freeze: { untilMs: NOW_MS + 1, reason: "Holidays" } };
  const { get, post } = await serve(double);
  const approve = async (body: string) => statusAndText(await post("/api/teams/acme/approve", undefined, body));
  for (const body of ['{"plan":"plan-7"}', '{"plan":"plan-7","ignore_freeze":"yes"}'])
    expect(await approve(body)).toEqual([409, expect.stringContaining("Frozen until 2026-11-23 12:00 UTC: Holidays.")]);
  expect(double.asked).toEqual([]);
  expect(await (await get("/")).text()).toContain(
    "No plan is applied now. Frozen until 2026-11-23 12:00 UTC: Holidays.",
  );
  expect(await approve('{"plan":"plan-7","ignore_freeze":true}')).toEqual([
    200,
    expect.stringContaining('"plan":"plan-7"'),
  ]);
  expect(double.asked).toEqual(["approve acme plan-7 by the API anyway"]);
});

test("a plan is approved by its id; another one than the plan that waits is refused", async () => {
  const double = fleetDouble([waitingTeam("acme", "plan-7"), teamOf("emea")]);
  const { post } = await serve(double);
  const approve = async (team: string, body: string) =>
    statusAndText(await post(`/api/teams/${team}/approve`, undefined, body));
  expect(await approve("acme", '{"plan":"plan-7"}')).toEqual([
    200,
    '{"team":"acme","action":"approve","plan":"plan-7","approved_by":"the API"}\n',
  ]);
  expect(await approve("acme", '{"plan":"plan-6"}')).toEqual([
    409,
    '{"error":"The plan plan-6 of acme does not wait for approval: its plan that waits is plan-7.","plan":"plan-7"}\n',
  ]);
  expect(await approve("emea", '{"plan":"plan-6"}')).toEqual([
    409,
    expect.stringContaining("no plan of it waits for approval"),
  ]);
  expect(await approve("nobody", '{"plan":"plan-6"}')).toEqual([
    404,
    '{"error":"The configuration in force has no team nobody."}\n',
  ]);
  for (const body of ["", "plan-7", "null", "{}", '{"plan":""}', '{"plan":["plan-7"]}'])
    expect((await approve("acme", body))[0]).toBe(400);
  expect((await approve("acme", JSON.stringify({ plan: "x".repeat(100_000) })))[0]).toBe(413);
  expect(double.asked).toEqual(
    ["acme plan-7", "acme plan-6", "emea plan-6", "nobody plan-6"].map((one) => `approve ${one} by the API`),
  );
});

test("a body that comes in parts, without its length, is read like any other, and none at all is refused", async () => {
  const { url } = await serve(fleetDouble([waitingTeam("acme", "plan-7")]));
  const send = (parts: readonly string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${url}/api/teams/acme/approve`,
        { method: "POST", headers: { authorization: `Bearer ${TOKEN}` } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      ).on("error", reject);
      if (parts.length === 0) sent.removeHeader("transfer-encoding");
      for (const part of parts) sent.write(part);
      sent.end();
    });
  expect([
    await send(['{"plan":', '"plan-7"}']),
    await send([]),
    await send(["x".repeat(50_000), "x".repeat(50_000)]),
  ]).toEqual([200, 400, 413]);
});

test("without a token of its own, the controller accepts no changes, and says how to set one", async () => {
  const double = fleetDouble([teamOf("acme")]);
  const { post } = await serve(double, { token: null });
  for (const headers of [{}, { authorization: "Bearer " }, { authorization: "Bearer null" }]) {
    const [status, text] = await statusAndText(await post("/api/teams/acme/run", headers));
    expect([status, text]).toEqual([403, expect.stringContaining("Set OUTREACH_CONTROLLER_TOKEN")]);
  }
  expect(double.asked).toEqual([]);
});

test.each([
  { listens: "on this machine", host: "127.0.0.1", allowedHosts: [], more: [], refused: ["10.0.0.1", "[2001:db8::1]"] },
  {
    listens: "on all addresses",
    host: "0.0.0.0",
    allowedHosts: [],
    more: ["10.0.0.1:4040", "[2001:db8::1]:4040"],
    refused: ["10.0.0.1.evil.example"],
  },
  {
    listens: "with allowed names",
    host: "0.0.0.0",
    allowedHosts: ["fleet.example.com"],
    more: ["Fleet.Example.com:443", "fleet.example.com"],
    refused: ["example.com"],
  },
])(
  "a server that listens $listens answers under its own names alone, so that no web page can read it by another",
  async ({ host, allowedHosts, more, refused }) => {
    const { url } = await serve(fleetDouble([teamOf("acme")]), { listen: { host, port: 0 }, allowedHosts });
    const statusFor = (name: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${url}/api/status`, { headers: { host: name } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
    for (const name of ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:4040", "LOCALHOST", ...more])
      expect([name, await statusFor(name)]).toEqual([name, 200]);
    for (const name of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ...refused])
      expect([name, await statusFor(name)]).toEqual([name, 403]);
  },
);

test("is alive, but not ready while the database is away, another configuration is in force, or it shuts down", async () => {
  const double = fleetDouble();
  const standing = { isInForce: true, isStopping: false };
  const { get } = await serve(double, { process: () => standing });
  expect(await statusAndText(await get("/readyz"))).toEqual([200, "ok\n"]);
  double.database = "away";
  expect(await statusAndText(await get("/readyz"))).toEqual([503, "The database is not available.\n"]);
  double.database = "here";
  standing.isInForce = false;
  expect(await statusAndText(await get("/readyz"))).toEqual([
    503,
    "The configuration of this process is not in force.\n",
  ]);
  standing.isStopping = true;
  expect((await statusAndText(await get("/readyz")))[1]).toContain("The controller is shutting down.");
  expect(await statusAndText(await get("/healthz"))).toEqual([200, "ok\n"]);
});

test.each(["away", "hangs"] as const)(
  "while the database %s, pages say so in plain words, and a scrape still answers",
  async (database) => {
    const double = fleetDouble([teamOf("acme")]);
    double.database = database;
    const { get, post, logged } = await serve(double, { clock: HURRIED });
    for (const path of ["/", "/teams/acme"])
      expect(await statusAndText(await get(path))).toEqual([
        503,
        expect.stringContaining("The database of the fleet is not available."),
      ]);
    expect(await statusAndText(await get("/api/status"))).toEqual([
      503,
      expect.stringContaining('{"error":"The database of the fleet is not available.'),
    ]);
    expect(await statusAndText(await post("/api/teams/acme/run"))).toEqual([
      503,
      expect.stringContaining("It may have done what you asked for"),
    ]);
    expect(await statusAndText(await get("/readyz"))).toEqual([503, "The database is not available.\n"]);
    expect((await get("/healthz")).status).toBe(200);
    const [status, metrics] = await statusAndText(await get("/metrics"));
    expect(status).toBe(200);
    expect(metrics).toContain("\noutreach_fleet_database_up 0\n");
    expect(metrics).not.toContain("outreach_fleet_teams");
    expect(logged).toEqual([]);
  },
);

test("scrapes read the fleet at most every five seconds, and pages always", async () => {
  const double = fleetDouble([teamOf("acme")]);
  let monotonicMs = 0;
  const { get } = await serve(double, { clock: { ...nodeClock, monotonicMs: () => monotonicMs } });
  for (const path of ["/metrics", "/metrics", "/metrics"]) await get(path);
  expect(double.reads()).toBe(1);
  monotonicMs = 5000;
  expect(await (await get("/metrics")).text()).toContain("\noutreach_fleet_database_up 1\n");
  expect(double.reads()).toBe(2);
  await get("/");
  await get("/");
  expect(double.reads()).toBe(4);
});

test("a failure of its own is answered without its text, which goes to the log", async () => {
  const double = fleetDouble();
  const broken: FleetStore = { ...double.store, teams: () => Promise.reject(new Error("relation does not exist")) };
  const { get, logged } = await serve({ ...double, store: broken });
  const [status, text] = await statusAndText(await get("/"));
  expect(status).toBe(500);
  expect(text).not.toContain("relation");
  expect(logged).toEqual(["error page-failed -: GET /: relation does not exist"]);
});

test("a server that closes finishes the requests that have arrived", async () => {
  const double = fleetDouble([teamOf("acme")]);
  let answer = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    double.store.teams = () =>
      new Promise((done) => {
        answer = () => done(double.teams);
        resolve();
      });
  });
  const { get } = await serve(double);
  const asked = get("/api/status");
  await arrived;
  const closed = servers[0]?.close();
  answer();
  expect((await asked).status).toBe(200);
  await closed;
  servers.splice(0);
  await expect(get("/healthz")).rejects.toThrow();
});
