import { Option } from "commander";
import type { Configuration } from "../../../core/config/block.ts";
import { DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { assertKnownTypes } from "../../../core/state/known-types.ts";
import { readState } from "../../../core/state/open-state.ts";
import type { StateStore } from "../../../core/state/state-store.ts";
import { convert } from "../../convert/convert-configuration.ts";
import { CDK_LANGUAGES, type CdkLanguageName, FORMS, type Form } from "../../convert/forms.ts";
import type { Environment, Hints, Product, WorkingFolder } from "../../../operations/context.ts";
import type { CommandContext } from "../command-context.ts";
import { checkConfiguration } from "../../../operations/configuration/check-configuration.ts";
import type { LoadedConfiguration } from "../../../operations/configuration/load-configuration.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StatePathOptions, withStatePath } from "../program/command-options.ts";
import { learnState, personalTexts } from "../../../operations/personal-data.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { assertDecided } from "../../../operations/state/records.ts";
import { openStore } from "../../../operations/state/state-place.ts";

interface ConvertOptions extends StatePathOptions {
  readonly to: Form;
  readonly language?: CdkLanguageName;
}

/** Prints the configuration in another form, and the steps to hand over to it. Writes no file and calls no service. */
export const convertCommand: CommandDefinition<ConvertOptions> = {
  name: "convert",
  description: "prints the configuration in another form, and the steps to hand over to it; writes and sends nothing",
  example: { purpose: "to continue with Terraform", lines: ["outreach convert -c outreach.yaml --to hcl > main.tf"] },
  declare: (command) =>
    withStatePath(command)
      .addOption(
        new Option("--to <form>", "the form: YAML, HCL, or a program with constructs")
          .choices(FORMS)
          .makeOptionMandatory(),
      )
      .addOption(
        new Option(
          "--language <language>",
          "of the program: TypeScript for cdktn by default, or Python for cdktf",
        ).choices(CDK_LANGUAGES),
      ),
  run: async (context, { options }) => {
    const { config, to, language } = options;
    if (language && to !== "cdk")
      throw DiagnosticsError.of("option_conflict", "Conflicting options", {
        detail: `--language is the language of a program with constructs, and --to ${to} is none.`,
        hint: "Omit --language, or pass --to cdk.",
      });
    const { value: loaded, diagnostics } = await checkConfiguration(context, options);
    const wrong = diagnostics.filter(({ unknown, severity }) => severity === "error" && unknown !== "value");
    if (wrong.length > 0) throw new DiagnosticsError(wrong);
    const store = await openStore(context, options, { loaded });
    const instances = await recorded(context, store, options);
    if (context.hidesEmails.out && holdsEmails(context, loaded.configuration, instances)) throw emailsHidden();
    const isStack = loaded.configuration.locals !== undefined;
    const { value: converted, diagnostics: found } = convert(loaded.configuration, {
      catalog: context.catalog,
      from: {
        form: isStack ? "cdk" : "yaml",
        file: config.replace(/(?<=.)\/+$/, ""),
        inside: insideOf(context, loaded),
      },
      to,
      language: language ?? "typescript",
      variables: loaded.variables,
      outputs: loaded.evaluate({ known: new Map(), instances: [] }).outputs,
      state: { path: store.name, instances },
      given: givenWords(context, options, loaded),
      asked: `--to ${to}${language ? ` --language ${language}` : ""}${options.showEmails ? " --show-emails" : ""}`,
      isSet: (name) => context.environment[name] !== undefined,
    });
    printDiagnostics(context, found);
    if (hasErrors(found) || converted === null) return 1;
    context.out(converted.text);
    context.err(`\n${context.asCalled(converted.steps)}`);
    return 0;
  },
};

/** The folder of the configuration, relative to the working folder; null if it is the working folder. */
function insideOf({ folder }: WorkingFolder, { configuration }: LoadedConfiguration): string | null {
  if (configuration.folder === folder) return null;
  return configuration.folder.startsWith(`${folder}/`)
    ? configuration.folder.slice(folder.length + 1)
    : configuration.folder;
}

/** The options that make another command use the same configuration, state and values. Users fill in sensitive values. */
function givenWords(
  { given, environment }: Environment & Hints,
  { state, var: assigned, varFile }: ConvertOptions,
  { variables }: LoadedConfiguration,
): string {
  const ambient = environment["OUTREACH_STATE"] ?? "";
  const values = assigned.map((assignment) => {
    const [name = ""] = assignment.split("=", 1);
    return `--var ${variables.get(name)?.sensitive ? `${name}=...` : shellWord(assignment)} `;
  });
  return [
    given,
    state === undefined && ambient !== "" ? `--state ${shellWord(ambient)} ` : "",
    ...varFile.map((path) => `--var-file ${shellWord(path)} `),
    ...values,
  ].join("");
}

/** Null without a state, unless the user named one. Throws while an outcome is undecided: the records may still change. */
async function recorded(
  context: CommandContext,
  store: StateStore,
  { state }: ConvertOptions,
): Promise<readonly RecordedInstance[] | null> {
  const open = await readState(store, context.random, context.stop);
  if (open.version === null && state === undefined) return null;
  if (open.version === null)
    throw DiagnosticsError.of("state_missing", "No state was found", {
      detail: `The state ${store.name} does not exist.`,
      hint: "Correct --state, or omit it to import nothing.",
    });
  learnState(context, open.document);
  assertKnownTypes(context.catalog, open.document);
  assertDecided({ store, open }, () => true);
  return open.document.instances;
}

function holdsEmails(
  { catalog }: Product,
  configuration: Configuration,
  instances: readonly RecordedInstance[] | null,
): boolean {
  const personal = new Set(
    catalog.resources.flatMap(({ type, schema }) =>
      Object.values(schema).some((attribute) => attribute.personal) ? [type] : [],
    ),
  );
  // A stack makes its instances in expressions, whose emails cannot be found before everything is known.
  return (
    personalTexts(configuration, catalog).length > 0 ||
    [...configuration.blocks, ...(instances ?? [])].some(({ type }) => personal.has(type))
  );
}

function emailsHidden(): DiagnosticsError {
  return DiagnosticsError.of("convert_emails", "The configuration contains email addresses of leads", {
    detail: "Emails are masked unless output is a terminal, and a masked email would make the result useless.",
    hint: "Pass --show-emails to print them, and store the result where personal data may be stored.",
  });
}
