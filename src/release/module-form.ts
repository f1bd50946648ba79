import { isBuiltin } from "node:module";
import path from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { replaceModules, unusedModules } from "./replace-modules.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/**
 * commander is CommonJS and requires Node's modules. It gets them without an import, which would slow every start. It gets an
 * empty child_process, because we have no commands that are separate programs, and loading the module would slow every start too.
 */
const builtInModules: Plugin = {
  name: "built-in-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ kind, path: name }) =>
      kind === "require-call" ? { path: name, namespace: "built-in" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "built-in" }, ({ path: name }) => ({
      contents:
        name === "node:child_process"
          ? "module.exports = {};"
          : `module.exports = process.getBuiltinModule("${name}");`,
    }));
  },
};

/** CommonJS libraries, such as pg and prom-client, require Node's modules by their short names. */
const shortNamedModules: Plugin = {
  name: "short-named-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z0-9_/]+$/ }, ({ kind, path: name }) =>
      kind === "require-call" && isBuiltin(name) ? { path: `node:${name}`, namespace: "built-in" } : undefined,
    );
  },
};

/** How the command and the library are bundled: what is rarely needed is loaded when it is. */
export function moduleForm() {
  // The parser's ES modules instead of its CommonJS build, so that each function is bundled once, and only if it is used.
  const parser = { path: path.join(ROOT, "node_modules/yaml/browser/dist/index.js") };
  const yamlModules = replaceModules("yaml-modules", [{ module: /^yaml$/, importer: null, by: parser }]);
  return {
    bundle: true,
    metafile: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    chunkNames: "[name]-[hash]",
    legalComments: "inline",
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: "warning",
    plugins: [builtInModules, shortNamedModules, unusedModules, yamlModules],
  } as const satisfies BuildOptions;
}
