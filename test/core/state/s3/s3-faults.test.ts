import { afterAll, describe, expect, test } from "vitest";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { nodeWeb } from "../../../../src/service/api/node-web.ts";
import { S3_KEY, problem, s3Fixtures } from "./s3-fixtures.ts";
import type { LoggedS3Request, S3Fault, S3Options } from "./s3-server.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const { clock, start, closeAll } = s3Fixtures();
afterAll(closeAll);

const LOCK_KEY = `${S3_KEY}.tflock`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const failure = (code: string) => ({ diagnostics: [{ code, severity: "error" }] });

type Which = (request: LoggedS3Request) => boolean;
const puts: Which = ({ method, key }) => method === "PUT" && key === S3_KEY;
const locks: Which = ({ method, key }) => method === "PUT" && key === LOCK_KEY;
const unlocks: Which = ({ method, key }) => method === "DELETE" && key === LOCK_KEY;
const reads: Which = ({ method, key }) => method === "GET" && key === S3_KEY;

/** The fault, for the first `times` of these requests. */
function first(times: number, which: Which, fault: S3Fault): NonNullable<S3Options["fault"]> {
  let left = times;
  return (request) => (which(request) && left-- > 0 ? fault : null);
}

/** Locks, reads, writes twice and unlocks, as a run does; returns what is stored then. */
async function wholeRun(
  { server, open }: Awaited<ReturnType<typeof start>>,
  stop: AbortSignal = NEVER,
): Promise<string | undefined> {
  const store = open();
  const lock = await store.lock(HOLDER, 0, stop);
  try {
    const read = await store.read(stop);
    const version = await store.write(bytes("one"), read?.version ?? null, stop);
    await store.write(bytes("two"), version, stop);
  } finally {
    await lock.release();
  }
  return server.objects.get(S3_KEY)?.body.toString();
}

test("a lock whose removal met another one is looked at again, and removed", async () => {
  const { server, open } = await start();
  const { id } = await open().lock(HOLDER, 0, NEVER);
  server.setFault(first(2, unlocks, { kind: "refuse", status: 412, code: "PreconditionFailed" }));
  await open().forceUnlock(id, NEVER);
  expect([...server.objects.keys()]).toEqual([]);
});

describe("a state in a bucket survives", () => {
  const lost = (when: "before" | "after"): S3Fault => ({ kind: "lost", when });
  const refused = (status: number, code: string): S3Fault => ({ kind: "refuse", status, code });
  test.each<readonly [string, number, Which, S3Fault]>([
    ["both locks lost before they were made", 2, locks, lost("before")],
    ["both answers to locks lost", 2, locks, lost("after")],
    ["one answer to a lock lost", 1, locks, lost("after")],
    ["a write lost", 1, puts, lost("before")],
    ["an answer to a write lost", 1, puts, lost("after")],
    ["three answers to a write lost", 3, puts, lost("after")],
    ["an unlock lost", 1, unlocks, lost("before")],
    ["an answer to an unlock lost", 1, unlocks, lost("after")],
    ["a state that is cut off", 1, reads, { kind: "cut" }],
    ["an answer to a write that is cut off", 1, puts, { kind: "cut" }],
    ["a busy store", 3, puts, refused(503, "SlowDown")],
    ["a store that has too many requests", 3, locks, refused(429, "TooManyRequests")],
    ["an error of the store after the write", 1, puts, refused(500, "InternalError")],
    ["a bad gateway", 2, () => true, { kind: "foreign", status: 502, text: "<html>Bad Gateway</html>" }],
    ["a conflict of two locks", 2, locks, refused(409, "ConditionalRequestConflict")],
    ["a conflict of two writes", 2, puts, refused(409, "ConditionalRequestConflict")],
    ["a conflict of two unlocks", 1, unlocks, refused(409, "OperationAborted")],
  ])("%s", async (_, times, which, fault) => {
    const fixture = await start();
    fixture.server.setFault(first(times, which, fault));
    expect(await wholeRun(fixture)).toBe("two");
    expect([...fixture.server.objects.keys()]).toEqual([S3_KEY]);
  });

  test.each<readonly [string, S3Fault, string, number]>([
    ["no answer", lost("before"), "the connection was reset without an answer", 500 + 1000 + 2000],
    ["a busy store", refused(503, "SlowDown"), "is busy (503 SlowDown (Refused: SlowDown))", 500 + 1000 + 2000],
    ["a conflict", refused(409, "OperationAborted"), "is busy (409 OperationAborted", 50 + 100 + 200],
  ])("%s only up to four attempts, each after a longer wait, and says so", async (_, fault, why, waitedMs) => {
    const { server, open } = await start();
    server.setFault(() => fault);
    const beganMs = clock.monotonicMs();
    const { code, detail } = await problem(open().read(NEVER));
    expect(clock.monotonicMs() - beganMs).toBe(waitedMs);
    expect([code, detail]).toEqual(["state_unreachable", expect.stringContaining(why)]);
    expect(detail).toContain(`GET s3://states/${S3_KEY} failed`);
    expect(server.log).toHaveLength(4);
  });

  test("a server that never answers, up to the time of a request", async () => {
    const { server, open } = await start({ nowMs: nodeClock.now });
    let go = (): void => undefined;
    const until = new Promise<void>((resolve) => (go = resolve));
    server.setFault(() => ({ kind: "held", until }));
    const web = nodeWeb(nodeClock, { environment: {}, hide: () => undefined });
    const { detail } = await problem(
      open({}, { clock: nodeClock, timeoutMs: 30, web: () => Promise.resolve(web) }).read(NEVER),
    );
    expect(detail).toContain("no complete answer within 0.03 s");
    go();
  });

  test("a connection that nobody accepts", async () => {
    const { server, open } = await start();
    const store = open();
    await server.close();
    expect((await problem(store.read(NEVER))).detail).toContain(
      `127.0.0.1:${String(server.port)} refused the connection`,
    );
  });
});

describe("a store that cannot keep the lock apart", () => {
  test.each<readonly [string, S3Options]>([
    ["ignores the condition of a write", { putConditions: "ignored" }],
    ["does not have conditional writes", { putConditions: "refused" }],
  ])("%s, and is refused before anything is sent", async (_, options) => {
    const { server, open } = await start(options);
    const { code, detail } = await problem(open().lock(HOLDER, 0, NEVER));
    expect([code, detail]).toEqual([
      "state_unsuitable",
      expect.stringContaining("Two runs could change the state at the same time"),
    ]);
    expect([...server.objects.keys()]).toEqual([]);
  });

  test("has a lock object for writes, but not for reads", async () => {
    const { server, open } = await start();
    server.setFault(({ method, key }) =>
      key === LOCK_KEY
        ? {
            kind: "refuse",
            ...(method === "PUT" ? { status: 412, code: "PreconditionFailed" } : { status: 404, code: "NoSuchKey" }),
          }
        : null,
    );
    expect((await problem(open().lock(HOLDER, 0, NEVER))).detail).toContain(
      `s3://states/${LOCK_KEY} is there for a write, but not for a read`,
    );
  });
});

describe("a lock in a bucket", () => {
  test("is lost to a run that takes it and writes between the check and the write", async () => {
    const { server, open } = await start();
    const [store, other] = [open(), open()];
    const lock = await store.lock(HOLDER, 0, NEVER);
    const version = await store.write(bytes("one"), null, NEVER);
    let isDone = false;
    server.setFault((request) => {
      if (isDone || !puts(request)) return null;
      isDone = true;
      return {
        kind: "held",
        until: (async () => {
          await other.forceUnlock(lock.id, NEVER);
          await other.lock(HOLDER, 0, NEVER);
          await other.write(bytes("theirs"), version, NEVER);
        })(),
      };
    });
    await expect(store.write(bytes("mine"), version, NEVER)).rejects.toMatchObject(failure("lock_lost"));
    expect(lock.lost.reason).toMatchObject(failure("lock_lost"));
    expect(server.objects.get(S3_KEY)?.body.toString()).toBe("theirs");
  });

  test("that cannot be read stays, and the message names its object", async () => {
    const { server, open } = await start();
    server.objects.set(LOCK_KEY, { body: Buffer.from("?"), etag: '"x"', headers: {} });
    const calls = [
      () => open().lock(HOLDER, 0, NEVER),
      () => open().heldLock(NEVER),
      () => open().forceUnlock("1", NEVER),
    ];
    for (const call of calls) {
      expect((await problem(call())).detail).toContain(`unreadable lock file s3://states/${LOCK_KEY}`);
    }
    expect(server.objects.has(LOCK_KEY)).toBe(true);
  });

  test("shows no control characters that somebody has written into it", async () => {
    const { server, open } = await start();
    server.objects.set(LOCK_KEY, {
      body: Buffer.from(JSON.stringify({ ID: "1", Who: "a\u001b[2Jb", Operation: 7 })),
      etag: '"x"',
      headers: {},
    });
    expect(await open().heldLock(NEVER)).toEqual({
      id: "1",
      who: "a [2Jb",
      operation: "",
      since: null,
      holder: "a [2Jb",
      fate: "unknown",
    });
  });

  test("is not removed by a run whose unlock meets another run's lock", async () => {
    const { server, open } = await start();
    const lock = await open().lock(HOLDER, 0, NEVER);
    const theirs = Buffer.from(JSON.stringify({ ID: "theirs" }));
    server.setFault((request) => {
      if (unlocks(request)) server.objects.set(LOCK_KEY, { body: theirs, etag: '"theirs"', headers: {} });
      return null;
    });
    await lock.release();
    expect(server.objects.get(LOCK_KEY)?.body).toBe(theirs);
  });

  test("that cannot be released may stay, and the message says how to remove it", async () => {
    const { server, open } = await start();
    const lock = await open().lock(HOLDER, 0, NEVER);
    server.setFault((request) => (unlocks(request) ? { kind: "lost", when: "before" } : null));
    await expect(lock.release()).rejects.toMatchObject({
      diagnostics: [{ code: "state_unreachable" }, { code: "lock_stays", ways: [{ kind: "unlock", id: lock.id }] }],
    });
    server.setFault(null);
    await open().forceUnlock(lock.id, NEVER);
  });

  test("is of one of many runs at once, and each gets it in the end", async () => {
    const { server, open } = await start();
    const holding = new Set<number>();
    await Promise.all(
      Array.from({ length: 6 }, async (_, run) => {
        const lock = await open().lock(HOLDER, 600_000, new AbortController().signal);
        holding.add(run);
        expect(holding.size).toBe(1);
        await open().heldLock(NEVER);
        holding.delete(run);
        await lock.release();
      }),
    );
    expect([...server.objects.keys()]).toEqual([]);
  });
});

describe("an interruption", () => {
  // Two requests lock, one reads, two each write, and two unlock.
  test.each([1, 2, 3, 4, 5, 6, 7])(
    "while request %i is under way ends the run with its reason, leaves no lock, and no state but the old or the new one",
    async (count) => {
      const fixture = await start();
      const stop = new AbortController();
      fixture.server.setFault((request) => {
        if (request.count !== count) return null;
        stop.abort(new Error("interrupted"));
        return null;
      });
      await expect(wholeRun(fixture, stop.signal)).rejects.toThrow("interrupted");
      const { objects } = fixture.server;
      expect([undefined, "one", "two"]).toContain(objects.get(S3_KEY)?.body.toString());
      expect(objects.has(LOCK_KEY)).toBe(false);
      fixture.server.setFault(null);
      expect(await wholeRun(fixture)).toBe("two");
    },
  );

  test("waits as long as a busy store asks for, and at most 30 seconds", async () => {
    for (const [asked, waitedMs] of [
      ["7", 7000],
      ["86400", 30_000],
    ] as const) {
      const { server, open } = await start();
      server.setFault(({ count }) =>
        count === 1 ? { kind: "refuse", status: 503, code: "SlowDown", headers: { "retry-after": asked } } : null,
      );
      const beganMs = clock.monotonicMs();
      expect(await open().read(NEVER)).toBeNull();
      expect(clock.monotonicMs() - beganMs).toBe(waitedMs);
    }
  });

  test("ends the wait before another attempt", async () => {
    const { server, open } = await start();
    const stop = new AbortController();
    server.setFault(({ count }) => {
      if (count === 2) stop.abort(new Error("interrupted"));
      return { kind: "refuse", status: 503, code: "SlowDown" };
    });
    await expect(open().read(stop.signal)).rejects.toThrow("interrupted");
    expect(server.log).toHaveLength(2);
  });
});
