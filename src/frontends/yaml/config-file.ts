import { attributesOf } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, MAX_FOUND, errorOf } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { validate } from "./generated/validate-config.js";
import { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
import { schemaProblems } from "./schema-errors.ts";
import { type Tree, isTree } from "./plain-values.ts";

/** One file of a configuration, parsed and checked with the schema. */
export interface ConfigFile {
  readonly file: string;
  readonly parsed: ParsedYaml;
  /** Null if the file could not be parsed, is empty, or has too many mistakes. */
  readonly root: Tree | null;
  /** Whether the schema refused the value at a path, or any part of it. */
  readonly isRefused: (path: Path) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The bytes of a file, and the name that messages give it. */
export interface Source {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export function readConfigFile({ file, bytes }: Source, catalog: Catalog): ConfigFile {
  const { parsed, diagnostics } = parseYaml(bytes, file, { secretKeys: secretKeys(catalog) });
  const unusable: ConfigFile = { file, parsed, root: null, isRefused: () => true, diagnostics };
  if (parsed.value === undefined) return unusable;
  if (parsed.value === null) return { ...unusable, diagnostics: [emptyFile(file)] };
  const problems = validate(parsed.value)
    ? { refused: [], diagnostics: [] }
    : schemaProblems(validate.errors ?? [], parsed);
  if (problems.refused.length >= MAX_FOUND)
    return { ...unusable, diagnostics: problems.diagnostics.map((one) => ({ ...one, unknown: "everything" })) };
  const refused = new Set(
    problems.refused.flatMap((path) => path.map((_, length) => JSON.stringify(path.slice(0, length + 1)))),
  );
  return {
    file,
    parsed,
    root: isTree(parsed.value) ? parsed.value : {},
    isRefused: (path) => refused.size > 0 && refused.has(JSON.stringify(path.map(String))),
    diagnostics: problems.diagnostics,
  };
}

function secretKeys({ resources }: Catalog): readonly string[] {
  const sensitive = resources.flatMap(({ schema }) =>
    attributesOf(schema, "yaml").flatMap(([name, attribute]) => (attribute.sensitive ? [name] : [])),
  );
  const ofStates = ["passphrase", "encryption.key", "state.password", "state.headers", "state.credentials"];
  return ["api_key", ...ofStates, "notify.url", ...new Set(sensitive)];
}

function emptyFile(file: string): Diagnostic {
  return errorOf("config_empty", "Empty configuration", {
    detail: `${file} is empty.`,
    hint: "Begin it with version: 1, and declare a webhook under webhooks.",
    place: { file },
  });
}
