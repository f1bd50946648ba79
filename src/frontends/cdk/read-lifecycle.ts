import type { Block, Condition, Check } from "../../core/config/block.ts";
import { type Schema, attributesOf } from "../../core/model/attribute.ts";
import { type Diagnostic, type Place, type Result, nearest } from "../../core/model/diagnostic.ts";
import { saidOf, stackMistake, requiresTerraform, unknownArgument } from "./stack-problems.ts";
import { readFlag, argumentOf } from "./read-argument.ts";
import { COMMENT, lifecycleBlock, type Labelled, type Tree, blocksIn, constructPath } from "./stack-tree.ts";

export interface Lifecycle {
  readonly createFirst: boolean;
  readonly protect: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

const CONDITIONS = ["precondition", "postcondition"];
const KNOWN = ["create_before_destroy", "prevent_destroy", "ignore_changes", ...CONDITIONS];
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["replace_triggered_by", "outreach plans each resource independently"],
  ["action_trigger", "only Terraform runs actions"],
]);

/** Reads `lifecycle`, which cannot contain expressions, except in its conditions. */
export function readLifecycle(
  written: unknown,
  { mode, schema, place }: { readonly mode: Block["mode"]; readonly schema: Schema; readonly place: Place },
): Result<Lifecycle> {
  const { value: body, diagnostics: shape } = lifecycleBlock(written, place);
  const diagnostics: Diagnostic[] = [...shape];
  for (const key of Object.keys(body)) {
    if (key === COMMENT) continue;
    const why = TERRAFORM_ONLY.get(key);
    if (why !== undefined) diagnostics.push(requiresTerraform(`lifecycle.${key}`, why, place));
    else if (!KNOWN.includes(key)) diagnostics.push(unknownArgument(`lifecycle.${key}`, KNOWN, place));
    else if (mode === "data" && !CONDITIONS.includes(key))
      diagnostics.push(invalid(key, "It does not apply to data sources.", place));
  }
  const createFirst = readFlag(body, "create_before_destroy", { place, within: "lifecycle." });
  const protect = readFlag(body, "prevent_destroy", { place, within: "lifecycle." });
  const ignored = readIgnored(body["ignore_changes"], { schema, place });
  const [before, after] = [
    readConditions(body["precondition"], "precondition", place),
    readConditions(body["postcondition"], "postcondition", place),
  ];
  return {
    value: {
      preconditions: before.value,
      postconditions: after.value,
      createFirst: createFirst.value,
      protect: protect.value,
      ...(ignored.value.length > 0 ? { ignoreChanges: ignored.value } : {}),
    },
    diagnostics: [...diagnostics, ...saidOf(createFirst, protect, ignored, before, after)],
  };
}

/** `all`, or a list of attribute names. Steps after a name are not supported: our attributes have no nested parts. */
function readIgnored(
  written: unknown,
  { schema, place }: { readonly schema: Schema; readonly place: Place },
): Result<readonly string[]> {
  const known = attributesOf(schema, "terraform");
  const given = known.filter(([, { mode }]) => mode !== "computed").map(([name]) => name);
  if (written === undefined) return { value: [], diagnostics: [] };
  if (written === "all") return { value: given, diagnostics: [] };
  if (!Array.isArray(written))
    return {
      value: [],
      diagnostics: [invalid("ignore_changes", "It must be a list of attributes, or the word all.", place)],
    };
  const names: readonly unknown[] = written;
  const diagnostics = names.flatMap((name): readonly Diagnostic[] => {
    if (known.some(([one]) => one === name)) return [];
    const suggestion = typeof name === "string" ? nearest(name, given) : null;
    return [
      stackMistake("Invalid lifecycle argument", {
        detail: `ignore_changes contains ${JSON.stringify(name)}, which is not an attribute of this resource.`,
        hint:
          suggestion === null
            ? `The attributes are ${given.join(", ")}; "all" instead of the list ignores all of them.`
            : `Did you mean ${suggestion}?`,
        place,
      }),
    ];
  });
  return {
    value: names.filter((name) => typeof name === "string" && given.includes(name)) as readonly string[],
    diagnostics,
  };
}

function invalid(key: string, detail: string, place: Place): Diagnostic {
  return stackMistake("Invalid lifecycle argument", {
    detail: `lifecycle.${key}: ${detail}`,
    hint: "Correct it, or remove it.",
    place,
  });
}

const CONDITION_KEYS = ["condition", "error_message"];

/** The conditions of a variable, an output, a resource or a data source: one block, or a list of blocks. */
export function readConditions(written: unknown, called: string, place: Place): Result<readonly Condition[]> {
  const { blocks, diagnostics } = blocksIn(written, { depth: 0, place });
  const read = blocks.map(({ body }) => readCondition(body, called, place));
  return {
    value: read.flatMap(({ value }) => (value ? [value] : [])),
    diagnostics: [...diagnostics, ...saidOf(...read)],
  };
}

function readCondition(body: Tree, called: string, place: Place): Result<Condition | null> {
  const unknown = Object.keys(body).filter((key) => key !== COMMENT && !CONDITION_KEYS.includes(key));
  const missing = CONDITION_KEYS.filter((key) => body[key] === undefined || body[key] === null);
  const diagnostics: readonly Diagnostic[] = [
    ...unknown.map((key) => unknownArgument(`${called}.${key}`, CONDITION_KEYS, place)),
    ...missing.map((key) =>
      stackMistake("Missing required argument", {
        detail: `This ${called} has no ${key}.`,
        hint: `Add ${key}.`,
        place,
      }),
    ),
  ];
  if (missing.length > 0) return { value: null, diagnostics };
  return {
    value: {
      condition: argumentOf(body["condition"]),
      message: argumentOf(body["error_message"]),
      locate: () => place,
    },
    diagnostics,
  };
}

export function readCheck({ labels: [name = ""], body }: Labelled, file: string): Result<Check> {
  const place = { file, construct: constructPath(body) ?? `check.${name}` };
  const asserts = readConditions(body["assert"], "assert", place);
  const diagnostics = Object.keys(body).flatMap((key): readonly Diagnostic[] => {
    if (key === "data")
      return [
        requiresTerraform(
          "a data source in a check",
          "outreach reads all data sources before the plan",
          place,
          "Declare the data source outside the check.",
        ),
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
