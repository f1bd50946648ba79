import type { Locate, ValueSource } from "../../core/config/block.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { type Form, type Part, map, program, text } from "./form.ts";
import { type Tree, isTree } from "./plain-values.ts";
import type { FanOutKey } from "./sections.ts";
import { textArgument } from "./yaml-arguments.ts";

/** A path, or a file or a command with the column, or several of these; null where one of them is wrong. */
export function sourcesForm({
  docs,
  example,
  column,
}: NonNullable<FanOutKey["from"]>): Form<Result<readonly ValueSource[] | null>> {
  const one = map({
    file: text({ docs: "Path of the file." }),
    command: program({
      docs: "Program and its arguments. It prints the list. It runs in the configuration's folder, without the secrets of the environment, for at most 60 s.",
    }),
    column: text({ docs: column }),
  });
  const item = { ...one, schema: { ...one.schema, type: ["string", "object"], minLength: 1 } };
  return {
    ...one,
    schema: {
      ...one.schema,
      type: ["string", "object", "array"],
      minLength: 1,
      minItems: 1,
      items: item.schema,
      description: docs,
      examples: [example],
    },
    kind: "text, or a map, or a list of these",
    item,
    read: readSources,
  };
}

/** The files and commands of a key, one or several; null where one of them is wrong. */
export function readSources(written: unknown, { path: at, file }: Part): Result<readonly ValueSource[] | null> {
  const key = String(at.at(-1));
  if (written === undefined || written === null) return { value: [], diagnostics: [] };
  if (file.isRefused(at)) return { value: null, diagnostics: [] };
  const read = (Array.isArray(written) ? (written as readonly unknown[]) : [written]).map(
    (one, index): Result<ValueSource | null> => {
      const here = [...at, ...(Array.isArray(written) ? [index] : [])];
      const given = isTree(one) ? ["file", "command"].filter((name) => (one[name] ?? null) !== null) : ["file"];
      if (given.length !== 1) return { value: null, diagnostics: [notOneSource(key, given, file.parsed.locate(here))] };
      return { value: sourceOf(one, (name, part) => file.parsed.locate([...here, ...name], part)), diagnostics: [] };
    },
  );
  const sources = read.flatMap(({ value }) => value ?? []);
  return {
    value: sources.length < read.length ? null : sources,
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Null where the schema has refused it. */
function sourceOf(given: unknown, locate: Locate): ValueSource | null {
  const { file, command, column }: Tree = isTree(given) ? given : { file: given };
  const more = typeof column === "string" ? { column } : {};
  const isWords = Array.isArray(command) && command.every((word) => typeof word === "string");
  if (isWords) return { from: { kind: "command", command }, ...more, locate: () => locate(["command", 0]) };
  if (typeof file !== "string") return null;
  return {
    from: { kind: "file", path: textArgument(file) },
    ...more,
    locate: (_, written) => locate(isTree(given) ? ["file"] : [], written),
  };
}

function notOneSource(key: string, { length }: readonly string[], place: Place): Diagnostic {
  const hint = `Write ${key}: PATH, { file: PATH, column: NAME } or { command: [PROGRAM, ARGUMENT] }, or a list of several of these.`;
  return length > 1
    ? errorOf("two_ways", "Given in two ways", {
        detail: `${key} names a file and a command in one entry.`,
        hint,
        place,
      })
    : errorOf("missing_argument", "Missing required argument", {
        detail: `${key} names no file and no command.`,
        hint,
        place,
      });
}
