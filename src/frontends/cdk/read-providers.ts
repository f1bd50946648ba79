import type { Block, Configuration, OtherService } from "../../core/config/block.ts";
import { isName } from "../../core/model/address.ts";
import type { Diagnostic, Result } from "../../core/model/diagnostic.ts";
import { mistaken, outside, unknownArgument } from "./outside.ts";
import { optionalArgument } from "./read-argument.ts";
import { PROVIDER } from "./read-block.ts";
import { COMMENT, type Labelled, constructPath } from "./stack-tree.ts";

const KNOWN = ["base_url", "api_key", "alias", "version"];

/** The service that the blocks name: the first configuration of the provider that one of them uses, and the others beside it. */
export function readProviders(
  written: readonly Labelled[],
  { blocks, file }: { readonly blocks: readonly Block[]; readonly file: string },
): Result<Configuration["service"]> {
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, OtherService>();
  for (const {
    labels: [provider = ""],
    body,
  } of written) {
    const { alias } = body;
    const name = alias === undefined ? provider : `${provider}.${typeof alias === "string" ? alias : JSON.stringify(alias)}`;
    const place = { file, construct: constructPath(body) ?? `provider.${name}` };
    if (provider !== PROVIDER) {
      diagnostics.push(outside(`the provider ${provider}`, "it is another one than ours", place));
      continue;
    }
    if (alias !== undefined && (typeof alias !== "string" || !isName(alias)))
      diagnostics.push(
        mistaken("Invalid alias", { detail: `${JSON.stringify(alias)} cannot be the alias of a provider.`, hint: "Write a plain name.", place }),
      );
    for (const key of Object.keys(body)) if (key !== COMMENT && !KNOWN.includes(key)) diagnostics.push(unknownArgument(key, KNOWN, place));
    if (found.has(name))
      diagnostics.push(mistaken("Duplicate provider configuration", { detail: `${name} is configured twice.`, hint: "Give one of them an alias.", place }));
    found.set(name, { name, baseUrl: optionalArgument(body["base_url"]), apiKey: optionalArgument(body["api_key"]), locate: () => place });
  }
  const used = new Set(blocks.map(({ provider }) => provider));
  const undeclared = [...used].filter((name) => name.startsWith(`${PROVIDER}.`) && !found.has(name));
  const unconfigured: OtherService = { name: PROVIDER, baseUrl: null, apiKey: null, locate: () => ({ file, construct: `provider.${PROVIDER}` }) };
  const [first = found.get(PROVIDER) ?? unconfigured, ...others] = [...used].toSorted().map((name) => found.get(name) ?? unconfigured);
  return {
    value: { baseUrl: first.baseUrl, apiKey: first.apiKey, locate: first.locate, ...(others.length > 0 ? { others } : {}) },
    diagnostics: [...diagnostics, ...undeclared.flatMap((name) => missing(name, blocks))],
  };
}

function missing(name: string, blocks: readonly Block[]): readonly Diagnostic[] {
  const place = blocks.find(({ provider }) => provider === name)?.locate([]);
  if (!place) return [];
  return [
    mistaken("Provider configuration not present", {
      detail: `There is no provider ${name} in this stack.`,
      hint: "Declare it with this alias, or correct the name.",
      place,
    }),
  ];
}
