import { FOR_EXPRESSION_VALUE, TerraformIterator, Token, call, forExpression, propertyAccess } from "cdktn";
import type { Construct } from "constructs";

/** One attribute that fans out: its name in Terraform, that of the setting which lists its values, and these. */
export interface FanOutPart {
  readonly attribute: string;
  readonly setting: string;
  /** Their number is known when the stack is synthesised, or this is a token for a whole list. */
  readonly values: readonly string[];
}

/** What one block needs to have an instance for each combination of the values. */
export interface FanOut {
  readonly forEach: TerraformIterator;
  /** The value that each instance has of one of the parts. */
  valueOf(attribute: string): string;
}

/**
 * The instances have the keys that they have in YAML: `emailsSent` for one part, `emailsSent/cam_000001` for two. A key is
 * made of values alone, so that no instance moves when the lists are put in another order.
 *
 * @throws when a part has no values, something that is none, or one twice, and when both parts are tokens for whole lists.
 */
export function fanOut(scope: Construct, [first, second]: readonly [FanOutPart, FanOutPart?]): FanOut {
  checkValues(scope, first);
  if (!second) {
    const each = TerraformIterator.fromList([...first.values]);
    return { forEach: each, valueOf: () => Token.asString(each.value) };
  }
  checkValues(scope, second);
  const each = TerraformIterator.fromMap(Token.asAnyMap(combinations(scope, first, second)));
  return { forEach: each, valueOf: (attribute) => each.getString(attribute) };
}

/** `{ for val in flatten([for val in LIST : [{…}, …]]) : join("/", […]) => val }`: a `for` within what another one yields would hide its variable. */
function combinations(scope: Construct, first: FanOutPart, second: FanOutPart): unknown {
  const [known, list] = Token.isUnresolved(first.values) ? [second, first] : [first, second];
  if (Token.isUnresolved(known.values))
    throw new Error(`${scope.node.path}: ${first.setting} or ${second.setting} must be known when the stack is synthesised.`);
  const item = FOR_EXPRESSION_VALUE;
  const rows = forExpression(
    list.values,
    known.values.map((value) => ({ [known.attribute]: value, [list.attribute]: item })),
  );
  const key = call("join", ["/", [propertyAccess(item, [first.attribute]), propertyAccess(item, [second.attribute])]]);
  return forExpression(call("flatten", [rows]), item, key);
}

/** Programs run without a check of their types, too: a misspelled constant is undefined there, and would count as no value at all. */
function checkValues({ node }: Construct, { setting, values }: FanOutPart): void {
  if (!Array.isArray(values)) throw new Error(`${node.path}: ${setting} must be a list of texts.`);
  if (values.length === 0) throw new Error(`${node.path}: ${setting} is empty. Where there is nothing to declare, leave the construct out.`);
  const other = values.findIndex((value) => typeof value !== "string" || value === "");
  if (other >= 0)
    throw new Error(`${node.path}: ${setting}[${other}] is ${values[other] === "" ? "empty" : typeof values[other]}, and no text. Is a name misspelled?`);
  const seen = new Set<string>();
  const twice = values.find((value) => seen.has(value) || !seen.add(value));
  if (twice !== undefined) throw new Error(`${node.path}: ${setting} names something twice${Token.isUnresolved(twice) ? "" : `: ${twice}`}.`);
}
