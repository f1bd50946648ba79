import { beforeEach, describe, expect, test } from "vitest";
import type { FleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import type { VerifiedReceiver } from "../../src/fleet/team-work.ts";
import { openVerifier } from "../../src/fleet/verify-receivers.ts";
import { NEVER, configurationOf, storeOf, useFleet } from "./fleet-fixtures.ts";

const { opened } = useFleet();
let database: FleetDatabase;
let store: FleetStore;

beforeEach(async () => {
  ({ database, store } = opened());
  await store.adopt(configurationOf("a", "team", "other"), "start");
});

const HOUR = 3_600_000;
const receiver = (address: string, isOk: boolean): VerifiedReceiver => ({
  address,
  host: "crm.example.com",
  isOk,
  text: isOk ? "ok" : "failed: no answer",
});
/** Time passes for the database. */
const pass = (hours: number) =>
  database.query({
    text: `UPDATE outreach_fleet.team SET verify_next = verify_next - interval '${String(hours)} hours'`,
  });

describe("the receivers of a team", () => {
  test("are verified by one process, once an interval, and not while the team is paused", async () => {
    const another = storeOf(database, "process-2");
    expect([
      await store.claimVerification("team", 2 * HOUR),
      await another.claimVerification("team", 2 * HOUR),
    ]).toEqual([true, false]);
    await pass(1);
    expect(await another.claimVerification("team", 2 * HOUR)).toBe(false);
    await pass(1);
    expect(await another.claimVerification("team", 2 * HOUR)).toBe(true);
    await store.pause("other", "Ada");
    expect([await store.claimVerification("other", HOUR), await store.claimVerification("nobody", HOUR)]).toEqual([
      false,
      false,
    ]);
  });

  test("are known, those that failed first, until nobody renews them", async () => {
    await store.claimVerification("team", HOUR);
    await store.storeReceivers("team", [receiver("a", true), receiver("b", false)]);
    expect(await store.receivers()).toMatchObject([
      { team: "team", address: "b", isOk: false },
      { address: "a", host: "crm.example.com", isOk: true },
    ]);
    expect(await store.teamReceivers("team")).toEqual({
      verifiedMs: expect.any(Number) as number,
      receivers: [receiver("a", true), receiver("b", false)],
    });
    expect(await store.teamReceivers("other")).toBeNull();
    await pass(26);
    expect([await store.receivers(), await store.teamReceivers("team")]).toEqual([[], null]);
    await store.claimVerification("team", HOUR);
    await store.adopt(configurationOf("b", "other"), "change");
    expect(await store.receivers()).toEqual([]);
  });
});

describe("a controller that may verify", () => {
  const allow = [{ hostname: "crm.example.com", isBelow: false, port: null }];
  const verifierWith = (verify: (team: string) => Promise<readonly VerifiedReceiver[]>) => {
    const logged: string[] = [];
    const log = (_: string, event: string, message: string): void => void logged.push(`${event}: ${message}`);
    return { logged, ...openVerifier({ store, work: { verify }, log, allow, intervalMs: HOUR }) };
  };

  test("does it after runs that ended well, and logs what failed", async () => {
    const asked: string[] = [];
    const verifier = verifierWith(async (team) => (asked.push(team), [receiver("a", true), receiver("b", false)]));
    for (const outcome of ["failed", "undecided", "busy", "interrupted", "outdated"] as const)
      await verifier.afterRun("team", outcome, NEVER);
    expect(asked).toEqual([]);
    await verifier.afterRun("team", "unchanged", NEVER);
    await verifier.afterRun("team", "unchanged", NEVER);
    expect([asked, verifier.logged]).toEqual([["team"], ["receiver-failed: b: failed: no answer"]]);
  });

  test("leaves workers to runs: at most two teams are verified at once, and the others after a later run", async () => {
    const waiting: (() => void)[] = [];
    const verifier = verifierWith(() => new Promise((resolve) => waiting.push(() => resolve([]))));
    await store.adopt(configurationOf("b", "one", "two", "three"), "change");
    const running = [verifier.afterRun("one", "applied", NEVER), verifier.afterRun("two", "waiting", NEVER)];
    await expect.poll(() => waiting.length).toBe(2);
    await verifier.afterRun("three", "applied", NEVER);
    for (const end of waiting) end();
    await Promise.all(running);
    const third = verifier.afterRun("three", "applied", NEVER);
    await expect.poll(() => waiting.length).toBe(3);
    waiting[2]?.();
    await third;
  });

  test("stays silent about a database that goes away", async () => {
    const verifier = verifierWith(() => Promise.reject(new FleetUnavailable("gone")));
    await verifier.afterRun("team", "applied", NEVER);
    expect(verifier.logged).toEqual([]);
  });
});
