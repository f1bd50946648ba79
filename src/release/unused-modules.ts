import type { Plugin } from "esbuild";

/**
 * What libraries load only for what we do not do. pg: to use libpq, to run at Cloudflare, and to find passwords in a file. The SDK of
 * the Model Context Protocol: to check what a client answers to questions, which we do not ask.
 */
const UNUSED: readonly (readonly [importer: RegExp, modules: RegExp])[] = [
  [/[/\\]node_modules[/\\]pg[/\\]/, /^(?:\.\/native|pg-cloudflare|pgpass)$/],
  [/[/\\]node_modules[/\\]@modelcontextprotocol[/\\]/, /^ajv(?:-formats)?$/],
];

/** Leaves modules out of a bundle that would never run in it. */
export const unusedModules: Plugin = {
  name: "unused-modules",
  setup({ onResolve, onLoad }) {
    for (const [library, modules] of UNUSED)
      onResolve({ filter: modules }, ({ path: name, importer }) => (library.test(importer) ? { path: name, namespace: "unused" } : undefined));
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};
