import {
  FOR_EXPRESSION_VALUE,
  TerraformIterator,
  type TerraformMetaArguments,
  Token,
  call,
  forExpression,
  propertyAccess,
} from "cdktn";
import type { Construct } from "constructs";

/** One fan-out attribute: its name in Terraform, the name of its setting, and its values. */
export interface FanOutPart {
  readonly attribute: string;
  readonly setting: string;
  /** Known at synthesis, or a token for a whole list. */
  readonly values: readonly string[];
}

/** The settings of a block with one instance per combination of values. */
export interface FanOut {
  readonly forEach: TerraformIterator;
  /** The value of one part in each instance. */
  valueOf(attribute: string): string;
  /** The key of each instance. */
  readonly key: string;
}

/**
 * The instances have the same keys as in YAML: `emailsSent` for one part, `emailsSent/cam_000001` for two. A key consists
 * of values only, so that reordering the lists moves no instance.
 *
 * @throws if a part has no values, an invalid value or a duplicate, or if both parts are tokens for whole lists.
 */
export function fanOut(scope: Construct, [first, second]: readonly [FanOutPart, FanOutPart?]): FanOut {
  checkValues(scope, first);
  if (!second) {
    const each = TerraformIterator.fromList([...first.values]);
    return { forEach: each, valueOf: () => Token.asString(each.value), key: Token.asString(each.value) };
  }
  checkValues(scope, second);
  const each = TerraformIterator.fromMap(Token.asAnyMap(combinations(scope, first, second)));
  return { forEach: each, valueOf: (attribute) => each.getString(attribute), key: each.key };
}

/** `{ for val in flatten([for val in LIST : [{…}, …]]) : join("/", […]) => val }`. A nested `for` in the result would hide the variable. */
function combinations(scope: Construct, first: FanOutPart, second: FanOutPart): unknown {
  const [known, list] = Token.isUnresolved(first.values) ? [second, first] : [first, second];
  if (Token.isUnresolved(known.values))
    throw new Error(`${scope.node.path}: ${first.setting} or ${second.setting} must be known at synthesis.`);
  const item = FOR_EXPRESSION_VALUE;
  const rows = forExpression(
    list.values,
    known.values.map((value) => ({ [known.attribute]: value, [list.attribute]: item })),
  );
  const key = call("join", ["/", [propertyAccess(item, [first.attribute]), propertyAccess(item, [second.attribute])]]);
  return forExpression(call("flatten", [rows]), item, key);
}

/** Programs can run without type checks: a misspelled constant is undefined then, and would count as no value. */
function checkValues({ node }: Construct, { setting, values }: FanOutPart): void {
  if (!Array.isArray(values)) throw new Error(`${node.path}: ${setting} must be a list of strings.`);
  if (values.length === 0)
    throw new Error(`${node.path}: ${setting} is empty. To declare nothing, remove the construct.`);
  const other = values.findIndex((value) => typeof value !== "string" || value === "");
  if (other >= 0)
    throw new Error(
      `${node.path}: ${setting}[${other}] is ${values[other] === "" ? "empty" : typeof values[other]}, not a string. Check the spelling of its name.`,
    );
  const seen = new Set<string>();
  const twice = values.find((value) => seen.has(value) || !seen.add(value));
  if (twice !== undefined)
    throw new Error(`${node.path}: ${setting} contains a duplicate${Token.isUnresolved(twice) ? "" : `: ${twice}`}.`);
}

/** A construct that fans out has its own `forEach`. */
export function withoutRepetition<Config extends TerraformMetaArguments>({ node }: Construct, config: Config): Config {
  if (config.count === undefined && config.forEach === undefined) return config;
  throw new Error(
    `${node.path}: count and forEach do not apply, because the lists of this construct create its instances.`,
  );
}
