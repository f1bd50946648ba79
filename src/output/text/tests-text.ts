import { visible } from "../../core/model/visible.ts";
import {
  type TestResult,
  type TestStatus,
  type TestsFormat,
  describeReceivers,
  eventText,
  hasPassed,
  testsSummary,
} from "../content/describe-tests.ts";
import { whereText } from "../content/diagnostic-text.ts";
import type { Colour, Paint } from "../content/paint.ts";

const COLOURS: { readonly [status in TestStatus]: Colour } = { pass: "green", fail: "red", error: "red" };
const SIGN_COLOURS = { "-": "red", "+": "yellow", "~": "yellow", " ": "dim" } as const;

/** The report of tests for people, as terraform test prints its own. Diagnostics are printed elsewhere. */
export const testsText: TestsFormat = (report, { paint }) => {
  const lines = report.files.flatMap(({ file, status, tests }) => [
    `${visible(file)}... ${paint(COLOURS[status], status)}`,
    ...tests.flatMap((test) => [
      `  ${visible(test.name)}... ${paint(COLOURS[test.status], test.status)}`,
      ...(test.status === "fail" ? failureLines(test, paint) : []),
    ]),
  ]);
  const passed = hasPassed(report);
  return `${lines.join("\n").trimEnd()}\n\n${paint(passed ? "green" : "red", passed ? "Success!" : "Failure!")} ${testsSummary(report)}.\n`;
};

/** What failed, in full: where, the event, and all receivers. */
function failureLines(test: TestResult, paint: Paint): readonly string[] {
  const { event, place } = test;
  const receivers = describeReceivers(test).map(
    ({ sign, text }) => `      ${paint(SIGN_COLOURS[sign], sign)} ${visible(text)}`,
  );
  return [
    "",
    `    on ${visible(whereText(place))}`,
    ...(event ? [`    ${visible(eventText(event))}`] : []),
    ...receivers,
    "",
  ];
}
