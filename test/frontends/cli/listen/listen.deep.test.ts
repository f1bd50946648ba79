import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { nodeWeb } from "../../../../src/service/api/node-web.ts";
import { receiveEvents } from "../../../../src/frontends/cli/commands/listen/receive-events.ts";
import type { ReceivedEvent } from "../../../../src/frontends/cli/commands/listen/received-event.ts";
import { event, listenOnTerminal, post, startListening, startReceiver } from "./listening.ts";
import { needsTerminal, until, useProjects } from "../project.ts";

const openProject = useProjects();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const receiver: typeof startReceiver = async (answer) => {
  const started = await startReceiver(answer);
  closing.push(started.close);
  return started;
};

const SECRET = "the-secret-of-the-webhook";
const OTHER = "the-secret-before-the-rotation";
const WITH_SECRETS = { HOOK: SECRET, OLD_HOOK: OTHER };

describe("secrets", () => {
  test("each of several is accepted, any other is answered with 401, and none is ever printed", async () => {
    const project = await openProject();
    const listening = await startListening(
      project,
      "--secret env:HOOK --secret env:OLD_HOOK --save events",
      WITH_SECRETS,
    );
    expect((await post(listening.url, event({ secret: SECRET }))).status).toBe(200);
    expect((await post(listening.url, event({ _id: "act_2", secret: OTHER }))).status).toBe(200);
    expect(await post(listening.url, event({ secret: "hunter2-of-a-stranger" }))).toMatchObject({
      status: 401,
      text: "The event's secret is not an accepted one.\n",
    });
    expect((await post(listening.url, event())).status).toBe(401);
    expect((await post(listening.url, event({ secret: 7 }))).status).toBe(401);
    const { code, out, err } = await listening.stop();
    expect(
      listening.lines("event").map(({ secret, status, event: whole }) => [secret, status, whole === null]),
    ).toEqual([
      ["ok", 200, false],
      ["ok", 200, false],
      ["wrong", 401, true],
      ["missing", 401, true],
      ["wrong", 401, true],
    ]);
    expect(listening.lines("summary")).toEqual([
      { kind: "summary", received: 5, wrongSecret: 3, invalid: 0, duplicates: 0, saved: 2, forwarded: 0, failed: 0 },
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const files = Object.entries(project.files()).filter(([file]) => file.startsWith("events/"));
    expect(files).toHaveLength(2);
    for (const text of [out, ...files.flat()])
      for (const secret of [SECRET, OTHER, "hunter2"]) expect(text).not.toContain(secret);
  });

  test("a literal one is refused, and not repeated", async () => {
    const project = await openProject();
    for (const literal of [SECRET, "env:not-a-name", "command: "]) {
      const { code, err } = await project.run(`listen --port 0 --secret '${literal}'`);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining("--secret takes a reference to a secret, not the secret itself") as string,
      });
      expect(err).not.toContain(literal);
    }
  });

  test("one that is missing or empty is an error before it listens", async () => {
    const project = await openProject();
    project.write("empty.txt", "\n");
    const { code, out, err } = await project.run(
      "listen --port 0 --secret env:NOT_SET --secret file:empty.txt --secret 'command:false'",
    );
    expect({ code, out }).toEqual({ code: 1, out: "" });
    for (const said of ["NOT_SET is not set", "The file empty.txt is empty", 'The command "false" failed'])
      expect(err).toContain(said);
  });

  test("one with white space at its end is an error before it listens", async () => {
    const project = await openProject();
    const { code, out, err } = await project.run("listen --port 0 --secret env:HOOK", { HOOK: `${SECRET}\n` });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("The secret from the environment variable HOOK starts or ends with white space");
    expect(err).not.toContain(SECRET);
  });

  test("come from files anywhere and from commands", async () => {
    const project = await openProject();
    project.write("secret.txt", `${SECRET}\n`);
    const listening = await startListening(
      project,
      `--secret file:${path.join(project.folder, "secret.txt")} --secret 'command:echo ${OTHER}'`,
    );
    expect((await post(listening.url, event({ secret: SECRET }))).status).toBe(200);
    expect((await post(listening.url, event({ secret: OTHER }))).status).toBe(200);
    expect((await listening.stop()).code).toBe(0);
  });
});

describe("forwarding", () => {
  test("passes on the same bytes and headers, and answers as the receiver does", async () => {
    const project = await openProject();
    let status = 200;
    const receiving = await receiver(() => ({ status, headers: { "retry-after": "7" } }));
    const listening = await startListening(
      project,
      `--secret env:HOOK --forward ${String(receiving.port)}`,
      WITH_SECRETS,
    );
    const body = `{ "secret": "${SECRET}",\n "_id":"act_1","type":"emailsReplied","teamId":"tea_1","createdAt":"2026-01-01T00:00:00Z","n":1.0 }`;
    expect(await post(`${listening.url}/any/path`, body, { "x-of-the-service": "1" })).toMatchObject({
      status: 200,
      retryAfter: "7",
    });
    expect(receiving.requests[0]).toMatchObject({
      method: "POST",
      path: "/",
      body,
      headers: { "x-of-the-service": "1", "content-type": "application/json" },
    });
    status = 503;
    expect((await post(listening.url, event({ secret: SECRET }))).status).toBe(503);
    expect((await post(listening.url, event({ secret: "wrong" }))).status).toBe(401);
    await listening.stop();
    expect(receiving.requests).toHaveLength(2);
    expect(listening.lines("event").map(({ forwarded, duplicate }) => [forwarded, duplicate])).toEqual([
      [
        [
          {
            url: `http://localhost:${String(receiving.port)}/`,
            status: 200,
            problem: null,
            durationMs: expect.any(Number) as number,
          },
        ],
        false,
      ],
      [
        [
          {
            url: `http://localhost:${String(receiving.port)}/`,
            status: 503,
            problem: null,
            durationMs: expect.any(Number) as number,
          },
        ],
        false,
      ],
      [[], false],
    ]);
    expect(listening.lines("summary")).toMatchObject([{ received: 3, wrongSecret: 1, forwarded: 1, failed: 1 }]);
  });

  test("by type, to several receivers: the worst answer counts", async () => {
    const project = await openProject();
    const [all, replies] = [await receiver(() => 204), await receiver(() => 500)];
    const listening = await startListening(
      project,
      `--forward ${all.url}/all --forward emailsReplied=localhost:${String(replies.port)}/replies`,
    );
    expect((await post(listening.url, event({ type: "emailsSent" }))).status).toBe(204);
    expect((await post(listening.url, event())).status).toBe(500);
    await listening.stop();
    expect(all.requests.map((request) => request.path)).toEqual(["/all", "/all"]);
    expect(replies.requests.map((request) => request.path)).toEqual(["/replies"]);
  });

  test("a receiver that does not run is reported, and answered with 502", async () => {
    const project = await openProject();
    const gone = await startReceiver(() => 200);
    await gone.close();
    const listening = await startListening(project, `--forward ${String(gone.port)}`);
    expect((await post(listening.url, event())).status).toBe(502);
    await listening.stop();
    expect(listening.lines("event")).toMatchObject([
      {
        status: 502,
        forwarded: [
          { status: null, problem: expect.stringMatching(/^http:\/\/localhost:\d+ refused the connection$/) as string },
        ],
      },
    ]);
  });

  test("finishes what it forwards before it ends", async () => {
    const project = await openProject();
    let finish = (): void => undefined;
    const receiving = await receiver(() => new Promise<number>((resolve) => (finish = () => resolve(200))));
    const listening = await startListening(project, `--forward ${String(receiving.port)}`);
    const answered = post(listening.url, event());
    await until(() => receiving.requests.length === 1, "it is forwarded");
    const stopped = listening.stop();
    await until(() => listening.said().err.includes("Waiting for 1 delivery"), "it says why it waits");
    finish();
    expect((await answered).status).toBe(200);
    expect((await stopped).code).toBe(0);
    expect(listening.lines("event")).toMatchObject([{ status: 200 }]);
  });

  test.each([
    ["--forward emailReplied=3000", "Did you mean emailsReplied?"],
    ["--forward emailsSendFailed=3000", "use emailsFailed"],
    ["--forward http://crm.example.com/hooks", "http is accepted for this machine only"],
    ["--forward 99999", "it is not a URL"],
    ["--forward https://me:word@crm.example.com", "does not accept a user name"],
  ])("%s is refused", async (words, said) => {
    const project = await openProject();
    expect(await project.run(`listen --port 0 ${words}`)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(said) as string,
    });
  });
});

test("an event that was received before is marked", async () => {
  const project = await openProject();
  const listening = await startListening(project);
  for (const fields of [{}, {}, { type: "warmed" }, { _id: "act_2" }]) await post(listening.url, event(fields));
  await listening.stop();
  expect(listening.lines("event").map(({ duplicate }) => duplicate)).toEqual([false, true, false, false]);
});

test("on a terminal, a table has one line for each event, without control characters", async (context) => {
  needsTerminal(context);
  const project = await openProject();
  const hostile = event({ campaignName: "\u001b[2JSpring\u202e\n::set-output", secret: SECRET });
  const listening = await listenOnTerminal(project, "--secret env:HOOK", WITH_SECRETS);
  const url = /http:\/\/[\d.:]+\d/.exec(listening.out())?.[0] ?? "";
  for (const secret of [SECRET, SECRET, "wrong-one"]) await post(url, { ...hostile, secret });
  expect(await listening.stop()).toBe(0);
  const lines = listening.out().slice(listening.out().indexOf("TIME")).split("\n");
  expect(lines[0]).toMatch(/^TIME +EVENT +CAMPAIGN +LEAD +SECRET +RESULT$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}emailsReplied +\ufffd\[2JSpring\ufffd/);
  expect(lines[1]).toMatch(/ada@example\.com/);
  expect(lines.slice(1, 4).map((line) => line.replace(/^.* (?=ok|wrong)/, ""))).toEqual([
    "ok",
    "ok            duplicate",
    "wrong         401: The event's secret is not an accepted one.",
  ]);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(lines.slice(0, 4).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(listening.out()).toContain("\nReceived 3 events: 1 with a wrong secret, 1 duplicate.\n");
});

test("JSON lines mask emails anywhere in an event, and escape control characters", async () => {
  const project = await openProject();
  const listening = await startListening(project);
  await post(listening.url, event({ to: [{ address: "bob@example.com", name: "Bob <bob@example.com>\u009b2J" }] }));
  const { out } = await listening.stop();
  expect(out).not.toMatch(/ada@|bob@|\u009b/);
  expect(listening.lines("event")).toMatchObject([
    { event: { leadEmail: expect.stringMatching(/^a\*\*\*@example\.com#/) as string } },
  ]);
});

describe("saving", () => {
  test("an event with nothing but an id and a type is accepted, and saved as the service sent it", async () => {
    const project = await openProject();
    const listening = await startListening(project, "--secret env:HOOK --save events", WITH_SECRETS);
    const sent = {
      _id: "act_1",
      type: "brandNew",
      teamId: null,
      sequenceStep: "2",
      to: [{ address: "ada@example.com" }],
    };
    expect((await post(listening.url, { ...sent, secret: SECRET })).status).toBe(200);
    await listening.stop();
    const saved = Object.entries(project.files()).flatMap(([file, text]) =>
      file.startsWith("events/") ? [JSON.parse(text) as object] : [],
    );
    expect(saved).toEqual([sent]);
  });

  test("one file for each event, in the order of arrival, for the user alone, without the secret", async () => {
    const project = await openProject();
    const listening = await startListening(project, "--secret env:HOOK --save a/b", WITH_SECRETS);
    for (const id of ["act_2", "act_1", "../../x"]) await post(listening.url, event({ _id: id, secret: SECRET }));
    await listening.stop();
    const folder = path.join(project.folder, "a/b");
    const names = readdirSync(folder).toSorted();
    expect(names.map((name) => name.replace(/^\d{8}T\d{9}Z-/, ""))).toEqual([
      "000001-emailsReplied-act_2.json",
      "000002-emailsReplied-act_1.json",
      "000003-emailsReplied-x.json",
    ]);
    for (const name of names) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path.join(folder, names[0] ?? ""), "utf8"))).toEqual(event({ _id: "act_2" }));
    expect(listening.lines("event").map(({ savedAs }) => path.basename(String(savedAs)))).toEqual(names);
  });

  test("an event that cannot be saved is answered with 500, reported and not forwarded", async () => {
    const project = await openProject();
    const receiving = await receiver(() => 200);
    const listening = await startListening(project, `--save events --forward ${String(receiving.port)}`);
    project.remove("events");
    expect((await post(listening.url, event())).status).toBe(500);
    await listening.stop();
    expect(listening.lines("event")).toMatchObject([
      { status: 500, problem: expect.stringContaining("cannot be saved: ENOENT") as string },
    ]);
    expect(receiving.requests).toEqual([]);
  });
});

test("--forward and --to reach a receiver that listens with IPv6 alone", async () => {
  const project = await openProject();
  const receiving = await startReceiver(() => 204, "::1");
  closing.push(receiving.close);
  const listening = await startListening(
    project,
    `--forward [::1]:${String(receiving.port)}/a --forward http://[::1]:${String(receiving.port)}/b`,
  );
  expect((await post(listening.url, event())).status).toBe(204);
  await listening.stop();
  project.write("1.json", JSON.stringify(event()));
  for (const url of [`[::1]:${String(receiving.port)}/c`, `http://[::1]:${String(receiving.port)}/d`])
    expect(await project.run(`listen replay 1.json --to '${url}'`)).toMatchObject({ code: 0, err: "" });
  expect(receiving.requests.map((request) => request.path).toSorted()).toEqual(["/a", "/b", "/c", "/d"]);
});

test("a receiver that takes too long counts as failed, and the service gets 504", async () => {
  const receiving = await receiver(() => new Promise(() => undefined));
  const web = nodeWeb(nodeClock, { environment: {}, hide: () => undefined });
  closing.push(() => Promise.resolve(web.close()));
  const reported: ReceivedEvent[] = [];
  const receive = receiveEvents(
    {
      secrets: [],
      forward: [{ type: null, url: new URL(`${receiving.url}/hooks`) }],
      timeoutMs: 100,
      save: null,
      report: (one) => void reported.push(one),
    },
    { send: (...request) => web.send(...request), clock: nodeClock },
  );
  expect(await receive({ body: Buffer.from(JSON.stringify(event())), headers: {} })).toMatchObject({ status: 504 });
  expect(reported).toMatchObject([
    { forwards: [{ status: null, problem: expect.stringContaining("no complete answer within 0.1 s") as string }] },
  ]);
});

test("a receiver without a path that answers 404 is named once, with the way out", async () => {
  const project = await openProject();
  const receiving = await receiver(({ path: at }) => (at === "/hooks" ? 204 : 404));
  const port = String(receiving.port);
  const listening = await startListening(project, `--forward ${port} --forward emailsReplied=${receiving.url}/other`);
  for (const id of ["act_1", "act_2"]) expect((await post(listening.url, event({ _id: id }))).status).toBe(404);
  const { err } = await listening.stop();
  expect(err.split("answered 404")).toHaveLength(2);
  expect(err).toContain(`http://localhost:${port}/ answered 404, and --forward names no other path.`);
  expect(err).toContain(`--forward http://localhost:${port}/hooks`);
  project.write("1.json", JSON.stringify(event()));
  const without = await project.run(`listen replay 1.json --to ${port}`);
  expect(without).toMatchObject({
    code: 1,
    err: expect.stringContaining(`as in --to http://localhost:${port}/hooks`) as string,
  });
  const other = await project.run(`listen replay 1.json --to ${receiving.url}/other`);
  expect(other.code).toBe(1);
  expect(other.err).not.toContain("answered 404");
});

describe("replay", () => {
  test.each([
    ["names no files", "--to 3000", "The argument file is missing."],
    ["picks types", "1.json --to 3000 --type emailsReplied", "--type"],
    ["picks failed ones", "1.json --failed lines.jsonl --to 3000", "--failed"],
  ])("that %s is an error", async (_, words, said) => {
    const project = await openProject();
    expect(await project.run(`listen replay ${words}`)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(said) as string,
    });
  });

  test("sends the saved events again, in order, with the secret", async () => {
    const project = await openProject();
    const listening = await startListening(project, "--secret env:HOOK --save events", WITH_SECRETS);
    for (const id of ["act_2", "act_1"]) await post(listening.url, event({ _id: id, secret: SECRET }));
    await listening.stop();
    const receiving = await receiver(() => 200);
    const { code, out } = await project.run(
      `listen replay events --to ${String(receiving.port)} --secret env:HOOK`,
      WITH_SECRETS,
    );
    expect(receiving.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      ["act_2", "act_1"].map((id) => event({ _id: id, secret: SECRET })),
    );
    expect({ code, out: out.replaceAll(/\d+(?= ms)|\d{8}T\d{9}Z/g, "N") }).toEqual({
      code: 0,
      out: "events/N-000001-emailsReplied-act_2.json  emailsReplied  200 (N ms)\nevents/N-000002-emailsReplied-act_1.json  emailsReplied  200 (N ms)\n2 of 2 events were accepted.\n",
    });
  });

  test("exits with 1 if one of them fails, and sends the others", async () => {
    const project = await openProject();
    project.write("1.json", "{");
    project.write("2.json", JSON.stringify(event({ type: "emailsSent" })));
    project.write("3.json", JSON.stringify(event()));
    project.write("deep.json", `{"type":"emailsSent","deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
    const receiving = await receiver(({ body }) => (body.includes("emailsSent") ? 422 : 200));
    const { code, out, err } = await project.run(
      `listen replay 1.json 2.json 3.json 4.json deep.json --to ${receiving.url}/hooks`,
    );
    expect(err).toContain("Error: Not every event was accepted");
    expect({ code, out: out.replaceAll(/\d+(?= ms)/g, "N") }).toEqual({
      code: 1,
      out: "1.json  the file is not a JSON object\n2.json  emailsSent  422 (N ms)\n3.json  emailsReplied  200 (N ms)\n4.json  the file does not exist\ndeep.json  the file nests deeper than an event can\n1 of 5 events were accepted.\n",
    });
    expect(receiving.requests.map(({ body }) => body.includes("secret"))).toEqual([false, false]);
  });
});

test("replay follows links, and leaves out the folders and the pipes of a folder", async () => {
  const project = await openProject();
  project.write("saved/2.json", JSON.stringify(event()));
  mkdirSync(path.join(project.folder, "saved/3.json"));
  symlinkSync("2.json", path.join(project.folder, "saved/1.json"));
  symlinkSync("gone.json", path.join(project.folder, "saved/5.json"));
  symlinkSync("saved", path.join(project.folder, "events"));
  if (process.platform !== "win32")
    expect(spawnSync("mkfifo", [path.join(project.folder, "saved/4.json")]).status).toBe(0);
  const receiving = await receiver(() => 200);
  const { out } = await project.run(`listen replay events --to ${String(receiving.port)}`);
  expect(out.replaceAll(/\d+(?= ms)/g, "N")).toBe(
    "events/1.json  emailsReplied  200 (N ms)\nevents/2.json  emailsReplied  200 (N ms)\nevents/5.json  the file does not exist\n2 of 3 events were accepted.\n",
  );
});

test("replay of a folder without events is an error", async () => {
  const project = await openProject();
  project.write("events/readme.txt", "");
  expect(await project.run("listen replay events --to 3000")).toMatchObject({
    code: 1,
    err: expect.stringContaining("events: there are no .json files") as string,
  });
});

describe("the listener", () => {
  test("refuses what is not an event", async () => {
    const project = await openProject();
    const listening = await startListening(project);
    expect((await fetch(listening.url)).status).toBe(405);
    expect((await post(listening.url, "{")).status).toBe(400);
    expect((await post(listening.url, { type: "emailsReplied" })).status).toBe(400);
    expect((await post(listening.url, `"${"x".repeat(1024 * 1024)}"`)).status).toBe(413);
    expect(await post(listening.url, JSON.stringify(event()), { "content-encoding": "gzip" })).toMatchObject({
      status: 415,
      text: expect.stringContaining("content-encoding") as string,
    });
    await listening.stop();
    expect(listening.lines("event").map(({ status, problem, event: whole }) => [status, problem, whole])).toEqual([
      [400, "The body is not JSON.", null],
      [400, "_id is not a non-empty string.", null],
      [415, expect.stringContaining("content-encoding"), null],
    ]);
  });

  test.each(["", "--save events"])(
    "answers 400 to an event that nests too deep, and goes on: listen %s",
    async (words) => {
      const project = await openProject();
      const listening = await startListening(project, words);
      for (const levels of [100, 5000, 100_000]) {
        const deep = `${JSON.stringify(event()).slice(0, -1)},"deep":${"[".repeat(levels)}${"]".repeat(levels)}}`;
        expect(await post(listening.url, deep)).toMatchObject({
          status: 400,
          text: "The body nests deeper than 100 levels.\n",
        });
      }
      expect(
        (
          await post(
            listening.url,
            `${JSON.stringify(event()).slice(0, -1)},"deep":${"[".repeat(99)}${"]".repeat(99)}}`,
          )
        ).status,
      ).toBe(200);
      await listening.stop();
      expect(listening.lines("event").map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    },
  );

  test("answers many at the same time, and prints each, however long it is", async () => {
    const project = await openProject();
    const listening = await startListening(project);
    expect(
      (await post(listening.url, event({ _id: "act_long", leadEmail: `${"x".repeat(1_000_000)} @` }))).status,
    ).toBe(200);
    const statuses = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, index) => (await post(listening.url, event({ _id: `act_${String(index)}` }))).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await listening.stop();
    expect(listening.lines("event")).toHaveLength(201);
    expect(listening.lines("summary")).toMatchObject([{ received: 201, duplicates: 0 }]);
  });

  test("ends when nobody reads its output any more, and removes its webhook", async () => {
    const project = await openProject();
    const { child, ended } = project.start("listen --port 0 --register");
    let out = "";
    child.stdout?.on("data", (text: string) => (out += text));
    await until(() => out.includes('"registered"'), "it is registered");
    const { url } = JSON.parse(out.slice(0, out.indexOf("\n"))) as { url: string };
    child.stdout?.destroy();
    await until(() => {
      void post(url, event()).catch(() => undefined);
      return child.exitCode !== null;
    }, "it ends");
    expect((await ended).code).toBe(0);
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("refuses to forward to itself", async () => {
    const project = await openProject();
    const free = await startReceiver(() => 200);
    await free.close();
    const { code, err } = await project.run(
      `listen --port ${String(free.port)} --forward localhost:${String(free.port)}`,
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("The listener would forward to itself") as string,
    });
  });

  test("says that the port is taken, and that other machines can reach it", async () => {
    const project = await openProject();
    const { port } = await receiver(() => 200);
    expect(await project.run(`listen --port ${String(port)}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("Choose another port with --port") as string,
    });
    expect(await project.run("listen --host 192.0.2.1 --port 0")).toMatchObject({
      code: 1,
      err: expect.stringContaining("192.0.2.1 is not an address of this machine") as string,
    });
    const listening = await startListening(project, "--host 0.0.0.0 --secret env:HOOK", WITH_SECRETS);
    expect((await post(listening.url, event({ secret: SECRET }))).status).toBe(200);
    expect(await listening.stop()).toMatchObject({
      err: expect.stringContaining("Warning: Other machines can reach the listener") as string,
    });
  });
});

test.each([
  [
    "--save names a file",
    "--save taken",
    "--save needs a folder, and taken is a file.\nName another one, as in --save events.",
  ],
  ["--secret names a variable", "--secret HOOK", "To use the environment variable, pass --secret env:HOOK"],
  [
    "--register has no https",
    "--register http://crm.example.com",
    "The URL of --register uses http: events carry personal data of leads, and the secret.",
  ],
  ["--forward names an unknown type", "--forward zzz=3000", "To list the event types, run: outreach events"],
])("an error in the user's words when %s", async (_, words, message) => {
  const project = await openProject();
  project.write("taken", "");
  expect(await project.run(`listen --port 0 ${words}`, WITH_SECRETS)).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining(message) as string,
  });
});
