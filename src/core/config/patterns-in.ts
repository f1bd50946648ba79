import type { Catalog } from "../model/definition.ts";
import { loadPatterns } from "../model/pattern.ts";
import type { Configuration } from "./block.ts";

/** The functions that take patterns contain one of these words. */
const FUNCTION_WORDS = /replace|regex/;

/** Loads the engine of patterns if the configuration may contain one. Call it before the first evaluation. */
export async function loadPatternsIn(configuration: Configuration, { dataSources, resources }: Catalog): Promise<void> {
  const schemas = [...dataSources, ...resources].flatMap(({ schema }) => Object.entries(schema));
  const attributes = new Set(schemas.flatMap(([name, { isPattern }]) => (isPattern ? [name] : [])));
  const isGiven = configuration.blocks.some((block) => Object.keys(block.arguments).some((name) => attributes.has(name)));
  if (isGiven || mayCall(configuration)) await loadPatterns();
}

/** Looks at every text, so that no argument is missed. */
function mayCall(part: unknown): boolean {
  if (typeof part === "string") return FUNCTION_WORDS.test(part);
  return typeof part === "object" && part !== null && Object.values(part).some(mayCall);
}
