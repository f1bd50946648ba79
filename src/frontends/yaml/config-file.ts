import { attributesOf } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, MAX_FOUND, errorOf } from "../../core/model/diagnostic.ts";
import { STATE_BACKENDS } from "../../core/state/backends.ts";
import type { CheckedFile, Form } from "./form.ts";
import { validate } from "./generated/validate-config.js";
import { parseYaml } from "./parse-yaml.ts";
import { schemaProblems } from "./schema-errors.ts";
import { type Tree, isTree } from "./plain-values.ts";

/** One file of a configuration, parsed and checked with the schema. */
export interface ConfigFile extends CheckedFile {
  readonly file: string;
  /** Null if the file could not be parsed, is empty, or has too many mistakes. */
  readonly root: Tree | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The bytes of a file, and the name that messages give it. */
export interface Source {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Parses and checks a file. `form` is the form of the whole file, for messages. */
export function readConfigFile(
  { file, bytes }: Source,
  { form, catalog }: { readonly form: Form; readonly catalog: Catalog },
): ConfigFile {
  const { parsed, diagnostics } = parseYaml(bytes, file, { secretKeys: secretKeys(catalog) });
  const unusable: ConfigFile = { file, parsed, root: null, isRefused: () => true, diagnostics };
  if (parsed.value === undefined) return unusable;
  if (parsed.value === null) return { ...unusable, diagnostics: [emptyFile(file)] };
  const problems = validate(parsed.value)
    ? { refused: [], diagnostics: [] }
    : schemaProblems(validate.errors ?? [], { form, parsed });
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

/** The keys that hold secrets. `ABOVE.KEY` holds one only below ABOVE. */
function secretKeys({ resources }: Catalog): readonly string[] {
  const sensitive = resources.flatMap(({ schema }) =>
    attributesOf(schema, "yaml").flatMap(([name, attribute]) => (attribute.sensitive ? [name] : [])),
  );
  const ofStates = STATE_BACKENDS.flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([name, { kind }]) =>
      kind === "secret" || kind === "texts" ? [`state.${name}`] : [],
    ),
  );
  return ["api_key", "passphrase", "encryption.key", ...ofStates, "notify.url", ...new Set(sensitive)];
}

function emptyFile(file: string): Diagnostic {
  return errorOf("config_empty", "Empty configuration", {
    detail: `${file} is empty.`,
    hint: "Begin it with version: 1, and declare a webhook under webhooks.",
    place: { file },
  });
}
