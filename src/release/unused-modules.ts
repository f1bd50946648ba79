import { replaceModules } from "./replace-modules.ts";

const [PG, PROTOCOL, WORKER] = ["pg", "@modelcontextprotocol", "graphile-worker"].map((library) => new RegExp(`[/\\\\]node_modules[/\\\\]${library}[/\\\\]`));
const NOTHING = "module.exports = {};";

/**
 * What libraries load only for what we do not do. pg: to use libpq, to run at Cloudflare, and to find passwords in a file. The SDK of
 * the Model Context Protocol: to check what a client answers to questions, which we do not ask. graphile-worker: to read a file with settings, which would
 * run code of the folder where the command is started, and to read jobs like those of cron.
 */
const UNUSED: readonly (readonly [importer: RegExp | undefined, module: RegExp, contents?: string])[] = [
  [PG, /^\.\/native$/],
  [PG, /^pg-cloudflare$/],
  [PG, /^pgpass$/],
  [PROTOCOL, /^ajv$/],
  [PROTOCOL, /^ajv-formats$/],
  [WORKER, /^json5$/],
  [WORKER, /^cosmiconfig$/, "module.exports = { cosmiconfigSync: () => ({ search: () => null }) };"],
];

/** Leaves modules out of a bundle that would never run in it. */
export const unusedModules = replaceModules(
  "unused-modules",
  UNUSED.map(([importer = null, module, contents = NOTHING]) => ({ module, importer, by: { contents } })),
);
