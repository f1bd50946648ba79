import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { visibleLines } from "../../core/model/visible.ts";
import {
  type TestResult,
  type TestedFile,
  type TestsFormat,
  describeReceivers,
  eventText,
} from "../content/describe-tests.ts";
import { diagnosticsText, whereText } from "../content/diagnostic-text.ts";
import { plain } from "../content/paint.ts";

/** The report of tests for a CI, with the elements that terraform test writes. */
export const testsJunit: TestsFormat = ({ files }) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${files.map(suite).join("")}</testsuites>\n`;

function suite({ file, status, tests, diagnostics }: TestedFile): string {
  // A file whose tests cannot be read is a case of its own: no CI shows a suite without one.
  const cases: readonly Pick<TestResult, "name" | "status">[] =
    tests.length === 0 && status === "error" ? [{ name: file, status }] : tests;
  const count = (wanted: TestResult["status"]): string => String(cases.filter((one) => one.status === wanted).length);
  const attributes = `name="${escaped(file)}" tests="${String(cases.length)}" skipped="0" failures="${count("fail")}" errors="${count("error")}"`;
  return `  <testsuite ${attributes}>\n${cases.map((one) => testCase(one, { file, diagnostics })).join("")}  </testsuite>\n`;
}

function testCase(
  test: Pick<TestResult, "name" | "status"> | TestResult,
  { file, diagnostics }: Pick<TestedFile, "file" | "diagnostics">,
): string {
  const head = `    <testcase name="${escaped(test.name)}" classname="${escaped(file)}"`;
  if (test.status === "pass") return `${head}></testcase>\n`;
  const [tag, message, text] =
    test.status === "error"
      ? ["error", "The test could not run", errorsText(diagnostics)]
      : ["failure", "Other receivers than expected", "event" in test ? failureText(test) : ""];
  return `${head}>\n      <${tag} message="${message}">${escaped(text)}</${tag}>\n    </testcase>\n`;
}

function failureText(test: TestResult): string {
  const { event, place } = test;
  const receivers = describeReceivers(test).map(({ sign, text }) => `${sign} ${text}`);
  return [whereText(place), ...(event ? [eventText(event)] : []), ...receivers].join("\n");
}

function errorsText(diagnostics: readonly Diagnostic[]): string {
  return diagnosticsText(
    diagnostics.filter(({ severity }) => severity === "error"),
    plain,
  ).trimEnd();
}

/** The only other characters that XML does not have. */
const NO_XML = /[\u{fffe}\u{ffff}]/gu;

/** Text, or the value of an attribute. XML has no other control characters than white space. */
function escaped(text: string): string {
  return visibleLines(text)
    .replaceAll(NO_XML, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
