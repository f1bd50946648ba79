import type { Block, Configuration, OtherService } from "../../core/config/block.ts";
import { isName } from "../../core/model/address.ts";
import type { Diagnostic, Result } from "../../core/model/diagnostic.ts";
import { stackMistake, requiresTerraform, unknownArgument } from "./stack-problems.ts";
import { optionalArgument } from "./read-argument.ts";
import { PROVIDER } from "./read-stack-block.ts";
import { COMMENT, type Labelled, constructPath } from "./stack-tree.ts";

const KNOWN = ["base_url", "api_key", "unique_target_url", "mark", "alias", "version"];

type Flag = "exclusive" | "mark";

const FLAGS: readonly (readonly [Flag, argument: string])[] = [
  ["exclusive", "unique_target_url"],
  ["mark", "mark"],
];

/** The service of the blocks: the first provider configuration that a block uses, and the others. */
export function readProviders(
  written: readonly Labelled[],
  { blocks, file }: { readonly blocks: readonly Block[]; readonly file: string },
): Result<Configuration["service"]> {
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, OtherService>();
  const flags = new Map<string, Partial<Record<Flag, boolean>>>();
  for (const {
    labels: [provider = ""],
    body,
  } of written) {
    const { alias } = body;
    const name =
      alias === undefined ? provider : `${provider}.${typeof alias === "string" ? alias : JSON.stringify(alias)}`;
    const place = { file, construct: constructPath(body) ?? `provider.${name}` };
    if (provider !== PROVIDER) {
      diagnostics.push(requiresTerraform(`the provider ${provider}`, "it is not the outreach provider", place));
      continue;
    }
    if (alias !== undefined && (typeof alias !== "string" || !isName(alias)))
      diagnostics.push(
        stackMistake("Invalid alias", {
          detail: `${JSON.stringify(alias)} is not a valid alias.`,
          hint: "Use a plain name.",
          place,
        }),
      );
    for (const key of Object.keys(body))
      if (key !== COMMENT && !KNOWN.includes(key)) diagnostics.push(unknownArgument(key, KNOWN, place));
    if (found.has(name))
      diagnostics.push(
        stackMistake("Duplicate provider configuration", {
          detail: `${name} is configured twice.`,
          hint: "Give one of them an alias.",
          place,
        }),
      );
    for (const [flag, argument] of FLAGS) {
      const value = flagOf(body[argument]);
      if (value === undefined)
        diagnostics.push(
          stackMistake("Invalid provider argument", {
            detail: `${argument} is not true or false.`,
            hint: "Write true or false, or remove it.",
            place,
          }),
        );
      else if (value !== null) flags.set(name, { ...flags.get(name), [flag]: value });
    }
    found.set(name, {
      name,
      baseUrl: optionalArgument(body["base_url"]),
      apiKey: optionalArgument(body["api_key"]),
      locate: () => place,
    });
  }
  const used = new Set(blocks.map(({ provider }) => provider));
  const undeclared = [...used].filter((name) => name.startsWith(`${PROVIDER}.`) && !found.has(name));
  const unconfigured: OtherService = {
    name: PROVIDER,
    baseUrl: null,
    apiKey: null,
    locate: () => ({ file, construct: `provider.${PROVIDER}` }),
  };
  const [first = found.get(PROVIDER) ?? unconfigured, ...others] = [...used]
    .toSorted()
    .map((name) => found.get(name) ?? unconfigured);
  return {
    value: {
      baseUrl: first.baseUrl,
      apiKey: first.apiKey,
      locate: first.locate,
      ...flags.get(first.name),
      ...(others.length > 0 ? { others } : {}),
    },
    diagnostics: [...diagnostics, ...undeclared.flatMap((name) => undeclaredProvider(name, blocks))],
  };
}

/** Null where it is not written, undefined where it is neither true nor false. */
function flagOf(written: unknown): boolean | null | undefined {
  if (written === undefined || written === null) return null;
  if (typeof written === "boolean") return written;
  return written === "true" || written === "false" ? written === "true" : undefined;
}

function undeclaredProvider(name: string, blocks: readonly Block[]): readonly Diagnostic[] {
  const place = blocks.find(({ provider }) => provider === name)?.locate([]);
  if (!place) return [];
  return [
    stackMistake("Provider configuration not present", {
      detail: `This stack does not declare the provider ${name}.`,
      hint: "Declare it with this alias, or correct the name.",
      place,
    }),
  ];
}
