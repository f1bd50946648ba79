import path from "node:path";
import { type Diagnostic, DiagnosticsError, errorOf, hasErrors } from "../../core/model/diagnostic.ts";
import type { Source } from "../../frontends/yaml/config-file.ts";
import { type TestFile, readTestFile } from "../../frontends/yaml/tests/read-tests.ts";
import type { TestReport, TestedFile } from "../../service/deliveries/test-report.ts";
import type { Interrupt, OpenedConfiguration } from "../context.ts";
import { type LoadContext, loadConfiguration } from "../configuration/load-configuration.ts";
import { namedPath, readNamedFile, resolvePath } from "../configuration/named-file.ts";
import { readConfiguration } from "../configuration/read-configuration.ts";
import type { ConfigurationOptions } from "../options.ts";
import { evaluateOffline } from "./evaluate-offline.ts";
import { failedFile, runTests } from "./run-tests.ts";

const TEST_FOLDER = "tests";
const YAML_FILE = /^[^.].*\.ya?ml$/i;

/** Something to copy, for those who have no test yet. */
const EXAMPLE = `version: 1
tests:
  replies reach the CRM:
    event: { type: emailsReplied }
    receives: [https://crm.example.com/replies]`.replaceAll(/^/gm, "  ");

/**
 * Runs the tests of the named files and folders, or of those in `tests` beside the configuration. Reads no state, no secret and no service.
 * Throws if there are no tests, or no configuration.
 */
export async function test(
  context: LoadContext & Interrupt,
  options: ConfigurationOptions,
  named: readonly string[],
): Promise<TestReport> {
  const configuration = context.configuration ?? (await readConfiguration(context, options.config));
  const sources = await (named.length > 0 ? namedSources(context, named) : defaultSources(context, configuration));
  const files = await Promise.all(sources.map(readTestFile));
  const chosen = files.filter(({ team }) => team === null || options.team.length === 0 || options.team.includes(team));
  if (chosen.length === 0)
    throw noTests(
      `No test file is about the team ${options.team.join(", ")}.`,
      "Set team in one of them, or omit --team.",
    );
  const tested: TestedFile[] = [];
  for (const file of chosen) tested.push(await testFile({ ...context, configuration }, options, file));
  return { files: tested };
}

async function testFile(
  context: LoadContext & Interrupt & { readonly configuration: OpenedConfiguration },
  options: ConfigurationOptions,
  file: TestFile,
): Promise<TestedFile> {
  if (hasErrors(file.diagnostics)) return failedFile(file, file.diagnostics);
  const { catalog, stop: signal } = context;
  const team = file.team === null ? options.team : [file.team];
  const mistakes = (found: readonly Diagnostic[]): readonly Diagnostic[] =>
    found.filter(({ severity }) => severity === "error");
  try {
    const { value: loaded, diagnostics } = await loadConfiguration(context, {
      ...options,
      team,
      values: file.variables,
    });
    if (hasErrors(diagnostics)) return failedFile(file, mistakes(diagnostics));
    return runTests(file, await evaluateOffline(loaded.evaluate, { catalog, test: file, signal }), catalog);
  } catch (error) {
    if (error instanceof DiagnosticsError) return failedFile(file, error.diagnostics);
    throw error;
  }
}

/** The files of `tests` beside the configuration; for a stack, whose folder each synthesis makes again, in the working folder. */
async function defaultSources(context: LoadContext, { value }: OpenedConfiguration): Promise<readonly Source[]> {
  const folder = path.posix.relative(context.folder, path.posix.resolve(context.folder, value.folder, TEST_FOLDER));
  const sources = await folderSources(context, folder);
  if (sources === null)
    throw noTests(
      `The folder ${folder} does not exist.`,
      `Write a test file, as in ${folder}/receivers.yaml:\n${EXAMPLE}`,
    );
  if (sources.length === 0)
    throw noTests(
      `The folder ${folder} has no test file (*.yaml, *.yml).`,
      `Write one, as in ${folder}/receivers.yaml:\n${EXAMPLE}`,
    );
  return sources;
}

async function namedSources(context: LoadContext, named: readonly string[]): Promise<readonly Source[]> {
  const found = await Promise.all(
    named.map(async (file) => {
      const sources = await folderSources(context, file.replace(/(?<=.)\/+$/, ""));
      if (sources?.length === 0)
        throw noTests(
          `The folder ${file} has no test file (*.yaml, *.yml).`,
          "Name test files, or a folder that has some.",
        );
      if (sources) return sources;
      const bytes = await readNamedFile(context, file);
      if (bytes === null)
        throw noTests(`The file ${file} does not exist.`, "Name a test file, or a folder of test files.");
      return [{ file, bytes }];
    }),
  );
  return [...new Map(found.flat().map((source) => [path.posix.normalize(source.file), source])).values()];
}

/** The test files of a folder, by name; null if it is no folder. */
async function folderSources(context: LoadContext, folder: string): Promise<readonly Source[] | null> {
  const full = (await namedPath(context, folder)) ?? resolvePath(context.folder, folder);
  if ((await context.files.kind(full)) !== "folder") return null;
  const names = (await context.files.list(full)).filter((name) => YAML_FILE.test(name)).toSorted();
  const read = await Promise.all(
    names.map(async (name) => {
      const file = `${folder}/${name}`;
      const bytes = await readNamedFile(context, file);
      return bytes === null ? [] : [{ file, bytes }];
    }),
  );
  return read.flat();
}

function noTests(detail: string, hint: string): DiagnosticsError {
  return new DiagnosticsError([errorOf("tests_missing", "No tests", { detail, hint })]);
}
