import type { Argument, Block, Configuration, Locate } from "../../core/config/block.ts";
import { formatAddress } from "../../core/model/address.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** These expressions depend on the stack's folder, or on the states of the other stacks. */
const IN_FOLDER = /\bfile\s*\(|\bpath\.(?:module|root)\b|\bdata\.terraform_remote_state\./;

/** What a conversion cannot keep: conditions, with a warning, and what is next to the stack, with an error. */
export function stackFeatures(configuration: Configuration): readonly Diagnostic[] {
  return [...conditions(configuration), ...filesIn(configuration)];
}

function conditions({ variables, outputs, blocks }: Configuration): readonly Diagnostic[] {
  const named = [
    ...variables.flatMap(({ name, validations = [] }) => (validations.length > 0 ? [`var.${name}`] : [])),
    ...blocks.flatMap((block) => ((block.preconditions ?? []).length + (block.postconditions ?? []).length > 0 ? [addressOf(block)] : [])),
    ...outputs.flatMap(({ name, preconditions = [] }) => (preconditions.length > 0 ? [`output.${name}`] : [])),
  ];
  if (named.length === 0) return [];
  return [
    {
      code: "convert_conditions",
      severity: "warning",
      summary: "Conditions are not converted",
      detail: `These have conditions, which the result does not contain: ${named.join(", ")}.`,
      hint: "The webhooks stay the same. Add the conditions by hand if the target supports them.",
    },
  ];
}

function filesIn({ blocks, locals = [], outputs }: Configuration): readonly Diagnostic[] {
  const all: readonly (readonly [name: string, args: readonly Argument[], locate: Locate])[] = [
    ...blocks.map((block) => [addressOf(block), [...Object.values(block.arguments), ...(block.repeat ? [block.repeat.value] : [])], block.locate] as const),
    ...locals.map(({ name, value, locate }) => [`local.${name}`, [value], locate] as const),
    ...outputs.map(({ name, value, locate }) => [`output.${name}`, [value], locate] as const),
  ];
  return all.flatMap(([name, args, locate]): readonly Diagnostic[] => {
    if (!args.some(isInFolder)) return [];
    const place = locate([]);
    return [
      {
        code: "convert_unsupported",
        severity: "error",
        summary: "Conversion not possible",
        detail: `${name} uses file, path or the outputs of another stack, which exist only next to the stack.`,
        hint: "In the application, use the value itself or a variable instead, and convert again.",
        ...(place ? { place } : {}),
      },
    ];
  });
}

function isInFolder(argument: Argument): boolean {
  if (argument.kind === "template") return IN_FOLDER.test(argument.text);
  if (argument.kind === "list") return argument.items.some(isInFolder);
  return argument.kind === "object" && argument.entries.flat().some(isInFolder);
}

function addressOf({ mode, type, name }: Block): string {
  return formatAddress({ mode, type, name, key: null });
}
