import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { LoggedDelivery } from "../../src/sandbox/delivery/delivery-log.ts";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { type LinkedProject, openLinkedProject } from "../docs/linked-project.ts";
import { ROOT, read } from "../docs/pages.ts";
import { COMMAND } from "../frontends/cli/command.ts";
import { sandboxForTest } from "../frontends/terraform/provider-under-test.ts";
import { type Receiver, startReceiver, until } from "./start-receiver.ts";

const RECEIVERS = ["node-http.mjs", "hono.ts"];
const SECRET = "a-secret-of-the-test";
const NEXT_SECRET = "the-next-secret-of-the-test";

interface Manifest {
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

const { dependencies, devDependencies, ...rest } = JSON.parse(read("examples/receiver/package.json")) as Manifest;
const { "outreach-as-code": own, ...others } = { ...dependencies, ...devDependencies };

let project: LinkedProject;
beforeAll(() => {
  project = openLinkedProject(Object.keys(others));
  cpSync(path.join(ROOT, "examples/receiver"), project.folder, {
    recursive: true,
    filter: (file) => !file.includes(".state.json"),
  });
});
afterAll(() => {
  project.remove();
});

test("the example depends on the packed package, and on the tested versions", () => {
  expect(own).toBe(`file:${manifest.name}-${manifest.version}.tgz`);
  expect(manifest.devDependencies).toMatchObject(others);
  expect(rest).toMatchObject({ engines: manifest.engines });
});

test("a copy of the example passes the type check", async () => {
  expect(await project.typeCheck()).toBe("");
});

const start = (file: string, environment: { readonly [name: string]: string }): Promise<Receiver> =>
  startReceiver(project.folder, file, environment);

/** Runs the built command in the project. */
async function outreach(
  sandbox: Sandbox,
  words: string,
  environment: { readonly [name: string]: string } = {},
): Promise<string> {
  const usual = {
    PATH: process.env["PATH"],
    HOME: project.folder,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: "0s",
  };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...words.split(" ")], {
    cwd: project.folder,
    env: { ...usual, ...environment },
  });
  return stdout;
}

/** Applies the configuration of the example, with a version of its own for each secret, as its README says. */
function apply(
  sandbox: Sandbox,
  receiver: Receiver,
  { secret, version }: { readonly secret: string; readonly version: number },
): Promise<string> {
  writeFileSync(
    path.join(project.folder, "outreach.yaml"),
    read("examples/receiver/outreach.yaml").replace("v=1", `v=${String(version)}`),
  );
  return outreach(sandbox, `apply --auto-approve --var receiver=${new URL(receiver.url).origin}`, {
    HOOK_SECRET: secret,
  });
}

/** Posts a body on a connection of its own. `length`: the announced length, if the rest never comes. */
async function statusOf(url: string, body: string, length = body.length): Promise<number | undefined> {
  const request = httpRequest(url, { method: "POST", agent: false, headers: { "content-length": length } });
  request.flushHeaders();
  request.write(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  request.destroy();
  return response.statusCode;
}

/** The deliveries so far, when each had its first answer. */
function answered(sandbox: Sandbox, count: number): Promise<readonly LoggedDelivery[]> {
  return until(() => {
    const deliveries = sandbox.deliveries();
    return deliveries.length >= count && deliveries.every(({ attempts }) => attempts.length > 0)
      ? deliveries
      : undefined;
  });
}

describe.each(RECEIVERS)("the receiver %s", (file) => {
  describe.each(Object.entries(PROFILES))("on a service of the kind %s", (_, service) => {
    let sandbox: Sandbox;
    beforeEach(async () => {
      // Without the seed, whose old webhooks would have deliveries too.
      sandbox = await sandboxForTest({ choices: service.choices, profile: service.profile });
    });
    afterEach(async () => {
      await sandbox.close();
      rmSync(path.join(project.folder, "outreach.state.json"), { force: true });
    });

    test("receives the events of its webhooks, once each", async () => {
      const receiver = await start(file, { HOOK_SECRET: SECRET });
      expect(await apply(sandbox, receiver, { secret: SECRET, version: 1 })).toContain("Resources: 3 added");
      for (const type of ["emailsReplied", "interested", "emailsUnsubscribed"])
        await outreach(sandbox, `sandbox trigger ${type}`);
      sandbox.trigger({ type: "emailsReplied", thirdParty: true });
      const deliveries = await answered(sandbox, 4);
      expect(deliveries.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      const lines = [
        "Lead lea_000001 replied in Q3 launch",
        "Lead lea_000001 is interested",
        "Lead lea_000001 unsubscribed",
        "A third party replied",
      ];
      const told = receiver.printed();
      expect(told.split("\n").slice(1, -1).toSorted()).toEqual(lines.toSorted());

      sandbox.redeliver(deliveries[0]?.id ?? 0);
      expect((await answered(sandbox, 5)).at(-1)).toMatchObject({ eventId: deliveries[0]?.eventId, status: 204 });
      expect(receiver.printed()).toBe(told);
    });

    test("accepts the old and the new secret during a rotation, and no other", async () => {
      const receiver = await start(file, { HOOK_SECRET: NEXT_SECRET, HOOK_SECRET_OLD: SECRET });
      const statuses: (number | null | undefined)[] = [];
      for (const [index, secret] of [SECRET, NEXT_SECRET, "a-third-secret"].entries()) {
        await apply(sandbox, receiver, { secret, version: index + 1 });
        sandbox.trigger({ type: "interested" });
        statuses.push((await answered(sandbox, statuses.length + 1)).at(-1)?.status);
      }
      expect(statuses).toEqual([204, 204, 401]);
      expect(receiver.printed()).toContain("Rejected: The event's secret is not an accepted one.");
      expect(receiver.printed()).not.toContain("a-third-secret");
    });
  });

  test("refuses other paths, large bodies, and what is no event", async () => {
    const { url } = await start(file, { HOOK_SECRET: SECRET });
    expect(await statusOf(new URL("/", url).href, "{}")).toBe(404);
    expect(await statusOf(url, "", 1_100_000)).toBe(413);
    expect(await statusOf(url, JSON.stringify({ secret: SECRET }))).toBe(400);
    expect(await statusOf(url, "{}")).toBe(401);
  });

  test("does not start without a secret", async () => {
    await expect(start(file, {})).rejects.toThrow("Is an environment variable missing?");
  });

  test("answers the request in progress before it stops", async () => {
    const { child, url, printed } = await start(file, { HOOK_SECRET: SECRET });
    const event = {
      _id: "act_000001",
      type: "interested",
      teamId: "tea_000001",
      createdAt: "2026-11-22T12:00:00Z",
      leadId: "lea_000001",
      secret: SECRET,
    };
    const body = JSON.stringify(event);
    const request = httpRequest(url, {
      method: "POST",
      headers: { expect: "100-continue", "content-length": body.length },
    });
    const response = once(request, "response") as Promise<[IncomingMessage]>;
    request.flushHeaders();
    // The receiver has the headers.
    await once(request, "continue");
    child.kill("SIGTERM");
    request.end(body);
    expect((await response)[0].statusCode).toBe(204);
    await once(child, "exit");
    expect(printed()).toContain("Lead lea_000001 is interested");
  });

  test("stops although a proxy goes on sending events over a connection that it keeps open", async () => {
    const { child, url, printed } = await start(file, { HOOK_SECRET: SECRET });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let sent = 0;
    const send = async (meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<number> => {
      const body = JSON.stringify({
        _id: `act_${String(sent++)}`,
        type: "interested",
        leadId: "lea_000001",
        secret: SECRET,
      });
      const request = httpRequest(url, {
        method: "POST",
        agent,
        headers: { expect: "100-continue", "content-length": body.length },
      });
      const response = once(request, "response") as Promise<[IncomingMessage]>;
      request.flushHeaders();
      await Promise.race([once(request, "continue"), response]);
      await meanwhile();
      request.end(body);
      const [answer] = await response;
      await once(answer.resume(), "end");
      return answer.statusCode ?? 0;
    };
    const stopping = async (): Promise<void> => {
      child.kill("SIGTERM");
      await vi.waitFor(() => expect(fetch(url)).rejects.toThrow("fetch failed"), { timeout: 10_000 });
    };
    const ended = once(child, "exit");
    expect([await send(), await send(stopping)]).toEqual([204, 204]);
    const later: number[] = [];
    // A receiver that never stops would answer all of them.
    while (later.length < 1000) {
      const status = await send().catch(() => null);
      if (status === null) break;
      later.push(status);
    }
    agent.destroy();
    expect(later.length).toBeLessThan(1000);
    expect(later).toEqual(later.map(() => 204));
    expect(printed().match(/is interested/g)).toHaveLength(2 + later.length);
    await ended;
  });
});
