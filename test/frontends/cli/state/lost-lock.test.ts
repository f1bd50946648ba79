import { describe, expect, test } from "vitest";
import type { DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { type MemoryPlace, memoryPlace, memoryStore } from "../../../core/state/memory-store.ts";
import type { StateStore } from "../../../../src/core/state/state-store.ts";
import { locked } from "../../../../src/operations/state/records.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";
import { NEVER, countingRandom, processOf } from "../../../core/state/state-fixtures.ts";

type Context = Parameters<typeof locked>[0];

function openLocked(): {
  readonly place: MemoryPlace;
  readonly store: StateStore;
  run<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T>;
} {
  const [clock, place] = [virtualClock(), memoryPlace()];
  const store = memoryStore(clock, place);
  const context = {
    clock,
    random: countingRandom(),
    process: processOf(),
    notice: () => undefined,
    stop: new AbortController().signal,
  } as unknown as Context;
  return {
    place,
    store,
    run: (work) => locked(context, { store, options: {} as never, operation: "apply" }, work),
  };
}

/** Somebody unlocks by force, and the run notices at its next write. */
async function loseLock(place: MemoryPlace, store: StateStore): Promise<void> {
  place.held = null;
  await store.write(new Uint8Array(), null, NEVER).catch(() => undefined);
}

describe("a run whose lock is lost", () => {
  test("is told to start nothing more", async () => {
    const { place, store, run } = openLocked();
    const stopped: boolean[] = [];
    const working = run(async (stop) => {
      stopped.push(stop.aborted);
      await loseLock(place, store);
      stopped.push(stop.aborted);
    });
    await expect(working).rejects.toMatchObject({ diagnostics: [{ code: "lock_lost" }] } satisfies {
      readonly diagnostics: readonly Partial<DiagnosticsError["diagnostics"][number]>[];
    });
    expect(stopped).toEqual([false, true]);
  });

  test("has not succeeded, even if its work has", async () => {
    const { place, store, run } = openLocked();
    await expect(run(() => loseLock(place, store).then(() => "done"))).rejects.toMatchObject({
      diagnostics: [{ code: "lock_lost" }],
    });
  });
});
