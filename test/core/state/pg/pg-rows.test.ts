import { describe, expect, test } from "vitest";
import { PgRefused } from "../../../../src/core/state/pg/pg-connection.ts";
import { acquireLock, heldLock } from "../../../../src/core/state/pg/pg-lock.ts";
import { rowsOf } from "../../../../src/core/state/pg/pg-session.ts";
import { HOLDER, NEVER, countingRandom } from "../state-fixtures.ts";
import { answeringSession } from "./answering-session.ts";

describe("a row of the locks that another program damaged", () => {
  test.each([
    ["no text", null],
    ["no JSON", "{"],
    ["no object", "null"],
    ["a list", "[1]"],
    ["a process that is an object", JSON.stringify({ pid: { toString: { a: 1 } } })],
    ["numbers", JSON.stringify({ who: 1, host: 2, operation: 3, since: 4 })],
    ["a time that is none", JSON.stringify({ since: "now\u001B[2J, and much later" })],
  ])("still counts as a lock: %s", async (_, holder) => {
    const session = answeringSession(({ text }) =>
      Promise.resolve(
        text.includes("pg_try_advisory_lock") ? [{ taken: false }] : [{ lock_id: "lock\u001B7", holder }],
      ),
    );
    expect(await heldLock(session, NEVER)).toMatchObject({
      id: "lock 7",
      who: "unknown",
      operation: "unknown",
      since: null,
    });
    const request = { holder: HOLDER, timeoutMs: 0, signal: NEVER, waitsFor: () => undefined };
    await expect(acquireLock(session, countingRandom(), request, () => true)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked", ways: [{ kind: "wait-for-lock" }, { kind: "unlock", id: "lock 7" }] }],
    });
  });
});

test("a table that is missing means no rows to a read, and is an error in words to every other statement", async () => {
  const session = answeringSession(() =>
    Promise.reject(new PgRefused({ code: "42P01", message: 'relation "s.managed_states" does not exist' }, {})),
  );
  const connection = await session.connection(NEVER);
  expect(await rowsOf(connection, { text: "SELECT 1" }, NEVER)).toEqual([]);
  const request = { holder: HOLDER, timeoutMs: 0, signal: NEVER, waitsFor: () => undefined };
  for (const work of [
    connection.query({ text: "DELETE FROM s.managed_states" }, NEVER),
    acquireLock(session, countingRandom(), request, () => true),
  ])
    await expect(work).rejects.toMatchObject({
      diagnostics: [
        { code: "state_answer", detail: 'states: relation "s.managed_states" does not exist (SQLSTATE 42P01).' },
      ],
    });
});
