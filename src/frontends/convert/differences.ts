import { addressOf } from "../../core/config/round.ts";
import type { Block, Configuration, Argument, Locate, ValueSource } from "../../core/config/block.ts";
import { type Diagnostic, errorOf, warningOf, noteOf } from "../../core/model/diagnostic.ts";

/** Notes about parts of a YAML configuration with another meaning, or none, in Terraform. */
export function differencesInTerraform(configuration: Configuration): readonly Diagnostic[] {
  const { blocks } = configuration;
  const filtered = blocks.filter(({ fanOut = [], prune }) => !prune && fanOut.some((part) => part.filtered));
  const emptied = blocks.filter(
    ({ fanOut = [], allowEmpty }) => !allowEmpty && fanOut.some(({ values }) => values.kind !== "list"),
  );
  const hasSource = (kind: ValueSource["from"]["kind"]) =>
    blocks.filter(({ fanOut = [] }) =>
      fanOut.some(({ sources = [] }) => sources.some(({ from }) => from.kind === kind)),
    );
  const [listed, printed] = [hasSource("file"), hasSource("command")];
  const kept = blocks.filter(({ arguments: { protect } }) => protect?.kind === "literal" && protect.value === true);
  return [
    ...blockNote(
      filtered,
      "Terraform destroys instances that leave a filter",
      "Terraform destroys the instances whose campaign no longer matches the filter; outreach keeps them, and Terraform cannot import kept instances.",
      "If outreach plan keeps instances, list their campaigns, or set prune: true to delete them. Then apply and convert again. Later, check the destroys of each plan before you apply it.",
    ),
    ...blockNote(
      emptied,
      "Terraform accepts an empty fan-out",
      "If a filter finds nothing, Terraform plans no instance and reports no error.",
      "Check the destroys of each plan before you apply it.",
    ),
    ...blockNote(
      kept,
      "prevent_destroy is stricter than protect",
      "With prevent_destroy, Terraform refuses every replace. protect allows the replace for a changed secret.",
      "To apply a new secret, remove prevent_destroy for that apply.",
    ),
    ...blockNote(
      listed,
      "The addresses of a file become literal values",
      "The output contains the addresses from the file in emails_from.",
      "Add further addresses there.",
    ),
    ...blockNote(
      printed,
      "Terraform runs no command for a list",
      "The output contains the addresses that the state records in place of those that the command in emails_from prints.",
      "Add further addresses there, or write them to a file before each plan.",
    ),
    ...settingNotes(configuration),
  ];
}

/** Settings outside of blocks that are set, with what to do instead. */
function settingNotes({
  blocks,
  checks = [],
  limits,
  lint,
  notify = [],
  removals = [],
  service,
  team,
}: Configuration): readonly Diagnostic[] {
  const hasLint = (lint?.size ?? 0) > 0 || blocks.some(({ lintOff }) => lintOff !== undefined);
  const hasErrors = checks.some(({ severity }) => severity === "error");
  return [
    ...keyNote(
      "limits",
      Object.keys(limits).length > 0,
      "Terraform does not limit the changes of an apply.",
      "Check the numbers of each plan before you apply it.",
    ),
    ...keyNote(
      "lint",
      hasLint,
      "The provider has no rules, and its warnings cannot be turned off.",
      "Check the rules with outreach before you convert.",
    ),
    ...keyNote(
      "notify",
      notify.length > 0,
      "The provider sends no notifications, so the output has none.",
      "Let the pipeline that runs Terraform send them.",
    ),
    ...keyNote(
      "removals",
      removals.length > 0,
      "Terraform deletes only what it manages, so the output has no removals.",
      "Apply them here first.",
    ),
    ...keyNote(
      "checks.severity",
      hasErrors,
      "In Terraform, a failed check is always a warning.",
      "For an error, add a precondition to a resource.",
    ),
    ...keyNote(
      "teams",
      team !== undefined,
      `The output is for the team ${team ?? ""}.`,
      "Convert each team, and keep it in a folder of its own.",
    ),
    ...keyNote(
      "service.rate_share",
      service.rateShare !== undefined,
      "The provider uses the whole rate limit.",
      "Apply when nobody else uses the key.",
    ),
    ...keyNote(
      "service.base_url",
      Boolean(service.baseUrl),
      "In Terraform, the provider's base_url overrides OUTREACH_BASE_URL. In outreach it is the other way round.",
      "To set the URL with the environment, remove base_url from the provider.",
    ),
  ];
}

function keyNote(key: string, isSet: boolean, detail: string, hint: string): readonly Diagnostic[] {
  return isSet ? [noteOf("convert_difference", `${key} differs in Terraform`, { detail, hint })] : [];
}

function blockNote(blocks: readonly Block[], summary: string, detail: string, hint: string): readonly Diagnostic[] {
  if (blocks.length === 0) return [];
  const names = blocks.map(({ type, name }) => `${type}.${name}`).join(", ");
  return [noteOf("convert_difference", summary, { detail: `${detail} Affected: ${names}.`, hint })];
}

/** These expressions depend on the stack's folder, or on the states of the other stacks. */
const IN_FOLDER = /\bfile\s*\(|\bpath\.(?:module|root)\b|\bdata\.terraform_remote_state\./;

/** What a conversion cannot keep: conditions, with a warning, and what is next to the stack, with an error. */
export function stackFeatures(configuration: Configuration): readonly Diagnostic[] {
  return [...conditions(configuration), ...filesIn(configuration)];
}

function conditions({ variables, outputs, blocks }: Configuration): readonly Diagnostic[] {
  const named = [
    ...variables.flatMap(({ name, validations = [] }) => (validations.length > 0 ? [`var.${name}`] : [])),
    ...blocks.flatMap((block) =>
      (block.preconditions ?? []).length + (block.postconditions ?? []).length > 0 ? [addressOf(block)] : [],
    ),
    ...outputs.flatMap(({ name, preconditions = [] }) => (preconditions.length > 0 ? [`output.${name}`] : [])),
  ];
  if (named.length === 0) return [];
  return [
    warningOf("convert_conditions", "Conditions are not converted", {
      detail: `These have conditions, which the result does not contain: ${named.join(", ")}.`,
      hint: "The webhooks stay the same. Add the conditions by hand if the target supports them.",
    }),
  ];
}

function filesIn({ blocks, locals = [], outputs }: Configuration): readonly Diagnostic[] {
  const all: readonly (readonly [name: string, args: readonly Argument[], locate: Locate])[] = [
    ...blocks.map(
      (block) =>
        [
          addressOf(block),
          [...Object.values(block.arguments), ...(block.repeat ? [block.repeat.value] : [])],
          block.locate,
        ] as const,
    ),
    ...locals.map(({ name, value, locate }) => [`local.${name}`, [value], locate] as const),
    ...outputs.map(({ name, value, locate }) => [`output.${name}`, [value], locate] as const),
  ];
  return all.flatMap(([name, args, locate]): readonly Diagnostic[] => {
    if (!args.some(isInFolder)) return [];
    return [
      errorOf("convert_unsupported", "Conversion not possible", {
        detail: `${name} uses file, path or the outputs of another stack, which exist only next to the stack.`,
        hint: "In the application, use the value itself or a variable instead, and convert again.",
        place: locate([]),
      }),
    ];
  });
}

function isInFolder(argument: Argument): boolean {
  if (argument.kind === "template") return IN_FOLDER.test(argument.text);
  if (argument.kind === "list") return argument.items.some(isInFolder);
  return argument.kind === "object" && argument.entries.flat().some(isInFolder);
}
