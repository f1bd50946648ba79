import type { Plugin } from "esbuild";

/** A module that a bundle gets in place of another one. */
export interface Replacement {
  /** The module's name, as it is imported. */
  readonly module: RegExp;
  /** The library that imports it; null: any file. */
  readonly importer: RegExp | null;
  /** What the bundle gets: a file, or a text. */
  readonly by: { readonly path: string } | { readonly contents: string };
}

/**
 * Replaces modules in a bundle. The build fails if a replacement has no effect: a file has been renamed, or a library imports something else
 * now, and the bundle is not what it is built for. A library that is not in the bundle needs none; `metafile` must be on to know that.
 */
export function replaceModules(name: string, replacements: readonly Replacement[]): Plugin {
  return {
    name,
    setup({ onResolve, onLoad, onEnd }) {
      const missing = new Set(replacements);
      for (const replacement of replacements) {
        const { module, importer, by } = replacement;
        onResolve({ filter: module }, ({ path, importer: from }) => {
          if (importer !== null && !importer.test(from)) return undefined;
          missing.delete(replacement);
          return "path" in by ? by : { path, namespace: name, pluginData: by.contents };
        });
      }
      onLoad({ filter: /.*/, namespace: name }, ({ pluginData }) => ({ contents: pluginData as string }));
      onEnd(({ metafile }) => {
        const files = Object.keys(metafile?.inputs ?? {}).map((file) => `/${file}`);
        const wrong = [...missing].filter(
          ({ importer }) => importer === null || files.some((file) => importer.test(file)),
        );
        return {
          errors: wrong.map(({ module }) => ({
            text: `${name} replaces ${String(module)}, which nothing imports any more`,
          })),
        };
      });
    },
  };
}

const [PG, PROTOCOL] = ["pg", "@modelcontextprotocol"].map(
  (library) => new RegExp(`[/\\\\]node_modules[/\\\\]${library}[/\\\\]`),
);

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
