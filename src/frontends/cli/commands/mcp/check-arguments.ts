import { DiagnosticsError, nearest } from "../../../../core/model/diagnostic.ts";
import type { ObjectSchema } from "./serve-tools.ts";
import type { Ports } from "../../../../operations/context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";

/** The parts of JSON Schema that arguments of tools are described with. */
interface ArgumentSchema {
  readonly type?: "string" | "boolean" | "integer" | "array";
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const MAX_LENGTH = 1000;

/** Checks the arguments of a call, and returns the texts in them. Throws `argument_invalid`. */
export function checkArguments(
  { properties, required = [] }: ObjectSchema,
  given: { readonly [name: string]: unknown },
): readonly string[] {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? (properties[name] as ArgumentSchema) : undefined;
    if (!schema) {
      const meant = nearest(name, Object.keys(properties));
      throw invalid(
        `There is no argument ${JSON.stringify(name.slice(0, MAX_LENGTH))}.`,
        meant === null ? `The arguments are ${Object.keys(properties).join(", ")}.` : `Did you mean ${meant}?`,
      );
    }
    texts.push(...textsOf(name, value, schema));
  }
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) throw invalid(`The argument ${missing} is missing.`, `Pass ${missing}.`);
  return texts;
}

function textsOf(name: string, value: unknown, schema: ArgumentSchema): readonly string[] {
  if (schema.type === "array") {
    if (!Array.isArray(value) || value.length > (schema.maxItems ?? MAX_LENGTH))
      throw invalid(`${name} is not a list of at most ${String(schema.maxItems)} texts.`, "Pass a list.");
    return (value as readonly unknown[]).flatMap((item) => textsOf(name, item, { type: "string" }));
  }
  if (schema.type === "boolean") {
    if (typeof value !== "boolean") throw invalid(`${name} is neither true nor false.`, "Pass true or false.");
    return [];
  }
  if (schema.type === "integer") {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    const isSound = typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum;
    if (!isSound)
      throw invalid(
        `${name} is not a whole number from ${String(minimum)}${schema.maximum === undefined ? "" : ` to ${String(maximum)}`}.`,
        "Pass a number.",
      );
    return [];
  }
  if (typeof value !== "string" || value === "" || value.length > MAX_LENGTH)
    throw invalid(`${name} is not a text of 1 to ${String(MAX_LENGTH)} characters.`, "Pass a text.");
  if (/\p{Cc}/u.test(value)) throw invalid(`${name} contains a control character.`, "Remove it.");
  return [value];
}

/** What a configuration is called, unless it is a folder. */
const CONFIGURATION = /\.(?:ya?ml|tf\.json)$/;

/**
 * Throws `argument_invalid` for a file of another kind: messages show lines of what they are about, and lines of other files may
 * hold secrets.
 */
export async function checkConfigurationPath({ files, folder }: Ports, path: string): Promise<void> {
  const full = resolvePath(folder, path);
  const kind = await files.kind(full);
  const real = kind === null ? null : await files.realPath(full).catch(() => null);
  if (real === null || CONFIGURATION.test(real) || (await files.kind(real)) === "folder") return;
  throw invalid(
    `configuration names ${path}, which is not a configuration.`,
    "Name a YAML file, a folder of YAML files, or a synthesized stack.",
  );
}

function invalid(detail: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("argument_invalid", "Invalid argument", { detail, hint });
}
