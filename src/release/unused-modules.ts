import type { Plugin } from "esbuild";

/** What pg requires only for what we do not do: to use libpq, to run at Cloudflare, and to find passwords in a file. */
const UNUSED = /^(?:\.\/native|pg-cloudflare|pgpass)$/;

/** Leaves modules out of a bundle that would never run in it. */
export const unusedModules: Plugin = {
  name: "unused-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path: name, importer }) =>
      /[/\\]node_modules[/\\]pg[/\\]/.test(importer) ? { path: name, namespace: "unused" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};
