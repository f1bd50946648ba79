import Ajv from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

/** The source of a validator for the schema: a self-contained ES module that exports `validate`. */
export async function configValidator(schema: object): Promise<string> {
  const ajv = new Ajv.default({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    unicodeRegExp: true,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addSchema(schema, "config");
  const code = standalone.default(ajv, { validate: "config" });
  const bundled = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    write: false,
    // The output names its source files. Even if node_modules is a link, it must not contain a path of this machine.
    preserveSymlinks: true,
    logLevel: "error",
  });
  return `// Built from the schema of the configuration.\n${bundled.outputFiles[0]?.text ?? ""}`;
}
