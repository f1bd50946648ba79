import { describe, expect, test } from "vitest";
import {
  fieldsOf,
  isConflict,
  isDone,
  isPage,
  textIn,
  unexpected,
} from "../../../../src/core/state/http/http-answers.ts";
import { holderIn } from "../../../../src/core/state/http/http-store.ts";
import type { HttpAnswer } from "../../../../src/core/state/http/http-requests.ts";
import { lockInfo } from "../../../../src/core/state/lock-info.ts";
import { HOLDER } from "../state-fixtures.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (status: number, body = "", request = "POST https://state.example.com/prod"): HttpAnswer => ({
  status,
  headers: {},
  body: bytes(body),
  request,
  inDoubt: false,
});
const PAGE = "\n <!DOCTYPE html><title>Sign in</title>";

test.each([
  [200, "", true],
  [201, "", true],
  [204, "", true],
  [200, PAGE, false],
  [202, "", false],
  [302, "", false],
  [404, "", false],
])("status %i with the body %j means that a write was carried out: %s", (status, body, done) => {
  expect(isDone(answer(status, body))).toBe(done);
});

test.each([
  [409, true],
  [423, true],
  [422, false],
  [200, false],
])("status %i is a refusal because of a lock: %s", (status, conflict) => {
  expect(isConflict(answer(status))).toBe(conflict);
});

test("a page is known by its beginning", () => {
  expect([PAGE, "", "a <b>", '{"a":"<"}'].map((body) => isPage({ body: bytes(body) }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe("an answer that nobody expects", () => {
  const [METHODS, LATER] = [
    "Check lock_method, unlock_method and update_method of the state backend.",
    "Run the command again later.",
  ];
  test.each([
    [401, "state_denied", expect.stringContaining("Check username and password") as string],
    [403, "state_denied", expect.stringContaining("Check the role of the user") as string],
    [404, "state_answer", expect.stringContaining("Check the address. GitLab also answers 404") as string],
    [405, "state_answer", METHODS],
    [501, "state_answer", METHODS],
    [300, "state_answer", expect.stringContaining("Redirects are not followed") as string],
    [399, "state_answer", expect.stringContaining("Redirects are not followed") as string],
    [400, "state_answer", "Check the settings of the state backend."],
    [299, "state_answer", "Check the settings of the state backend."],
    [429, "state_answer", LATER],
    [499, "state_answer", "Check the settings of the state backend."],
    [500, "state_answer", LATER],
  ])("with status %i has the code %s", (status, code, hint) => {
    const detail = `POST https://state.example.com/prod was answered with status ${String(status)}.`;
    expect(unexpected(answer(status)).diagnostics).toEqual([
      expect.objectContaining({ code, severity: "error", detail, hint }),
    ]);
  });

  test.each([404, 405, 501])("to a lock, with status %i, names the settings of the lock", (status) => {
    for (const method of ["LOCK", "UNLOCK"])
      expect(unexpected(answer(status, "", `${method} https://state.example.com/prod`)).diagnostics[0]?.hint).toContain(
        "lock_address, lock_method and unlock_method",
      );
    expect(unexpected(answer(400, "", "LOCK https://state.example.com/prod")).diagnostics[0]?.hint).not.toContain(
      "lock",
    );
  });

  test.each([
    ["its message", '{"message":"no\\u0007 way","error":"other"}', ": no way."],
    ["its error", '{"message":5,"error":"other"}', ": other."],
    ["its text", " no  way\n", ": no way."],
    ["nothing, of JSON without words", '{"code":5}', "."],
    ["nothing, of a page", "<html>no way</html>", "."],
    ["nothing, of a message that is a page", '{"message":"<html>"}', "."],
    ["its beginning", "x".repeat(201), `: ${"x".repeat(200)}….`],
    ["all of it", "x".repeat(200), `: ${"x".repeat(200)}.`],
  ])("is quoted by %s", (_, body, end) => {
    expect(unexpected(answer(400, body)).diagnostics[0]?.detail).toBe(
      `POST https://state.example.com/prod was answered with status 400${end}`,
    );
  });

  test("is a page of something else, where it says that it succeeded", () => {
    const [found] = unexpected(answer(200, PAGE)).diagnostics;
    expect([found?.detail, found?.hint]).toEqual([
      expect.stringContaining("status 200: a web page."),
      expect.stringContaining("Something else answers there"),
    ]);
    expect(unexpected(answer(300, PAGE)).diagnostics[0]?.hint).toContain("Redirects are not followed");
  });
});

test("the fields of an answer are those of a JSON object", () => {
  expect(['{"a":1}', "[1]", "null", "5", '"a"', "a"].map((text) => fieldsOf(bytes(text)))).toEqual([
    { a: 1 },
    null,
    null,
    null,
    null,
    null,
  ]);
  expect([5, undefined, " a\u202e\n b "].map(textIn)).toEqual(["", "", "a b"]);
});

describe("the holder in the answer to a refused lock", () => {
  const own = lockInfo("own", HOLDER);
  const theirs = {
    ...own,
    ID: "theirs",
    Who: "grace@there",
    Info: "process 7 on there",
    Operation: "plan",
    Created: "2026-01-01T00:00:00+01:00",
  };
  const found = (lock: object) => {
    const { body: _, ...known } = holderIn(bytes(JSON.stringify(lock)), own);
    return known;
  };

  test("is all that it says", () => {
    expect(found(theirs)).toEqual({
      id: "theirs",
      who: "grace@there",
      operation: "plan",
      since: theirs.Created,
      holder: "grace@there (plan, process 7 on there, since 2026-01-01T00:00:00+01:00)",
      fate: "unknown",
    });
  });

  test("is user and time alone where the rest repeats the question", () => {
    const { Info, Operation, Version } = own;
    const echo = { ...theirs, Info, Operation, Version };
    expect(found(echo)).toMatchObject({
      operation: "unknown",
      holder: "grace@there (since 2026-01-01T00:00:00+01:00)",
    });
    expect(found({ ...echo, Version: "1.2" })).toMatchObject({
      operation: "apply",
      holder: expect.stringContaining("apply, process 10 on here") as string,
    });
    expect(found({ ...echo, Info: "other" })).toMatchObject({ operation: "apply" });
    expect(found({ ...echo, Operation: "plan" })).toMatchObject({
      operation: "plan",
      holder: expect.stringContaining("process 10 on here") as string,
    });
  });

  test("is unknown where it says nothing, and its time where it is none", () => {
    expect(found({})).toEqual({
      id: "",
      who: "an unknown run",
      operation: "unknown",
      since: null,
      holder: "an unknown run",
      fate: "unknown",
    });
    expect(found({ ...theirs, Created: "yesterday" })).toMatchObject({
      since: null,
      holder: "grace@there (plan, process 7 on there)",
    });
  });
});
