import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { type IncomingHttpHeaders, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/sandbox/faults.ts";
import type { SandboxOptions } from "../../../../src/sandbox/runtime.ts";
import { type BundledCommand, bundledCommand } from "../bundled-command.ts";
import { type Project, modeOf, until, useProjects } from "../project.ts";

const openProject = useProjects();
const STATUS = "/campaigns/cam_000001/export/axp_000001/status";
const EXPORT = 'Export axp_000001 of "Q3 launch"';

/** A project whose service shows the status of exports. */
function open(options: Partial<SandboxOptions> = {}): Promise<Project> {
  return openProject({ ...options, choices: { exportStatus: "shown", ...options.choices } });
}

function csvOf({ sandbox }: Project): Promise<string> {
  return fetch(`${sandbox.controlUrl}/exports/axp_000001.csv`).then((answer) => answer.text());
}

/** Answers all requests for the status from now on, or so many of them. */
function answerStatus(
  { sandbox }: Project,
  answer: Omit<FaultAction & { readonly kind: "answer" }, "kind">,
  times: number | null = null,
): void {
  sandbox.addFault({ action: { kind: "answer", status: 200, ...answer }, operation: "exportStatus", times });
}

const done = (url: unknown, fileSize?: number): string =>
  JSON.stringify({ ok: true, status: { _id: "axp_000001", status: "done", progress: 3, total: 3, url, fileSize } });
const polls = (sent: readonly string[]): number => sent.filter((line) => line.startsWith(`GET ${STATUS}`)).length;

/** A server of files. Answers the nth request with the nth behaviour; the last one repeats. */
type Behaviour = (response: ServerResponse) => void;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function openFiles(...behaviours: readonly Behaviour[]) {
  const received: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    received.push({ url, headers });
    behaviours[Math.min(received.length, behaviours.length) - 1]?.(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.closeAllConnections();
    return once(server.close(), "close");
  });
  return { received, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/q3.csv?signature=f00` };
}
const sends =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const cutsOff: Behaviour = (response) =>
  void response.writeHead(200, { "content-length": "1000" }).write("leadId,", () => response.socket?.resetAndDestroy());
const endsWithTheConnection: Behaviour = (response) => {
  response.socket?.end("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nleadId,email\r\nlea_1");
};
const stalls: Behaviour = (response) => void response.writeHead(200, { "content-length": "1000" }).write("leadId,");

describe("outreach export --wait", () => {
  test("follows the export to its end, and prints where its CSV is", async () => {
    const project = await open({ choices: { exportMs: 5000 } });
    const { code, out, err, sent } = await project.run("export cam_000001 --wait");
    const size = (await csvOf(project)).length;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      `${EXPORT} started (pending).\n${EXPORT} is done. CSV (${String(size)} bytes):\n${project.sandbox.controlUrl}/exports/axp_000001.csv\n`,
    );
    expect(sent).toEqual([
      "GET /campaigns/cam_000001/export/start 200",
      ...Array.from({ length: 4 }, () => `GET ${STATUS} 200`),
    ]);
  });

  test("prints one document with --json: the export at its end", async () => {
    const { run } = await open();
    const { code, out } = await run("export cam_000001 --wait --json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      _id: "axp_000001",
      campaignName: "Q3 launch",
      status: "done",
      progress: 3,
      fileSize: expect.any(Number) as number,
    });
  });

  test("asks rarely during a long export, and gives up after an hour", async () => {
    const { run } = await open({ choices: { exportMs: 86_400_000 } });
    const { code, out, err, sent } = await run("export cam_000001 --wait");
    expect([code, out]).toEqual([1, `${EXPORT} started (pending).\n`]);
    expect(err).toContain("The export takes too long");
    expect(err).toContain(`${EXPORT} is still pending after 1h00m.`);
    expect(err).toContain("outreach export cam_000001 --wait");
    expect(polls(sent)).toBeGreaterThan(340);
    expect(polls(sent)).toBeLessThan(370);
    expect(err.match(/^Still exporting: 0 of 3, \S+ elapsed$/gm)?.length).toBeGreaterThan(300);
    expect(err.split("\n").length).toBeLessThan(370);
  });

  test.each<readonly [what: string, answer: string]>([
    [
      "numbers as text",
      JSON.stringify({
        ok: "true",
        status: {
          status: " DONE ",
          progress: "3",
          total: "3",
          fileSize: "120",
          url: "https://files.example.com/x.csv",
        },
      }),
    ],
    [
      "a status that is not nested",
      JSON.stringify({ ok: true, status: "done", fileSize: 120, url: "https://files.example.com/x.csv" }),
    ],
  ])("understands %s", async (_, body) => {
    const project = await open();
    answerStatus(project, { body });
    const { code, out } = await project.run("export cam_000001 --wait");
    expect([code, out.split("\n").slice(1)]).toEqual([
      0,
      [`${EXPORT} is done. CSV (120 bytes):`, "https://files.example.com/x.csv", ""],
    ]);
  });

  test("waits on while the service does not find the new export yet, or fails for a while", async () => {
    const project = await open();
    answerStatus(project, { status: 404, body: '{"ok":false,"message":"Export not found"}' }, 2);
    project.sandbox.addFault({ action: { kind: "html" }, operation: "exportStatus", skip: 0, times: 5 });
    expect(await project.run("export cam_000001 --wait")).toMatchObject({
      code: 0,
      out: expect.stringContaining("is done") as string,
    });
  });

  const PENDING = { status: { _id: "axp_000001", status: "pending" } };
  test.each<
    readonly [
      what: string,
      answer: Partial<Parameters<typeof answerStatus>[1]>,
      words: readonly string[],
      polls: number,
    ]
  >([
    [
      "does not have the path",
      { status: 404, body: "Not found" },
      ["This service does not tell an export's status", `${STATUS}: 404.`],
      1,
    ],
    [
      "has another server for unknown paths",
      { status: 404, body: "<!DOCTYPE html><h1>404</h1>" },
      ["This service does not tell an export's status"],
      1,
    ],
    [
      "answers unknown paths in JSON",
      { status: 404, body: '{"message":"no Route matched"}' },
      ["does not tell an export's status", "404 no Route matched."],
      1,
    ],
    [
      "never finds the export",
      { status: 404, body: '{"ok":false,"message":"Export not found"}' },
      ["could not be followed", "404 Export not found."],
      5,
    ],
    [
      "never finds it, in Python's words",
      { status: 404, body: '{"ok":"False","message":"Export not found"}' },
      ["404 Export not found."],
      5,
    ],
    ["fails", { status: 503, body: "Service Unavailable" }, ["could not be followed", "503 Service Unavailable."], 20],
    [
      "shows no status",
      { body: '{"ok":true,"state":"\\u001b[31mpending"}' },
      ["not the status of an export", '{"ok":true,"state":"\\u001b[31mpending"}'],
      1,
    ],
    ["shows a list", { body: "[1]" }, ["not the status of an export: [1]."], 1],
    [
      "no longer takes the key",
      { status: 401, body: '"The authentication you supplied is incorrect"' },
      ["The service refused the request"],
      1,
    ],
    [
      "ends with an error",
      { body: JSON.stringify({ status: { status: "error" } }) },
      ["The export failed", `${EXPORT} ended with the status "error".`],
      1,
    ],
    [
      "ends with an unknown word",
      { body: JSON.stringify({ status: { status: "canc\u009belled" } }) },
      ['ended with the status "canc elled".'],
      1,
    ],
  ])("says so if the service %s", async (_, answer, words, count) => {
    const project = await open();
    answerStatus(project, answer);
    const { code, out, err, sent } = await project.run("export cam_000001 --wait");
    expect([code, out, polls(sent)]).toEqual([1, `${EXPORT} started (pending).\n`, count]);
    for (const word of words) expect(err.replaceAll(/\s+/g, " ")).toContain(word);
    expect(err).not.toContain("\u001b");
  });

  test("a path that was there is asked again", async () => {
    const project = await open();
    answerStatus(project, { body: JSON.stringify(PENDING) }, 1);
    answerStatus(project, { status: 404, body: "Not found" }, 4);
    expect(await project.run("export cam_000001 --wait")).toMatchObject({ code: 0 });
  });

  test("with --json, prints what is known before the error", async () => {
    const { run } = await openProject();
    const { code, out } = await run("export cam_000001 --wait --json");
    const [, document = "", line = ""] = /^(\{.*?^\}\n)(.*)$/ms.exec(out) ?? [];
    expect([code, JSON.parse(document)]).toEqual([
      1,
      expect.objectContaining({ _id: "axp_000001", status: "pending" }),
    ]);
    expect(line).toContain("does not tell an export's status");
  });
});

describe("outreach export --out", () => {
  test("saves the CSV for its user alone, in place of an older file, and prints no result", async () => {
    const project = await open();
    project.write("q3.csv", "older, and longer than what comes".repeat(100));
    const { code, out, err } = await project.run("export cam_000001 --out q3.csv");
    const csv = await csvOf(project);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toBe(
      `${EXPORT} started (pending).\n${EXPORT} is done. Its CSV (${String(csv.length)} bytes) is in q3.csv.\n`,
    );
    expect([project.files(), modeOf(project, "q3.csv")]).toEqual([{ "q3.csv": csv }, "600"]);
  });

  test("prints the export with --json", async () => {
    const project = await open();
    const { code, out } = await project.run("export cam_000001 --out q3.csv --json");
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ status: "done" })]);
    expect(project.read("q3.csv")).toBe(await csvOf(project));
  });

  test.each<readonly [what: string, out: string, words: string]>([
    ["a folder", "folder", "folder is a folder."],
    ["in no folder", "none/q3.csv", "The folder of none/q3.csv does not exist."],
    ["a device", "/dev/null", "/dev/null is not a regular file."],
  ])("starts nothing for a path that is %s", async (_, out, words) => {
    const project = await open();
    mkdirSync(path.join(project.folder, "folder"));
    expect(await project.run(`export cam_000001 --out ${out}`)).toMatchObject({
      code: 1,
      out: "",
      sent: [],
      err: expect.stringContaining(words) as string,
    });
  });

  test.each<readonly [what: string, out: string, words: string]>([
    ["configuration", "./outreach.yaml", "./outreach.yaml is a file of the configuration"],
    ["configuration's list", "lists/2026.csv", "lists/2026.csv is a file of the configuration"],
    ["state", "outreach.state.json", "outreach.state.json is not a CSV file"],
    ["link to the state", "state.csv", "state.csv is not a CSV file"],
    ["saved plan", "saved.csv", "saved.csv is not a CSV file"],
    ["API key", "key.txt", "key.txt is a file of the configuration"],
  ])("starts nothing in place of the %s", async (_, out, words) => {
    const project = await open();
    project.write("key.txt", `${project.sandbox.keys.good}\n`);
    project.write(
      "outreach.yaml",
      "version: 1\nservice: { api_key: { file: key.txt } }\nlead_unsubscriptions:\n  old:\n    campaign_id: cam_000001\n    emails_from: lists/2026.csv\nlimits: { unsubscribe: 5 }\n",
    );
    project.write("lists/2026.csv", "email\nada@example.com\n");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(await project.run("plan --out saved.csv")).toMatchObject({ code: 0 });
    symlinkSync("outreach.state.json", path.join(project.folder, "state.csv"));
    const before = project.files();
    const { code, err, sent } = await project.run(`export cam_000001 --out ${out}`);
    expect([code, sent, project.files()]).toEqual([1, [], before]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(words);
  });

  test.each([
    ["", ""],
    [" and is encrypted", "state: { encryption: { passphrase: { env: PASSPHRASE } } }\n"],
  ])("starts nothing in place of a journal that a killed run has left%s", async (_, state) => {
    const project = await open();
    project.environment["PASSPHRASE"] = "a passphrase of some length";
    project.write("outreach.yaml", `version: 1\n${state}webhooks: { a: { target_url: "https://a.example.com" } }\n`);
    project.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 3_600_000 } });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.requests().some(({ method }) => method === "POST"), "a create");
    child.kill("SIGKILL");
    await ended;
    const journal = project.read("outreach.state.json.journal");
    const { code, err, sent } = await project.run("export cam_000001 --out outreach.state.json.journal");
    expect([code, sent, project.read("outreach.state.json.journal")]).toEqual([1, [], journal]);
    expect(err.replaceAll(/\s+/g, " ")).toContain("outreach.state.json.journal is not a CSV file");
  });

  test("downloads from another host without the API key, whatever the size", async () => {
    const project = await open();
    const csv = Buffer.alloc(12 * 1024 * 1024, "0123456789,ada\n");
    const files = await openFiles(sends(200, csv));
    answerStatus(project, { body: done(files.url) });
    const { code, err } = await project.run("export cam_000001 --out q3.csv", { OUTREACH_LOG: "debug" });
    expect(code).toBe(0);
    expect(Buffer.from(project.read("q3.csv")).equals(csv)).toBe(true);
    expect(files.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/q3.csv?signature=f00", undefined],
    ]);
    expect(err).toContain("/q3.csv: 200");
    expect(err).not.toContain("signature");
  });

  test("downloads from the service itself with the API key", async () => {
    const project = await open();
    const url = { now: "" };
    const started = JSON.stringify({ _id: "axp_000001", status: "pending" });
    const files = await openFiles(
      sends(200, started),
      (response) => sends(200, done(url.now))(response),
      sends(200, "leadId\r\n"),
    );
    url.now = files.url;
    expect(
      await project.run("export cam_000001 --out q3.csv", { OUTREACH_BASE_URL: new URL(files.url).origin }),
    ).toMatchObject({ code: 0 });
    const keys = files.received.map(({ headers }) =>
      Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString(),
    );
    expect(keys).toEqual(Array.from({ length: 3 }, () => `:${project.sandbox.keys.good}`));
  });

  test("tries a download again that failed, from its start", async () => {
    const project = await open();
    const files = await openFiles(sends(503, "busy"), cutsOff, sends(200, "leadId\r\n"));
    answerStatus(project, { body: done(files.url) });
    expect(await project.run("export cam_000001 --out q3.csv")).toMatchObject({ code: 0, out: "" });
    expect(project.files()).toEqual({ "q3.csv": "leadId\r\n" });
  });

  test.each<readonly [what: string, behaviour: Behaviour, words: string, requests: number]>([
    ["is cut off each time", cutsOff, "Nothing was saved.", 4],
    ["is a redirect", sends(302, "", { location: "http://127.0.0.1:1/" }), "302 a redirect, which is not followed.", 1],
    ["is refused", sends(403, "\u001b[2JAccessDenied"), "403 [2JAccessDenied.", 1],
    ["is empty", sends(200, ""), "200 an empty file.", 4],
    [
      "is a page to sign in",
      sends(200, "\n<!DOCTYPE html><p>Sign in", { "content-type": "text/plain" }),
      "200 a file that is not CSV.",
      1,
    ],
    ["is a page by its type", sends(200, "Sign in", { "content-type": "Text/HTML; charset=utf-8" }), "not CSV.", 1],
    ["is an error with the status 200", sends(200, '{"error":"expired"}'), "not CSV.", 1],
    ["is a list of errors", sends(200, '["expired", "denied"]', { "content-type": "text/csv" }), "not CSV.", 1],
    ["is a compressed file", sends(200, "\u001f\u0008\u0000\u0000,"), "not CSV.", 1],
    ["is a document", sends(200, "%PDF-1.4", { "content-type": "application/pdf" }), "not CSV.", 1],
    ["has only a byte order mark and a line break", sends(200, "\u{feff}\r\n"), "200 an empty file.", 4],
    ["has no end that shows that it is whole", endsWithTheConnection, "without a length.", 4],
    ["is compressed", sends(200, "x", { "content-encoding": "gzip" }), "the answer is compressed", 4],
  ])("keeps the older file if the download %s", async (_, behaviour, words, requests) => {
    const project = await open();
    project.write("q3.csv", "older");
    const files = await openFiles(behaviour);
    answerStatus(project, { body: done(files.url) });
    const { code, out, err } = await project.run("export cam_000001 --out q3.csv");
    expect([code, out, project.files(), files.received.length]).toEqual([1, "", { "q3.csv": "older" }, requests]);
    expect(err).toContain("The CSV could not be downloaded");
    expect(err.replaceAll(/\s+/g, " ")).toContain(words);
    expect(err).not.toContain("\u001b");
  });

  test("keeps the older file if less arrives than the service has announced", async () => {
    const project = await open();
    project.write("q3.csv", "older");
    const files = await openFiles(sends(200, "leadId\r\n"));
    answerStatus(project, { body: done(files.url, 5000) });
    const { code, err } = await project.run("export cam_000001 --out q3.csv");
    expect([code, project.files()]).toEqual([1, { "q3.csv": "older" }]);
    expect(err.replaceAll(/\s+/g, " ")).toContain("200 with 8 of 5000 bytes. Nothing was saved.");
  });

  test("takes a file that ends with its connection, if it has the size that the service has announced", async () => {
    const project = await open();
    const files = await openFiles(endsWithTheConnection);
    answerStatus(project, { body: done(files.url, 19) });
    expect(await project.run("export cam_000001 --out q3.csv")).toMatchObject({ code: 0 });
    expect(project.read("q3.csv")).toBe("leadId,email\r\nlea_1");
  });

  test.each<readonly [what: string, url: unknown, words: string]>([
    ["is missing", undefined, "The service gave no address of the CSV file."],
    ["is no URL", "q3.csv", "that is not a URL."],
    ["is not encrypted", "http://files.example.com/q3.csv", "does not use https."],
    ["has a user", "https://ada:secret@files.example.com/q3.csv", "contains a user name or a password."],
    ["is a file", "file:///etc/passwd", "does not use https."],
  ])("fetches nothing from an address that %s", async (_, url, words) => {
    const project = await open();
    answerStatus(project, { body: done(url) });
    const { code, out, err } = await project.run("export cam_000001 --out q3.csv");
    expect([code, out, project.files()]).toEqual([1, "", {}]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(words);
  });
});

describe("Ctrl-C", () => {
  test("while the export is pending stops only the waiting", async () => {
    const project = await open({ choices: { exportMs: 86_400_000 } });
    const { child, ended } = project.start("export cam_000001 --out q3.csv");
    await until(() => project.sandbox.requests().length >= 2, "it asks for the status");
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect([code, out, project.files()]).toEqual([1, "", {}]);
    expect(err).toContain(`${EXPORT} is still pending: only waiting for it has stopped. No file was written.`);
    expect(err).toContain("The service continues the export.");
  });

  test("during the download leaves no part of the file", async () => {
    const project = await open();
    const files = await openFiles(stalls);
    answerStatus(project, { body: done(files.url) });
    const { child, ended } = project.start("export cam_000001 --out q3.csv");
    await until(() => files.received.length > 0, "it downloads");
    expect(Object.keys(project.files())).toEqual([expect.stringMatching(/^q3\.csv\..*\.part$/)]);
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect([code, project.files()]).toEqual([1, {}]);
    expect(err).toContain(`${EXPORT} has ended. No file was written.`);
  });
});

describe("progress", () => {
  let command: BundledCommand;
  beforeAll(async () => {
    command = await bundledCommand();
  });

  test("is a bar on a terminal, cleared at the end", async () => {
    const { folder, sandbox, clock, environment } = await open({ choices: { exportMs: 20_000 } });
    const words = ["export", "cam_000001", "--out", "q3.csv"];
    const given = Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const running = command.runInProcess({ words, folder, environment: given, clock, providerFolder: "", columns: 80 });
    const { code, err } = await clock.jumpDuring(running.ended);
    const lines = err.split("\r\u001b[K");
    expect([code, sandbox.records("exports")]).toEqual([0, [expect.anything()]]);
    expect(lines).toContainEqual(expect.stringMatching(/^Exporting \[#{6}-{14}\] 1\/3 · \d+s$/));
    expect(lines.at(-1)).toContain("is done. Its CSV");
  });
});
