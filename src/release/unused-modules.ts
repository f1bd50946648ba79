import type { Plugin } from "esbuild";

/**
 * What libraries load only for what we do not do. pg: to use libpq, to run at Cloudflare, and to find passwords in a file. The SDK of
 * the Model Context Protocol: to check what a client answers to questions, which we do not ask. graphile-worker: to read a file with settings, which would
 * run code of the folder where the command is started, and to read jobs like those of cron.
 */
const UNUSED: readonly (readonly [importer: RegExp, modules: RegExp, contents?: string])[] = [
  [/[/\\]node_modules[/\\]pg[/\\]/, /^(?:\.\/native|pg-cloudflare|pgpass)$/],
  [/[/\\]node_modules[/\\]@modelcontextprotocol[/\\]/, /^ajv(?:-formats)?$/],
  [/[/\\]node_modules[/\\]graphile-worker[/\\]/, /^json5$/],
  [/[/\\]node_modules[/\\]graphile-worker[/\\]/, /^cosmiconfig$/, "module.exports = { cosmiconfigSync: () => ({ search: () => null }) };"],
];

/** Leaves modules out of a bundle that would never run in it. */
export const unusedModules: Plugin = {
  name: "unused-modules",
  setup({ onResolve, onLoad }) {
    for (const [library, modules, contents = "module.exports = {};"] of UNUSED)
      onResolve({ filter: modules }, ({ path: name, importer }) =>
        library.test(importer) ? { path: name, namespace: "unused", pluginData: contents } : undefined,
      );
    onLoad({ filter: /.*/, namespace: "unused" }, ({ pluginData }) => ({ contents: pluginData as string }));
  },
};
