import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import type { Step } from "../../src/core/plan/plan.ts";
import { validationJson } from "../../src/output/json/diagnostic-json.ts";
import {
  type Line,
  appliedLines,
  diagnosticLine,
  lineText,
  planLines,
  progressLine,
  stillLine,
  versionLine,
} from "../../src/output/json/json-format.ts";
import { jsonText } from "../../src/output/json/escaped-json.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { expectLine, expectValidation } from "./schemas.ts";

const NOW = Date.UTC(2026, 6, 1, 12, 0, 0, 5);

function printed(line: Line): unknown {
  const json: unknown = JSON.parse(lineText(line, NOW));
  expectLine(json);
  return json;
}

const COMMON = { "@level": "info", "@module": "outreach.ui", "@timestamp": "2026-07-01T12:00:00.005Z" };
const CRM = {
  addr: "outreach_webhook.crm",
  module: "",
  resource: "outreach_webhook.crm",
  implied_provider: "outreach",
  resource_type: "outreach_webhook",
  resource_name: "crm",
  resource_key: null,
};
const EVENT = { kind: "start", phase: "create", address: "outreach_webhook.crm", id: null, elapsedMs: 0 } as const;

// What terraform prints as well is compared with it in terraform-comparison.test.ts.
describe("messages", () => {
  test("begin with the versions of the format and of this program", () => {
    expect(printed(versionLine("0.1.0"))).toEqual({
      ...COMMON,
      "@message": "outreach 0.1.0",
      type: "version",
      terraform: "1.11.4",
      outreach: "0.1.0",
      ui: "1.2",
    });
  });

  test.each<readonly [Parameters<typeof progressLine>[0], object]>([
    [
      { ...EVENT, phase: "delete", id: "hoo_1" },
      {
        "@message": "outreach_webhook.crm: Destroying... [id=hoo_1]",
        type: "apply_start",
        hook: { resource: CRM, action: "delete", id_key: "id", id_value: "hoo_1" },
      },
    ],
    [
      { ...EVENT, phase: "delete", kind: "complete", elapsedMs: 2400 },
      {
        "@message": "outreach_webhook.crm: Destruction complete after 2s",
        type: "apply_complete",
        hook: { resource: CRM, action: "delete", elapsed_seconds: 2 },
      },
    ],
    [
      { ...EVENT, kind: "complete", id: "hoo_2", elapsedMs: 100, gapMs: 131.2 },
      {
        "@message": "outreach_webhook.crm: Creation complete after 0s (gap 0.14 s) [id=hoo_2]",
        type: "apply_complete",
        hook: { resource: CRM, action: "create", id_key: "id", id_value: "hoo_2", elapsed_seconds: 0, gap_ms: 132 },
      },
    ],
    [
      { ...EVENT, kind: "errored" },
      {
        "@message": "outreach_webhook.crm: Creation errored after 0s",
        type: "apply_errored",
        hook: { resource: CRM, action: "create", elapsed_seconds: 0 },
      },
    ],
    [
      { ...EVENT, kind: "unsure" },
      {
        "@message": "outreach_webhook.crm: Creation without a definite answer after 0s",
        type: "apply_errored",
        hook: { resource: CRM, action: "create", elapsed_seconds: 0 },
      },
    ],
  ])("tell what happens to an address: %#", (event, expected) => {
    expect(printed(progressLine(event))).toEqual({ ...COMMON, ...expected });
  });

  test("tell that something is still under way", () => {
    expect(printed(stillLine({ ...EVENT, phase: "delete", elapsedMs: 10_200 }))).toEqual({
      ...COMMON,
      "@message": "outreach_webhook.crm: Still destroying... [10s elapsed]",
      type: "apply_progress",
      hook: { resource: CRM, action: "delete", elapsed_seconds: 10 },
    });
  });

  test("end with what was done, and the outputs but for those that are sensitive", () => {
    const outputs = [
      { name: "ids", value: ["a", 1], sensitive: false },
      { name: "hush", value: "not to be seen", sensitive: true },
    ];
    const counts = { import: 1, add: 2, change: 3, destroy: 4, forget: 5 };
    const lines = appliedLines(counts, { destroying: false, ending: "incomplete", outputs }).map(printed);
    expect(lines).toMatchObject([
      {
        "@message": "Apply incomplete. Resources: 1 imported, 2 added, 3 changed, 4 destroyed, 5 forgotten.",
        type: "change_summary",
        changes: { add: 2, change: 3, import: 1, remove: 4, forget: 5, operation: "apply" },
      },
      {
        "@message": "Outputs: 2",
        outputs: {
          ids: { sensitive: false, type: ["tuple", ["string", "number"]], value: ["a", 1] },
          hush: { sensitive: true, type: "string" },
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("not to be seen");
  });

  test("of a plan count under the names of the text", () => {
    const step: Step = {
      address: CRM.addr,
      type: CRM.resource_type,
      provider: "outreach",
      because: [],
      masked: [],
      action: "forget",
      before: {},
    };
    const lines = planLines(
      { format: 1, steps: [step], drift: [], outputs: [], diagnostics: [], undecided: [] },
      { catalog, mode: "apply", outputs: [] },
    );
    expect(lines.map(({ message }) => message)).toEqual([
      "outreach_webhook.crm: Plan to remove",
      "Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.",
    ]);
  });
});

const ERROR: Diagnostic = {
  code: "some_code",
  severity: "error",
  summary: "A summary",
  detail: "What is wrong, and why.",
};
const PLACE = { file: "outreach.yaml", line: 12, column: 5, text: "    typ: x" };
const RANGE = { filename: "outreach.yaml", start: { line: 12, column: 5 }, end: { line: 12, column: 6 } };
const PLAIN = { severity: "error", code: "some_code", summary: "A summary", detail: "What is wrong, and why." };

describe("a diagnostic in JSON", () => {
  test.each<readonly [name: string, diagnostic: Diagnostic, json: object]>([
    ["nothing but words", ERROR, PLAIN],
    ["a hint", { ...ERROR, hint: "Do that." }, { ...PLAIN, detail: "What is wrong, and why.\n\nDo that." }],
    ["an address", { ...ERROR, address: CRM.addr }, { ...PLAIN, address: CRM.addr }],
    [
      "a line",
      { ...ERROR, place: PLACE },
      {
        ...PLAIN,
        range: RANGE,
        snippet: {
          context: null,
          code: "    typ: x",
          start_line: 12,
          highlight_start_offset: 4,
          highlight_end_offset: 5,
          values: [],
        },
      },
    ],
    [
      "a line that is not shown as it is",
      { ...ERROR, place: { ...PLACE, column: 400, text: "…typ: x", caret: 2 } },
      {
        ...PLAIN,
        range: { ...RANGE, start: { line: 12, column: 400 }, end: { line: 12, column: 401 } },
        snippet: {
          context: null,
          code: "…typ: x",
          start_line: 12,
          highlight_start_offset: 1,
          highlight_end_offset: 2,
          values: [],
        },
      },
    ],
    [
      "a line whose text is not shown",
      { ...ERROR, place: { file: "outreach.yaml", line: 12, column: 5 } },
      { ...PLAIN, range: RANGE },
    ],
    [
      "a file",
      { ...ERROR, place: { file: "outreach.yaml" } },
      { ...PLAIN, detail: "What is wrong, and why.\n\nIn outreach.yaml." },
    ],
    [
      "a construct",
      { ...ERROR, place: { file: "cdk.tf.json", construct: "hooks/crm" } },
      { ...PLAIN, detail: "What is wrong, and why.\n\nIn cdk.tf.json, construct hooks/crm." },
    ],
  ])("with %s", (_name, diagnostic, json) => {
    expect(printed(diagnosticLine(diagnostic))).toEqual({
      ...COMMON,
      "@level": "error",
      "@message": "Error: A summary",
      type: "diagnostic",
      diagnostic: json,
    });
    const validation = validationJson([diagnostic]);
    expectValidation(validation);
    expect(validation).toEqual({
      format_version: "1.0",
      valid: false,
      error_count: 1,
      warning_count: 0,
      diagnostics: [json],
    });
  });

  test("that is a warning leaves the configuration valid; a note is a message of the log alone", () => {
    const [warning, note]: readonly Diagnostic[] = [
      { ...ERROR, severity: "warning" },
      { ...ERROR, severity: "note" },
    ];
    expect(warning && printed(diagnosticLine(warning))).toMatchObject({
      "@level": "warn",
      "@message": "Warning: A summary",
      diagnostic: { severity: "warning" },
    });
    expect(note && printed(diagnosticLine(note))).toEqual({
      ...COMMON,
      "@message": "A summary: What is wrong, and why.",
      type: "log",
    });
    const validation = validationJson([warning ?? ERROR, note ?? ERROR]);
    expectValidation(validation);
    expect(validation).toMatchObject({
      valid: true,
      error_count: 0,
      warning_count: 1,
      diagnostics: [{ severity: "warning" }],
    });
  });
});

test("JSON is printed without a character that could steer a terminal or end a line", () => {
  const value = { a: "\u001b[2J\u202e\u2028\u{e0001}é\n", b: ["\u0085"] };
  const text = jsonText(value);
  expect(text).toBe(String.raw`{"a":"\u001b[2J\u202e\u2028\udb40\udc01é\n","b":["\u0085"]}`);
  expect(JSON.parse(text)).toEqual(value);
  expect(jsonText({ a: 1 }, { indented: true })).toBe('{\n  "a": 1\n}');
});
