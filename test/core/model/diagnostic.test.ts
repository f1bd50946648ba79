import { expect, it } from "vitest";
import { DiagnosticsError, errorOf, noteOf, warningOf } from "../../../src/core/model/diagnostic.ts";

it("leaves out what a diagnostic does not say", () => {
  expect(
    errorOf("state_missing", "No state was found", { detail: "There is none.", hint: undefined, place: undefined }),
  ).toStrictEqual({
    code: "state_missing",
    severity: "error",
    summary: "No state was found",
    detail: "There is none.",
  });
});

it("has a function for each severity", () => {
  const said = { detail: "This.", address: "outreach_webhook.one" };
  expect([errorOf, warningOf, noteOf].map((make) => make("code", "Summary", said).severity)).toEqual([
    "error",
    "warning",
    "note",
  ]);
});

it("makes an error of one diagnostic", () => {
  const { diagnostics, message, undecided } = DiagnosticsError.of("code", "Summary", {
    detail: "Because.",
    hint: "Do that.",
  });
  expect(diagnostics).toEqual([errorOf("code", "Summary", { detail: "Because.", hint: "Do that." })]);
  expect({ message, undecided }).toEqual({ message: "Summary: Because.", undecided: false });
});
