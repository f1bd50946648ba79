import { nodeRandom } from "../../../src/platform/node-random.ts";
import { describe, expect, test } from "vitest";
import { applyRun } from "../../../src/core/apply/run/apply-run.ts";
import { planRun } from "../../../src/core/apply/run/plan-run.ts";
import type { RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { decodeState } from "../../../src/core/state/document.ts";
import type { JournalEvent } from "../../../src/core/state/journal-event.ts";
import { memoryPlace, memoryStore } from "../state/memory-store.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { HOLDER, NEVER, countingRandom, processOf } from "../state/state-fixtures.ts";
import { NO_STATEMENTS, type ToyShop, declared, live, toys } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";

const WRITE_MS = 50;
/** As the service limits it: 20 requests per 2 s. */
const SLOT_MS = 100;

/** A store on a server without a journal, a shop with a rate limit, and runs. `meanwhile` happens before a write of the state. */
function openWorld(meanwhile: (write: number, place: ReturnType<typeof memoryPlace>) => void = () => undefined) {
  const [clock, random, place] = [virtualClock(), countingRandom(), memoryPlace()];
  const bucket = new Map<string, LiveObject>();
  const posted = new Set<string>();
  const kept: Uint8Array[] = [];
  const postsAtWrite: number[] = [];
  const requests: { readonly text: string; readonly pending: readonly JournalEvent[] }[] = [];
  const server = memoryStore(clock, place);
  const store: StateStore = {
    ...server,
    write: async (bytes, expected, signal) => {
      await clock.sleep(WRITE_MS, NEVER);
      meanwhile(postsAtWrite.push(bucket.size), place);
      return server.write(bytes, expected, signal);
    },
  };
  const stored = async () => (await readState(server, random, NEVER)).document;
  const asked = async (text: string): Promise<void> => {
    requests.push({ text, pending: (await stored()).pending });
    await clock.sleep(30, NEVER);
  };
  const shop: ToyShop = {
    list: () => Promise.resolve({ objects: [...bucket.values()], complete: true, serverDate: "" }),
    create: async (planned) => {
      await asked(`POST ${String(planned["name"])}`);
      const name = String(planned["name"]);
      const object = live(name, {
        id: posted.has(name) ? `id_${name}_2` : `id_${name}`,
        room: planned["room"] ?? null,
      });
      bucket.set(object.id, object);
      posted.add(name);
      return { kind: "done", id: object.id, returned: object.attributes };
    },
    delete: async (id) => {
      await asked(`DELETE ${id}`);
      bucket.delete(id);
      return { kind: "done", id, returned: {} };
    },
  };
  let freeAtMs = 0;
  const portsOf = (signal: AbortSignal): RunPorts => ({
    catalog: toys,
    random: nodeRandom,
    readClient: shop,
    access: {
      reserve: async (_, stop) => {
        freeAtMs = Math.max(freeAtMs + SLOT_MS, clock.monotonicMs());
        await clock.sleep(freeAtMs - clock.monotonicMs(), stop);
        return { client: shop, release: () => undefined };
      },
    },
    clock,
    process: processOf(),
    service: { baseUrl: "https://toys.example/api", apiKey: "the-key" },
    reveal: () => Promise.resolve({ value: "" }),
    fingerprint: (salt, secret) => Promise.resolve(`${salt}/${secret}`),
    listingDelayMs: { answered: 10_000, unanswered: 60_000 },
    keepUnstored: (bytes) => Promise.resolve(`errored-${String(kept.push(bytes))}.json`),
    signal,
  });
  return {
    requests,
    apply: async (declarations: readonly Declaration[]) => {
      const lock = await store.lock(HOLDER, 0, NEVER);
      const ports = portsOf(lock.lost);
      const open = await readState(store, random, NEVER);
      const evaluate = () => ({ declarations, reads: [], outputs: [], ...NO_STATEMENTS, diagnostics: [] });
      const request = {
        evaluate,
        limits: {},
        options: PLAIN_OPTIONS,
        expand: (typed: string) => typed,
        withSecrets: true,
      };
      const planned = await planRun(open, request, ports);
      const beganMs = clock.monotonicMs();
      const failure = await applyRun(
        store,
        { open, planned, asked: false, approved: false, report: () => undefined, stop: lock.lost },
        ports,
      ).then(
        () => null,
        (error: unknown) => error,
      );
      await lock.release();
      return {
        bucket,
        kept,
        failure,
        tookMs: clock.monotonicMs() - beganMs,
        postsAtWrite,
        lock,
        stored: await stored(),
      };
    },
  };
}

/** A run of `count` creates. */
function applyThings(count: number, meanwhile?: Parameters<typeof openWorld>[0]) {
  return openWorld(meanwhile).apply(
    Array.from({ length: count }, (_, index) => declared(`n${String(index).padStart(3, "0")}`)),
  );
}

const reported = (failure: unknown): readonly Diagnostic[] =>
  failure instanceof DiagnosticsError ? failure.diagnostics : [];

describe("an apply on a store without a journal", () => {
  test("of 200 creates writes the state once for each 20 of them, at the begin and at the end, and is as fast as the service allows", async () => {
    const { bucket, failure, stored, postsAtWrite, tookMs } = await applyThings(200);
    expect(failure).toBeNull();
    expect([bucket.size, stored.instances.length, stored.pending]).toEqual([200, 200, []]);
    expect(postsAtWrite.length).toBeLessThanOrEqual(12);
    expect(200 * SLOT_MS).toBeGreaterThan(0.94 * tookMs);
  });

  test("that cannot store what it has done keeps it, and says where", async () => {
    const { kept, failure, bucket, stored } = await applyThings(5, (write) => {
      if (write === 3) throw new Error("the state's server is not there");
    });
    expect(reported(failure)).toMatchObject([
      { code: "state_write_failed", detail: expect.stringContaining("the state's server is not there") as string },
      {
        code: "state_not_stored",
        detail: expect.stringContaining("errored-1.json") as string,
        ways: [{ kind: "push-state", file: "errored-1.json" }],
      },
    ]);
    expect(failure).toMatchObject({ undecided: false });
    const document = decodeState(kept[0] ?? new Uint8Array(), "errored");
    expect(document.instances.map(({ id }) => id)).toEqual([...bucket.keys()].toSorted());
    expect([document.pending, document.lineage]).toEqual([[], stored.lineage]);
    expect(document.serial).toBeGreaterThan(stored.serial);
    expect(stored.pending.filter(({ kind }) => kind === "intent")).toHaveLength(5);
  });

  test("says each thing that went wrong once, where neither a window nor the results could be stored", async () => {
    for (const [says, codes] of [
      [
        (write: number) => `write ${String(write)} failed`,
        ["state_write_failed", "state_write_failed", "state_not_stored"],
      ],
      [() => "the state's server is not there", ["state_write_failed", "state_not_stored"]],
    ] as const) {
      const { kept, failure, bucket } = await applyThings(100, (write) => {
        if (write >= 4) throw new Error(says(write));
      });
      expect(reported(failure).map(({ code }) => code)).toEqual(codes);
      expect(failure).toMatchObject({ undecided: false });
      expect(decodeState(kept[0] ?? new Uint8Array(), "errored").instances.map(({ id }) => id)).toEqual(
        [...bucket.keys()].toSorted(),
      );
    }
  });

  test("stops sending when a window cannot be written, and stores what it has done with its last write", async () => {
    const { failure, bucket, stored, kept } = await applyThings(100, (write) => {
      if (write === 4) throw new Error("the state's server is not there");
    });
    expect(failure).toMatchObject({ message: "the state's server is not there" });
    expect(bucket.size).toBeGreaterThan(10);
    expect(bucket.size).toBeLessThan(45);
    expect(stored.instances.map(({ id }) => id)).toEqual([...bucket.keys()].toSorted());
    expect([stored.pending, kept]).toEqual([[], []]);
  });

  test("keeps nothing when the first window is refused: nothing was sent", async () => {
    const { failure, bucket, kept } = await applyThings(5, (write, place) => {
      if (write === 2 && place.stored) place.stored = { ...place.stored, version: "another run's" };
    });
    expect(reported(failure).map(({ code }) => code)).toEqual(["state_changed"]);
    expect([bucket.size, kept]).toEqual([0, []]);
  });

  test("stops sending when another run takes its lock, writes nothing over the state, and keeps what it has done", async () => {
    let before: Uint8Array | undefined;
    const { failure, bucket, lock, kept, stored } = await applyThings(100, (write, place) => {
      if (write !== 3) return;
      before = place.stored?.bytes;
      place.held = { id: "another", who: "grace", operation: "apply", since: null };
    });
    expect(lock.lost.aborted).toBe(true);
    expect(reported(failure).map(({ code }) => code)).toEqual(["lock_lost", "state_not_stored"]);
    expect(bucket.size).toBeLessThan(30);
    const { run, sender: _, ...windowed } = decodeState(before ?? new Uint8Array(), "s");
    expect([typeof run, windowed]).toEqual(["string", stored]);
    expect(decodeState(kept[0] ?? new Uint8Array(), "errored").instances.map(({ id }) => id)).toEqual(
      [...bucket.keys()].toSorted(),
    );
  });

  test("stores deletes, replaces and creates before it sends them", async () => {
    const { apply, requests } = openWorld();
    await apply([declared("gone"), declared("turned"), declared("rotated", { rotation: "create_first" })]);
    requests.splice(0);
    const { failure, stored } = await apply([
      declared("turned", { room: "hall" }),
      declared("rotated", { rotation: "create_first", shiny: true }),
      declared("new"),
    ]);
    expect(failure).toBeNull();
    const announcedAt = (text: string): readonly string[] =>
      (requests.find((one) => one.text === text)?.pending ?? []).flatMap((event) =>
        event.kind === "intent" ? [`${event.op} ${String(event.address)}`] : [],
      );
    expect(announcedAt("DELETE id_gone")).toContain("delete toy_thing.gone");
    expect(announcedAt("POST rotated")).toContain("replace toy_thing.rotated");
    expect(announcedAt("DELETE id_turned")).toContain("replace toy_thing.turned");
    expect(announcedAt("POST new")).toContain("create toy_thing.new");
    expect(requests.map(({ text }) => text).toSorted()).toEqual([
      "DELETE id_gone",
      "DELETE id_rotated",
      "DELETE id_turned",
      "POST new",
      "POST rotated",
      "POST turned",
    ]);
    expect([stored.pending, stored.instances.map(({ address }) => address)]).toEqual([
      [],
      ["toy_thing.new", "toy_thing.rotated", "toy_thing.turned"],
    ]);
  });
});
