import type { Configuration } from "../../core/config/block.ts";
import type { GivenValue, VariableInput } from "../../core/config/variables/variables.ts";
import { type Diagnostic, DiagnosticsError, type Result, errorOf } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { parseYaml } from "../../frontends/yaml/parse-yaml.ts";
import type { Ports } from "../context.ts";
import type { OperationOptions } from "../options.ts";
import { VARIABLE_PREFIXES } from "./environment-names.ts";
import { readNamedFile } from "./named-file.ts";

/** The values of `--var` and `--var-file`. */
export async function givenValues(
  context: Ports,
  options: OperationOptions,
): Promise<Result<ReadonlyMap<string, GivenValue>>> {
  const values = new Map<string, GivenValue>();
  const diagnostics: Diagnostic[] = [];
  for (const path of options.varFile) {
    const bytes = await readNamedFile(context, path);
    if (bytes === null)
      throw DiagnosticsError.of("var_file_missing", "No variables file", {
        detail: `The file ${path} does not exist.`,
        hint: "Correct the path of --var-file.",
      });
    const read = readVariablesFile(bytes, path);
    diagnostics.push(...read.diagnostics);
    for (const [name, value] of read.value) values.set(name, value);
  }
  for (const pair of options.var) {
    const at = pair.indexOf("=");
    if (at > 0) values.set(pair.slice(0, at), { value: pair.slice(at + 1), from: "--var", isPassed: true });
    else
      diagnostics.push(
        errorOf("var_invalid", "Invalid --var", {
          unknown: "everything",
          detail: `--var ${pair} has no value.`,
          hint: "Use --var NAME=VALUE.",
        }),
      );
  }
  return { value: values, diagnostics };
}

/** A map of names to plain values. Messages show no line of the file: it may contain values of sensitive variables. */
function readVariablesFile(bytes: Uint8Array, path: string): Result<ReadonlyMap<string, GivenValue>> {
  const { parsed, diagnostics } = parseYaml(bytes, path, { secretKeys: "all" });
  const invalid = (at: Path, detail: string, hint: string): Diagnostic =>
    errorOf("var_file_invalid", "Invalid variables file", {
      unknown: "everything",
      detail,
      hint,
      place: parsed.locate(at),
    });
  if (parsed.value === undefined || parsed.value === null) return { value: new Map(), diagnostics };
  if (typeof parsed.value !== "object" || Array.isArray(parsed.value))
    return {
      value: new Map(),
      diagnostics: [
        ...diagnostics,
        invalid([], `${path} is not a map of variables.`, "Write one NAME: VALUE per line."),
      ],
    };
  const entries = Object.entries(parsed.value);
  const isPlain = (value: unknown): value is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof value);
  return {
    value: new Map(
      entries.flatMap(([name, value]) =>
        isPlain(value) ? [[name, { value, from: path, place: parsed.locate([name]) }] as const] : [],
      ),
    ),
    diagnostics: [
      ...diagnostics,
      ...entries.flatMap(([name, value]) =>
        isPlain(value)
          ? []
          : [invalid([name], `The value of ${name} is not a string, number or boolean.`, "Use a plain value.")],
      ),
    ],
  };
}

/** Looked up by name, and listed only when asked: an environment with a key for each of many teams is large. */
export function ambientValues({ environment }: Ports, { isStack = false }: Configuration): VariableInput["ambient"] {
  const prefixes = isStack ? VARIABLE_PREFIXES : VARIABLE_PREFIXES.slice(1);
  return {
    get: (name) => {
      const from = prefixes.map((prefix) => prefix + name).findLast((variable) => environment[variable] !== undefined);
      const value = from === undefined ? undefined : environment[from];
      return from === undefined || value === undefined ? undefined : { value, from, isPassed: true };
    },
    keys: () => {
      const all = Object.keys(environment);
      return new Set(
        prefixes.flatMap((prefix) =>
          all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
        ),
      ).keys();
    },
  };
}
