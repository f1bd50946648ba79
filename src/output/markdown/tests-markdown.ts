import { type TestsFormat, describeReceivers, eventText, hasPassed, testsSummary } from "../content/describe-tests.ts";
import { codeSpan } from "./escape.ts";
import { type Section, MOST_MARKDOWN, diagnosticsMarkdown, fitted } from "./fit.ts";

const MOST_MESSAGES = 15_000;
const MORE = "Not everything fits here. To see the whole report, run `outreach test`.\n";

/** The report of tests as a comment or a job summary: at most 60,000 characters. */
export const testsMarkdown: TestsFormat = (report, { mask }) => {
  const head = `### ${hasPassed(report) ? "Tests passed" : "Tests failed"}\n\n**${testsSummary(report)}**\n\n`;
  const messages = diagnosticsMarkdown(
    report.files.flatMap(({ diagnostics }) => diagnostics),
    mask,
    MOST_MESSAGES,
  );
  const sections = report.files.map(({ file, tests }): Section => ({
    title: `${tests.length === 1 ? "test" : "tests"} in ${codeSpan(mask(file))}`,
    head: "| Test | Result | Event | Receivers |\n|---|---|---|---|\n",
    rows: tests.map((test) => {
      const event = test.event === null ? "" : codeSpan(mask(eventText(test.event)));
      const receivers = describeReceivers(test).map(({ sign, text }) => codeSpan(mask(`${sign} ${text}`.trim())));
      const cells = (...more: readonly string[]): string =>
        `| ${[codeSpan(mask(test.name)), test.status, ...more].join(" | ")} |\n`;
      return { full: cells(event, receivers.join("<br>")), short: cells("", ""), count: 1 };
    }),
    isImportant: true,
  }));
  const { text, isWhole } = fitted(sections, MOST_MARKDOWN - head.length - messages.length - MORE.length);
  return `${`${head}${messages}${text}${isWhole ? "" : MORE}`.trimEnd()}\n`;
};
