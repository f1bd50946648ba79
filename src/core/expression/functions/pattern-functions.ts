import { invalidValue } from "../expression-failure.ts";
import { NULL, type Term, mapping, sequence, text } from "../syntax/term.ts";
import { type FunctionDefinition, type Parameter, stringAt } from "./function-definition.ts";
import { type PatternMatch, findPattern } from "./regex-pattern.ts";

const PARAMETERS: readonly Parameter[] = [
  { name: "pattern", type: "string" },
  { name: "str", type: "string" },
];

export const PATTERN_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  regex: {
    parameters: PARAMETERS,
    call: (args, { budget }) => {
      const [found] = findPattern({ name: "regex", pattern: stringAt(args, 0), limit: 1 }, stringAt(args, 1), budget);
      if (!found) throw invalidValue("The pattern of regex does not match.");
      return matchTerm(found);
    },
  },
  regexall: {
    parameters: PARAMETERS,
    call: (args, { budget }) =>
      sequence(
        "list",
        findPattern({ name: "regexall", pattern: stringAt(args, 0) }, stringAt(args, 1), budget).map(matchTerm),
      ),
  },
};

/** The text of a match; with groups, their texts, by name if they have names. */
function matchTerm({ text: whole, groups, named }: PatternMatch): Term {
  if (groups.length === 0) return text(whole);
  if (named.length === 0) return sequence("tuple", groups.map(groupTerm));
  if (named.length < groups.length) throw invalidValue("A pattern cannot have groups with and without a name.");
  return mapping(
    "object",
    named.map(([name, group]) => [name, groupTerm(group)]),
  );
}

function groupTerm(group: string | null): Term {
  return group === null ? NULL : text(group);
}
