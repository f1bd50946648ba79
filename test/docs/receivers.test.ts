import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import type { EventStore } from "../../src/service/receiver/event-store.ts";
import { type LinkedProject, openLinkedProject } from "./linked-project.ts";
import { fencesOf } from "./markdown.ts";
import { read } from "./pages.ts";

const GUIDES = ["receivers", "receiver-frameworks", "receiver-duplicates", "suppression-watch", "receiver-testing"].map(
  (name) => `docs/guides/${name}.md`,
);
const SECRET = "a-secret-of-the-test";
const EVENT = {
  _id: "act_000001",
  type: "interested",
  teamId: "tea_000001",
  createdAt: "2026-11-22T12:00:00.000Z",
  leadId: "lea_000001",
};

/** The programs of the guides, by file. */
const programs = new Map(
  GUIDES.flatMap((page) => fencesOf(read(page))).flatMap(({ language, words: [file = ""], text }) =>
    ["ts", "js"].includes(language) ? [[file, text] as const] : [],
  ),
);

const [ofReadme = ""] = fencesOf(read("README.md")).flatMap(({ language, text }) =>
  language === "ts" && text.includes("createServer") ? [text] : [],
);

let project: LinkedProject;
beforeAll(async () => {
  vi.stubEnv("HOOK_SECRET", SECRET);
  project = openLinkedProject(["hono", "express", "pg", "@types/node", "@types/pg"]);
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  };
  writeFileSync(path.join(project.folder, "package.json"), '{"type":"module"}\n');
  writeFileSync(path.join(project.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  writeFileSync(path.join(project.folder, "readme.ts"), ofReadme);
  for (const [file, text] of programs) {
    const place = path.join(project.folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    writeFileSync(place.replace(/\.\w+$/, ".js"), (await transform(text, { loader: "ts" })).code);
  }
});
afterAll(() => {
  project.remove();
  vi.unstubAllEnvs();
});

let logged: string[] = [];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "log").mockImplementation((...words: readonly unknown[]) => void logged.push(words.join(" ")));
  vi.spyOn(console, "error").mockImplementation((...words: readonly unknown[]) => void logged.push(words.join(" ")));
});

async function load<Module>(file: string): Promise<Module> {
  return (await import(/* @vite-ignore */ pathToFileURL(path.join(project.folder, file)).href)) as Module;
}

function post(secret: string, url = "http://127.0.0.1/hooks/outreach"): Request {
  return new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...EVENT, secret }),
  });
}

/** Sends the event with the right secret twice, and with a wrong one; the program must handle it once. */
async function check(send: (request: Request) => Response | Promise<Response>): Promise<void> {
  const statuses = [];
  for (const secret of [SECRET, SECRET, "another"]) statuses.push((await send(post(secret))).status);
  expect(statuses).toEqual([204, 204, 401]);
  expect(logged).toEqual(["Received interested"]);
}

test("the guides have a program for each framework", () => {
  expect([...programs.keys()]).toEqual([
    "receiver.mjs",
    "hono.ts",
    "app/hooks/outreach/route.ts",
    "worker.ts",
    "express.mjs",
    "lambda.ts",
    "express-parsed.mjs",
    "postgres-store.ts",
    "redis-store.ts",
    "suppression-watch.ts",
    "receiver.test.ts",
  ]);
});

test("the programs pass the type check, and the README's too", async () => {
  expect(ofReadme).toContain("outreach-as-code/events");
  expect(await project.typeCheck()).toBe("");
});

test("the program for Hono receives events", async () => {
  const { app } = await load<{ readonly app: { readonly fetch: (request: Request) => Promise<Response> } }>("hono.js");
  await check(app.fetch);
});

test("the route for Next.js can be loaded without the secret, as its build does, and receives events", async () => {
  vi.stubEnv("HOOK_SECRET", undefined);
  const { POST } = await load<{ readonly POST: (request: Request) => Promise<Response> }>(
    "app/hooks/outreach/route.js",
  );
  expect((await POST(post(SECRET))).status).toBe(500);
  expect(logged.splice(0).join()).toContain("Is an environment variable missing?");
  vi.stubEnv("HOOK_SECRET", SECRET);
  await check(POST);
});

test("the worker receives events", async () => {
  type Worker = { readonly default: { readonly fetch: (request: Request, environment: object) => Promise<Response> } };
  const { default: worker } = await load<Worker>("worker.js");
  await check((request) => worker.fetch(request, { HOOK_SECRET: SECRET }));
});

describe("with Express", () => {
  async function serve(app: RequestListener, during: (url: string) => Promise<void>): Promise<void> {
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await during(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks/outreach`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test("the program receives events", async () => {
    const { app } = await load<{ readonly app: RequestListener }>("express.js");
    await serve(app, (url) => check(async (request) => fetch(url, { method: "POST", body: await request.text() })));
  });

  test("the program behind its body parser receives events", async () => {
    const { app } = await load<{ readonly app: RequestListener }>("express-parsed.js");
    const headers = { "content-type": "application/json" };
    await serve(app, (url) =>
      check(async (request) => fetch(url, { method: "POST", headers, body: await request.text() })),
    );
  });

  test("the handler behind a body parser answers 500, and says why", async () => {
    const [program = "", parser = ""] = [
      programs.get("express.mjs"),
      /^app\.use.*$/m.exec(programs.get("express.mjs") ?? "")?.[0],
    ];
    const mistaken = program.replace(parser, "").replace("app.post", `${parser}\napp.post`);
    writeFileSync(path.join(project.folder, "mistaken.js"), mistaken);
    const { app } = await load<{ readonly app: RequestListener }>("mistaken.js");
    await serve(app, async (url) => {
      expect((await fetch(post(SECRET, url))).status).toBe(500);
    });
    expect(logged.join("\n")).toContain("body");
  });
});

test("the watch tells of a message to somebody on its list, and of no other", async () => {
  const { handle } = await load<{ readonly handle: (request: Request) => Promise<Response> }>("suppression-watch.js");
  const sent = {
    ...EVENT,
    type: "smsSent",
    campaignName: "Q3 launch",
    sendUserEmail: "grace@example.com",
    secret: SECRET,
  };
  for (const [index, leadEmail] of ["mary@example.com", "ADA@example.com"].entries()) {
    const body = JSON.stringify({ ...sent, _id: `act_${String(index)}`, leadEmail });
    expect((await handle(new Request("http://127.0.0.1/", { method: "POST", body }))).status).toBe(204);
  }
  expect(logged).toEqual([
    "smsSent to lead lea_000001 on the list: Q3 launch, sent by grace@example.com at 2026-11-22T12:00:00.000Z",
  ]);
});

test("the test of a receiver passes", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "receiver.test.js"], {
    cwd: project.folder,
  });
  expect(stdout).toContain("# pass 1");
});

test.for([false, true])("the function for Lambda receives events, in base64: %s", async (isBase64Encoded) => {
  interface Answer {
    readonly statusCode: number;
    readonly headers: { readonly [name: string]: string };
    readonly body: string;
  }
  const { handler } = await load<{ readonly handler: (request: object) => Promise<Answer> }>(
    `lambda.js?${String(isBase64Encoded)}`,
  );
  await check(async (request) => {
    const body = Buffer.from(await request.arrayBuffer()).toString(isBase64Encoded ? "base64" : "utf8");
    const { statusCode, ...answer } = await handler({ body, isBase64Encoded });
    return new Response(statusCode === 204 ? null : answer.body, { status: statusCode, headers: answer.headers });
  });
});

describe("the store in PostgreSQL", () => {
  const postgres = usePostgres();

  test("hands each event to one process, again after a failure, and again after the end of a process", async () => {
    const { url } = await postgres.database();
    const { postgresStore } = await load<{ readonly postgresStore: (pool: pg.Pool) => EventStore }>(
      "postgres-store.js",
    );
    const pool = new pg.Pool({ connectionString: url });
    const closed: Promise<unknown>[] = [];
    pool.on("connect", (client) => closed.push(once(client, "end")));
    try {
      await pool.query(/CREATE TABLE [^.]+\)/.exec(programs.get("postgres-store.ts") ?? "")?.[0] ?? "");
      const store = postgresStore(pool);
      const claims = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => store.claim("one", String(index))),
      );
      expect(claims.filter((claim) => claim === "claimed")).toHaveLength(1);
      expect(claims.filter((claim) => claim === "busy")).toHaveLength(9);
      await store.release("one", String(claims.indexOf("claimed")));
      expect(await store.claim("one", "next")).toBe("claimed");
      await store.complete("one");
      expect(await store.claim("one", "last")).toBe("done");

      expect(await store.claim("two", "slow")).toBe("claimed");
      await pool.query("UPDATE events SET at = at - interval '2 minutes'");
      expect(await store.claim("two", "second")).toBe("claimed");
      expect(await store.claim("one", "again")).toBe("done");

      // The slow one fails late: the claim is the second one's, and nobody handles the event a third time.
      await store.release("two", "slow");
      expect(await store.claim("two", "third")).toBe("busy");
      await store.release("two", "second");
      expect(await store.claim("two", "third")).toBe("claimed");
      // It succeeds late after all, and then the third one fails.
      await store.complete("two");
      await store.release("two", "third");
      expect(await store.claim("two", "fourth")).toBe("done");
    } finally {
      // The pool's end does not wait for its connections, and the database goes with force: a connection that is still open would throw.
      await pool.end();
      await Promise.all(closed);
    }
  });
});
