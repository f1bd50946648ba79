import { expect, test } from "vitest";
import { heldBack, leftWithout, waiting } from "../../../src/core/apply/run/apply-diagnostics.ts";
import { gapAfterDelete, gapAfterOpenDelete } from "../../../src/core/apply/recovery/unmeasured-gap.ts";
import {
  leftOpenAtTheEnd,
  notRecorded,
  oldOneLeft,
  oldOneStays,
  unconfirmedDiagnostic,
} from "../../../src/core/apply/write/outcome-diagnostics.ts";
import type { AnyResource } from "../../../src/core/model/definition.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import { type Intent, pendingIntents } from "../../../src/core/state/journal-event.ts";
import { intent } from "../state/state-fixtures.ts";
import { irreversibleToy, live, recorded, toy } from "../toy.ts";
import { shout, thing } from "./shop-things.ts";

const REFUSED: Diagnostic = { code: "no", severity: "error", summary: "No", detail: "The shop said no." };

test("errors of an apply say what the service does meanwhile, where that is known", () => {
  expect([heldBack("a", toy).detail, leftWithout("a", toy).detail]).toEqual([
    "a would be a duplicate of an object that this run failed to delete: everything rings twice.",
    "The replace of a deleted the old one, then the service refused the create: nothing rings now.",
  ]);
  expect([heldBack("a", irreversibleToy).detail, leftWithout("a", irreversibleToy).detail]).toEqual([
    "a would be a duplicate of an object that this run failed to delete.",
    "The replace of a deleted the old one, then the service refused the create.",
  ]);
});

test("creates that wait for one outcome are told once, with how many they are", () => {
  expect(waiting(toy, ["a"]).detail).toMatch(/^a: /);
  expect(waiting(toy, ["a", "b", "c"])).toMatchObject({
    address: "a",
    detail: expect.stringMatching(/^a and 2 more: /) as string,
  });
});

test("a replace that could not delete its old object says what both of them do, where that is known", () => {
  expect(oldOneLeft(toy, REFUSED, "old").detail).toBe(
    "The shop said no. The new thing is current, but the old one, old, could not be deleted: everything rings twice.",
  );
  expect(oldOneLeft(irreversibleToy, REFUSED, "old").detail).toBe(
    "The shop said no. The new shout is current, but the old one, old, could not be deleted.",
  );
});

test("a refused create of a replace adds to the advice of the service, and takes none of it away", () => {
  const at = { address: "a", type: "toy_thing" };
  const own = "The old one is still current. If the service refuses two of them at once, delete the old one first:";
  const [plain, advised] = [
    oldOneStays(REFUSED, at),
    oldOneStays({ ...REFUSED, hint: "Wait.", ways: [{ kind: "plan" }] }, at),
  ];
  expect([plain.hint, advised.hint]).toEqual([own, `Wait.\n${own}`]);
  expect([plain.ways?.length, advised.ways?.map(({ kind }) => kind)]).toEqual([1, ["set-attribute", "plan"]]);
});

test("a write that is left open names its cause, and its type where nobody knows its address", () => {
  const left = (address: string | null, cause: string | null) =>
    pendingIntents([intent(1, { address })]).map((pending) => leftOpenAtTheEnd({ ...pending, cause }).detail);
  expect(left("toy_thing.a", "reset")).toEqual([
    "The create of toy_thing.a may or may not have been carried out: reset. This is recorded.",
  ]);
  expect(left(null, null)).toEqual([
    "The create of toy_thing may or may not have been carried out: it ended without an answer. This is recorded.",
  ]);
});

test("an unconfirmed write has an address only where it is known", () => {
  expect(unconfirmedDiagnostic(shout, { address: "toy_shout.hey", cause: "reset" })).toMatchObject({
    address: "toy_shout.hey",
  });
  expect(unconfirmedDiagnostic(shout, { address: null, cause: "reset" })).not.toHaveProperty("address");
});

test("an outcome that nobody could record is imported, or forgotten where it can never be looked up", () => {
  const of = (definition: AnyResource, id: string | null) =>
    notRecorded(definition, recorded("a", {}, { id }), new Error("ENOSPC"));
  const [created, shouted, nameless] = [of(toy, "id_a"), of(shout, "id_a"), of(toy, null)];
  expect([created.undecided, created.diagnostics]).toMatchObject([
    true,
    [{ detail: expect.stringContaining("The thing id_a was created"), ways: [{ kind: "import" }] }],
  ]);
  expect(shouted.diagnostics).toMatchObject([
    { detail: expect.stringContaining("The shout was carried out"), ways: [{ kind: "forget" }] },
  ]);
  expect(nameless.diagnostics).toMatchObject([{ ways: [{ kind: "forget" }] }]);
});

test("the gap of a replace is told as far as it is known", () => {
  const [first] = pendingIntents([intent(1, { op: "replace", id: "old" })]);
  if (!first) throw new Error("none is pending");
  const at = "1970-01-01T00:00:00.000Z";
  const withIntent = (more: Partial<Intent>) => ({ ...first, intent: { ...first.intent, ...more } });
  expect(gapAfterOpenDelete(toy, first)).toBe(`. It was sent at ${at}: nothing rings until the next one exists`);
  for (const more of [{ op: "delete" }, { order: "create-first" }, { ahead: true }] as const)
    expect(gapAfterOpenDelete(toy, withIntent(more))).toBe("");
  expect(gapAfterOpenDelete(irreversibleToy, first)).toBe("");
  const deleted = { ...first, deletedAtMs: 0 };
  const made = live("a", { made_at: "then" });
  expect(gapAfterDelete(thing, deleted)).toBe(
    `. The old thing was deleted at ${at}: nothing rings until the next one exists`,
  );
  expect(gapAfterDelete(thing, deleted, made)).toBe(
    `. The old thing was deleted at ${at}, and the new one created at then: nothing rings in between`,
  );
  expect(gapAfterDelete(toy, deleted, made)).toBe("");
  expect(gapAfterDelete(thing, deleted, live("a", { made_at: null }))).toBe("");
  expect([gapAfterDelete(thing, first), gapAfterDelete(irreversibleToy, deleted)]).toEqual(["", ""]);
});
