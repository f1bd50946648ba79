import { posix } from "node:path";
import { Option } from "commander";
import { DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import { namedPath, resolvePath } from "../../../operations/configuration/named-file.ts";
import type { WorkingFolder } from "../../../operations/context.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { test } from "../../../operations/test/test.ts";
import { hasPassed } from "../../../output/content/describe-tests.ts";
import { TEST_FORMATS, TEST_FORMAT_NAMES, type TestFormatName, junitReport } from "../../../output/formats/formats.ts";
import { plain } from "../../../output/content/paint.ts";
import { documentContext } from "../plans/show-documents.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type ConfigOptions, formatName, withConfigPath } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

interface TestOptions extends Omit<ConfigOptions, "showEmails"> {
  readonly json: boolean;
  readonly format: TestFormatName;
  readonly junitXml?: string;
}

/** Runs tests of the configuration: which receivers get an event. Reads no state, no secret and no service. */
export const testCommand: CommandDefinition<TestOptions, readonly [files: readonly string[]]> = {
  name: "test",
  description: "runs the tests of the configuration: which receivers get an event, without the network",
  example: { lines: ["outreach test", "outreach test --junit-xml report.xml tests/replies.yaml"] },
  declare: (command) =>
    withConfigPath(command)
      .argument("[files...]", "test files, or folders of them; by default the folder tests beside the configuration")
      .option("--junit-xml <path>", "also write a report in JUnit's format into this file")
      .option("--json", "print one JSON object, as --format json does", false)
      .addOption(new Option("--format <format>", "the output format").choices(TEST_FORMAT_NAMES).default("text")),
  run: async (context, { options, operands: [files] }) => {
    const name = formatName(options);
    const { junitXml } = options;
    if (junitXml !== undefined) await checkReportFile(context, junitXml);
    const { files: tested } = await test(context, options, files);
    const shown = documentContext(context);
    const arranged = tested.map(({ diagnostics, ...file }) => ({
      ...file,
      diagnostics: arrangedDiagnostics(context, diagnostics, { hidesEmails: context.hidesEmails.out }),
    }));
    if (junitXml !== undefined) {
      const text = context.redactor.redact((await junitReport())({ files: arranged }, { ...shown, paint: plain }));
      await replaceReport(context, junitXml, text);
    }
    context.out((await TEST_FORMATS[name]())({ files: arranged }, shown));
    if (name !== "json")
      printDiagnostics(
        context,
        tested.flatMap(({ diagnostics }) => diagnostics),
      );
    return hasPassed({ files: tested }) ? 0 : 1;
  },
};

const XML = "<?xml";
const MAX_BYTES = 64;

/** Only an earlier report is overwritten. */
async function checkReportFile(context: WorkingFolder, path: string): Promise<void> {
  const full = resolvePath(context.folder, path);
  if ((await namedPath(context, posix.dirname(path))) === null)
    throw unwritable(`The folder of ${path} does not exist.`);
  const kind = await context.files.kind(full);
  if (kind === null) return;
  if (kind !== "file") throw unwritable(`${path} is no regular file.`);
  const bytes = await context.files.read(full);
  const begin = new TextDecoder().decode(bytes?.slice(0, MAX_BYTES));
  if (begin !== "" && !begin.startsWith(XML))
    throw unwritable(`${path} exists and is not XML, so it is not overwritten.`);
}

async function replaceReport({ files, folder }: WorkingFolder, path: string, text: string): Promise<void> {
  const full = resolvePath(folder, path);
  await files.remove(full);
  await files.createExclusively(full, new TextEncoder().encode(text), { isPublic: true });
}

function unwritable(detail: string): DiagnosticsError {
  return new DiagnosticsError([
    errorOf("report_unwritable", "Cannot write the report", {
      detail,
      hint: "Pass another path to --junit-xml, as in --junit-xml report.xml.",
    }),
  ]);
}
