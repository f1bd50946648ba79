/** The arguments that choose the configuration, and one of its teams. */
export const CHOICE = {
  configuration: {
    type: "string",
    description:
      "Path of the configuration in the working folder: a YAML file, a folder of YAML files, or a synthesized stack. Default: the one that the server was started with.",
  },
  team: { type: "string", description: "The team, if the configuration has several." },
} as const;

/** The arguments that choose what a plan or a comparison is about. */
export function scopeArguments(verb: "Compare" | "Plan") {
  const addresses = { type: "array", items: { type: "string" }, maxItems: 100 } as const;
  return {
    targets: { ...addresses, description: `${verb} only these addresses, or all instances of these blocks.` },
    excludes: { ...addresses, description: `${verb} everything but these addresses or blocks.` },
  };
}

/** The arguments that choose a part of a list. */
export const PAGE = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    description: "At most this many entries of each list. Default: 100.",
  },
  offset: { type: "integer", minimum: 0, description: "How many entries of each list to leave out first. Default: 0." },
} as const;

type Given = { readonly [name: string]: unknown };

/** The part of a list that a call asks for. */
export function pageOf<T>(list: readonly T[], { limit = PAGE.limit.maximum, offset = 0 }: Given): readonly T[] {
  return list.slice(Number(offset), Number(offset) + Number(limit));
}
