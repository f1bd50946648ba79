import type { Argument, Block } from "../../core/config/block.ts";
import { hasErrors } from "../../core/model/diagnostic.ts";
import { canonicalEmail } from "../../service/api/email-address.ts";
import { type LoadContext, hasConfiguration, loadConfiguration } from "../configuration/load-configuration.ts";
import type { ConfigurationOptions } from "../options.ts";
import type { NotReached } from "./certificate.ts";

/** Where the configuration still declares people. What cannot be read is named as well. */
export async function declaredPlaces(
  context: LoadContext,
  options: ConfigurationOptions,
  people: ReadonlySet<string>,
): Promise<readonly NotReached[]> {
  if (!(await hasConfiguration(context, options))) return [];
  const unread: NotReached = {
    kind: "configuration",
    detail: "The configuration cannot be read as a whole, so its lists may contain the person.",
  };
  const loaded = await loadConfiguration(context, options).catch(() => null);
  if (loaded === null) return [unread];
  const found = loaded.value.configuration.blocks.flatMap((block) => placesIn(block, people));
  return hasErrors(loaded.diagnostics) ? [...found, unread] : found;
}

function placesIn(block: Block, people: ReadonlySet<string>): readonly NotReached[] {
  const lists = [
    ...Object.entries(block.arguments).map(([attribute, argument]) => ({
      attribute,
      items: [argument],
      isList: false,
    })),
    ...(block.fanOut ?? []).map(({ attribute, values }) => ({
      attribute,
      items: values.kind === "list" ? values.items : [],
      isList: true,
    })),
  ];
  return lists.flatMap(({ attribute, items, isList }) =>
    items.flatMap((item, index): readonly NotReached[] => {
      if (!isOneOf(item, people)) return [];
      const place = block.locate(isList ? [attribute, index] : [attribute]);
      const address = `${block.type}.${block.name}`;
      return [
        place?.line === undefined
          ? { kind: "list", detail: `${address} declares the person.` }
          : { kind: "list", file: place.file, line: place.line },
      ];
    }),
  );
}

function isOneOf(argument: Argument, people: ReadonlySet<string>): boolean {
  return (
    argument.kind === "literal" &&
    typeof argument.value === "string" &&
    argument.value.includes("@") &&
    people.has(canonicalEmail(argument.value))
  );
}
