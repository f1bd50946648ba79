import type { Check, Condition } from "../../core/config/block.ts";
import type { Diagnostic, Place, Result } from "../../core/model/diagnostic.ts";
import { argumentOf } from "./read-argument.ts";
import { requiresTerraform, stackMistake, unknownArgument } from "./stack-problems.ts";
import { COMMENT, type Labelled, type Tree, blocksIn, constructPath } from "./stack-tree.ts";

const KNOWN = ["condition", "error_message"];

/** The conditions of a variable, an output, a resource or a data source: one block, or a list of blocks. */
export function readConditions(written: unknown, called: string, place: Place): Result<readonly Condition[]> {
  const { blocks, diagnostics } = blocksIn(written, { depth: 0, place });
  const read = blocks.map(({ body }) => readCondition(body, called, place));
  return {
    value: read.flatMap(({ value }) => (value ? [value] : [])),
    diagnostics: [...diagnostics, ...read.flatMap((one) => one.diagnostics)],
  };
}

function readCondition(body: Tree, called: string, place: Place): Result<Condition | null> {
  const unknown = Object.keys(body).filter((key) => key !== COMMENT && !KNOWN.includes(key));
  const missing = KNOWN.filter((key) => body[key] === undefined || body[key] === null);
  const diagnostics: readonly Diagnostic[] = [
    ...unknown.map((key) => unknownArgument(`${called}.${key}`, KNOWN, place)),
    ...missing.map((key) => stackMistake("Missing required argument", { detail: `This ${called} has no ${key}.`, hint: `Add ${key}.`, place })),
  ];
  if (missing.length > 0) return { value: null, diagnostics };
  return { value: { condition: argumentOf(body["condition"]), message: argumentOf(body["error_message"]), locate: () => place }, diagnostics };
}

export function readCheck({ labels: [name = ""], body }: Labelled, file: string): Result<Check> {
  const place = { file, construct: constructPath(body) ?? `check.${name}` };
  const asserts = readConditions(body["assert"], "assert", place);
  const diagnostics = Object.keys(body).flatMap((key): readonly Diagnostic[] => {
    if (key === "data")
      return [
        requiresTerraform("a data source in a check", "outreach reads all data sources before the plan", place, "Declare the data source outside the check."),
      ];
    return key === COMMENT || key === "assert" ? [] : [unknownArgument(key, ["assert"], place)];
  });
  if (body["assert"] === undefined)
    diagnostics.push(
      stackMistake("Missing required argument", {
        detail: `The check ${name} has no assert.`,
        hint: "Add an assert with a condition and an error_message.",
        place,
      }),
    );
  return { value: { name, asserts: asserts.value }, diagnostics: [...diagnostics, ...asserts.diagnostics] };
}
