import { replaceModules } from "./replace-modules.ts";

const [PG, PROTOCOL] = ["pg", "@modelcontextprotocol"].map((library) => new RegExp(`[/\\\\]node_modules[/\\\\]${library}[/\\\\]`));

/**
 * What libraries load only for what we do not do. pg: to use libpq, to run at Cloudflare, and to find passwords in a file. The SDK of
 * the Model Context Protocol: to check what a client answers to questions, which we do not ask.
 */
const UNUSED: readonly (readonly [importer: RegExp | undefined, module: RegExp])[] = [
  [PG, /^\.\/native$/],
  [PG, /^pg-cloudflare$/],
  [PG, /^pgpass$/],
  [PROTOCOL, /^ajv$/],
  [PROTOCOL, /^ajv-formats$/],
];

/** Leaves modules out of a bundle that would never run in it. */
export const unusedModules = replaceModules(
  "unused-modules",
  UNUSED.map(([importer = null, module]) => ({ module, importer, by: { contents: "module.exports = {};" } })),
);
