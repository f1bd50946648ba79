import type { Argument, Configuration, FanOutPart } from "../../core/config/block.ts";
import { blockOf, formatAddress } from "../../core/model/address.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import type { OutputValue } from "../../core/model/declaration.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, hasErrors, errorOf } from "../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import type { CdkLanguage } from "./cdk-language.ts";
import { cdkText } from "./cdk-text.ts";
import { differencesInTerraform, stackFeatures } from "./differences.ts";
import type { CdkLanguageName, Form } from "./forms.ts";
import { python } from "./cdk-python.ts";
import { typescript } from "./cdk-typescript.ts";
import { variableExports, type Side, type Steps, exportsOf, stepsText } from "./steps.ts";
import { type Handover, handoverOf } from "./handover.ts";
import { IMPORTS_FILE, hclText } from "./hcl-text.ts";
import { plainBlocks } from "./plain-blocks.ts";
import { markedOutputs } from "./terraform-block.ts";
import { yamlBlocks } from "./yaml-blocks.ts";
import { yamlText } from "./yaml-text.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import { type Replace, rewriteArgument } from "./rewrite.ts";

interface ConvertInput {
  readonly catalog: Catalog;
  readonly from: {
    readonly form: "yaml" | "cdk";
    readonly file: string;
    /** The base of relative paths; null: the working folder. */ readonly inside: string | null;
  };
  readonly to: Form;
  /** Of the program, for `cdk`. */
  readonly language: CdkLanguageName;
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** The outputs, as far as they are known without reads. */
  readonly outputs: readonly OutputValue[];
  /** Null: no state exists. */
  readonly state: { readonly path: string; readonly instances: readonly RecordedInstance[] | null };
  /** The options for configuration, state and values, each followed by a space. */
  readonly given: string;
  /** The other options of the conversion. */
  readonly asked: string;
  /** Whether an environment variable is set. */
  readonly isSet: (name: string) => boolean;
}

interface Converted {
  readonly text: string;
  readonly steps: string;
}

/** Converts the declarations to another form. Null, with errors, if the form cannot express something. */
export function convert(declared: Configuration, input: ConvertInput): Result<Converted | null> {
  const { catalog, from, to, state } = input;
  const configuration = withRecordedLists(withInlinedTeam(declared), state.instances ?? []);
  if (from.form === to) return { value: null, diagnostics: [sameForm(from)] };
  const handover = state.instances && handoverOf(configuration, state.instances, catalog);
  const { value: made, diagnostics } = convertParts(withHandover(configuration, handover), input);
  const all = [...(handover?.diagnostics ?? []), ...diagnostics, ...stackFeatures(configuration)];
  if (hasErrors(all)) return { value: null, diagnostics: all };
  // The target side has its own state.
  const environment = [
    ...(to !== "hcl" && input.isSet("OUTREACH_STATE") ? ["unset OUTREACH_STATE"] : []),
    ...made.environment,
  ];
  return {
    value: { text: made.text(), steps: stepsText(stepsOf(input, { handover, environment })) },
    diagnostics: all,
  };
}

interface Written {
  /** Call it only without errors. */
  readonly text: () => string;
  /** Shell lines that set up the target's environment. */
  readonly environment: readonly string[];
}

function convertParts(
  configuration: Configuration,
  { catalog, from, to, language, variables: values, outputs: evaluated, isSet }: ConvertInput,
): Result<Written> {
  if (to === "yaml") {
    const { value, secrets: names, diagnostics } = yamlBlocks(configuration, { catalog, variables: values });
    const secrets = configuration.variables.filter(({ name }) => names.has(name));
    const environment = [
      ...variableExports(value.variables, { values, to: "OUTREACH_VAR_", isSet }),
      ...variableExports(secrets, { values, to: "TF_VAR_", isSet }),
    ];
    return { value: { text: () => yamlText(value, catalog), environment }, diagnostics };
  }
  const { value: plain, diagnostics } = plainBlocks(configuration, { catalog, values, onLines: to === "hcl" });
  const differences = from.form === "yaml" ? differencesInTerraform(configuration) : [];
  const all = { ...plain, outputs: markedOutputs(plain, { catalog, evaluated }) };
  return {
    value: {
      text: () => (to === "hcl" ? hclText(all) : cdkText(all, catalog, LANGUAGES[language])),
      environment: [
        ...variableExports(plain.variables, { values, to: "TF_VAR_", isSet }),
        ...exportsOf(plain.secrets, from.inside),
      ],
    },
    diagnostics: [...diagnostics, ...differences],
  };
}

/** Replaces the import, moved and removed statements: those of the source concern its own state. */
function withHandover(configuration: Configuration, handover: Handover | null): Configuration {
  if (!handover) return configuration;
  const recorded = new Set(handover.imports.map(({ to }) => to));
  return {
    ...configuration,
    imports: [...configuration.imports.filter(({ to }) => !recorded.has(to)), ...handover.imports],
    moved: [],
    removed: [],
  };
}

function stepsOf(
  { from, to, language, state, given, asked }: ConvertInput,
  rest: Pick<Steps, "handover" | "environment">,
): Steps {
  return {
    command: `outreach convert ${given}${asked}`,
    from: {
      ...from,
      plan: [`outreach plan ${given}`.trim()],
      apply: `outreach apply ${given}`.trim(),
      releaseText: RELEASE_TEXTS[from.form](from),
    },
    to: to === "cdk" ? programOf(LANGUAGES[language]) : TARGETS[to],
    state: state.path,
    ...rest,
  };
}

const RELEASE_TEXTS: { readonly [form in "yaml" | "cdk"]: (from: ConvertInput["from"]) => string } = {
  yaml: ({ file, inside }) =>
    file === inside
      ? `In the files of ${file}, remove webhooks, lead_unsubscriptions and the outputs that refer to them, and add this to one of them:`
      : `In ${file}, remove webhooks, lead_unsubscriptions and the outputs that refer to them, and add:`,
  cdk: () =>
    "In the application, remove the resources and the outputs that refer to them, add this to the stack, and synthesise it:",
};

const LANGUAGES: { readonly [name in CdkLanguageName]: CdkLanguage } = { typescript, python };

const TARGETS: { readonly [form in Exclude<Form, "cdk">]: Side } = {
  yaml: { file: "outreach.yaml", plan: ["outreach plan"], apply: "outreach apply" },
  hcl: {
    file: "main.tf",
    importsFile: IMPORTS_FILE,
    plan: ["terraform init", "terraform plan"],
    apply: "terraform apply",
  },
};

function programOf({ file, run }: CdkLanguage): Side {
  const stack = "-c cdktf.out/stacks/webhooks";
  return { file, plan: [...run, `outreach plan ${stack}`], apply: `outreach apply ${stack}` };
}

function sameForm({ form, file }: ConvertInput["from"]): Diagnostic {
  const what = form === "yaml" ? "YAML" : "a synthesized CDK stack";
  return errorOf("convert_same_form", "Already in this form", {
    detail: `${file} is ${what}.`,
    hint: `Choose another form: --to ${form === "yaml" ? "hcl or --to cdk" : "hcl or --to yaml"}.`,
  });
}

/** The recorded values in place of a list that only a command knows. */
function withRecordedLists(configuration: Configuration, instances: readonly RecordedInstance[]): Configuration {
  const withRecorded = (part: FanOutPart, address: string): FanOutPart => {
    if (!part.unread || part.values.kind !== "list") return part;
    const recorded = instances.filter((instance) => !instance.undeclared && blockOf(instance.address) === address);
    const added = recorded.map(({ attributes }): Argument => ({
      kind: "literal",
      value: attributes[part.attribute] ?? null,
    }));
    return { ...part, values: { kind: "list", items: [...part.values.items, ...added] } };
  };
  const blocks = configuration.blocks.map((block) => {
    if (!block.fanOut?.some(({ unread }) => unread)) return block;
    const address = formatAddress({ mode: block.mode, type: block.type, name: block.name, key: null });
    return { ...block, fanOut: block.fanOut.map((part) => withRecorded(part, address)) };
  });
  return { ...configuration, blocks };
}

/** The configuration of one team with the team's name in place of `team.name`, which only YAML has. */
function withInlinedTeam(configuration: Configuration): Configuration {
  const { team, blocks, outputs, checks = [], imports, service } = configuration;
  if (team === undefined) return configuration;
  const replace: Replace = ({ steps: [root, name] }) =>
    root === "team" && name === "name" ? { steps: 2, by: { kind: "literal", value: team } } : null;
  const inlined = (argument: Argument): Argument =>
    referencesIn(argument).some(({ steps: [root] }) => root === "team") ? rewriteArgument(argument, replace) : argument;
  return {
    ...configuration,
    blocks: blocks.map(({ arguments: given, fanOut, ...block }) => ({
      ...block,
      arguments: Object.fromEntries(Object.entries(given).map(([name, argument]) => [name, inlined(argument)])),
      ...(fanOut ? { fanOut: fanOut.map((part) => ({ ...part, values: inlined(part.values) })) } : {}),
    })),
    outputs: outputs.map((output) => ({ ...output, value: inlined(output.value) })),
    checks: checks.map((check) => ({
      ...check,
      asserts: check.asserts.map((one) => ({
        ...one,
        condition: inlined(one.condition),
        message: inlined(one.message),
      })),
    })),
    imports: imports.map((one) => ({ ...one, id: inlined(one.id) })),
    service: { ...service, baseUrl: service.baseUrl && inlined(service.baseUrl) },
  };
}
