import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Value } from "../../../src/core/model/value.ts";
import { parseTemplate } from "../../../src/core/expression/syntax/template.ts";
import { lacks } from "../../frontends/terraform/engine.ts";
import { describeWithTerraform } from "../../frontends/terraform/terraform-under-test.ts";
import { CASES, FAILURES } from "./cases.ts";
import { evaluateHere } from "./evaluate-here.ts";
import { FUNCTION_CASES, FUNCTION_FAILURES } from "./function-cases.ts";
import { BROKEN, generated, refusedOnPurpose } from "./generated.ts";
import { VALUED } from "./generated-values.ts";
import { MORE_CASES, WITHOUT_VALUE } from "./more-cases.ts";
import { terraformConsole, terraformRefuses, terraformTemplates } from "./terraform-console.ts";

/** Templates as CDK writes them: with their own line breaks, and with backslashes and quotation marks that are literal outside `${}`. */
const TEXTS = [
  "",
  "plain",
  "a \"b\" \\n \\ 'c'",
  "${var.stage}",
  "${var.list}",
  "${[for h in var.hooks : h.n]}",
  "a ${var.stage} ${var.amount} ${var.on}",
  "one\ntwo ${var.stage}\nthree\n",
  '$${var.stage} %%{ if } $ % $$ %% ${"$${x}"}',
  "${ \n 1 + \n 2 # so\n }",
  '${"a"}${"b"}',
  'é${"e\\u0301"}😀',
  'e${"\\u0301"}',
  '{"a":"${var.stage}"}',
  "  ${~ 1 ~}  ",
  " ${~ 1}",
  "${~ 1 ~}",
  "x ${~ 1 ~} ${~ 2 ~} y",
  "a\n\n${~ 1}",
  "a\n \n ${~ 1 ~} \n \n b",
  "a\r\n\r\n${~ 1 ~}\r\n\r\nb",
  "\n${~ 1 ~}\n",
  "a\\n${~ 1}",
  "${1 ~}\n$${x",
  "${1 ~}  \t $$ x",
  "x\ufeff${~ 1 ~}\u00a0\u0085\u2003",
];

const UNKNOWN = new Set(
  lacks("contains of null is unknown") === null ? ["contains([null], null)", 'contains(["a", null], null)'] : [],
);

/** Newer builds give these a value: Go 1.25 knows the long names of Unicode's categories. */
const LATER = new Set(['replace("föö", "/\\\\p{Letter}/", "u")']);

function valueHere(text: string): Value | undefined {
  const evaluated = evaluateHere(text);
  return "value" in evaluated ? evaluated.value : undefined;
}

describeWithTerraform("Terraform", () => {
  test("gives every expression of the tables the same value or none", () => {
    const withValue = [...CASES, ...MORE_CASES, ...FUNCTION_CASES].filter(([expression]) => !UNKNOWN.has(expression));
    expect(new Set(withValue.map(([expression]) => expression)).size).toBeGreaterThanOrEqual(650);
    const without = [...FAILURES.map(([expression]) => expression), ...WITHOUT_VALUE, ...FUNCTION_FAILURES].filter(
      (expression) => !UNKNOWN.has(expression),
    );
    const values = terraformConsole([...withValue.map(([expression]) => expression), ...without]);
    expect(withValue.map(([expression], index) => [expression, values[index]])).toEqual(withValue);
    expect(
      without.filter((expression, index) => values[withValue.length + index] !== undefined && !LATER.has(expression)),
    ).toEqual([]);
  });

  test("gives generated expressions the same value or none", () => {
    const expressions = generated(VALUED, 1500);
    const values = terraformConsole(expressions);
    const differing = expressions.flatMap((expression, index) => {
      const [here, there] = [valueHere(`\${${expression}}`), values[index]];
      return isDeepStrictEqual(here, there) ? [] : [{ expression, here, there }];
    });
    // Where the engine does not look at one side, that side may be without a value.
    const isShort = ({ expression }: { readonly expression: string }): boolean =>
      lacks("short-circuit operators") === null && /\|\||&&/.test(expression);
    expect(differing.filter((one) => !isShort(one))).toEqual([]);
    expect(differing.length / expressions.length).toBeLessThan(0.01);
    const withValue = values.filter((value) => value !== undefined).length;
    expect(withValue / expressions.length).toBeGreaterThan(0.5);
    expect(withValue).toBeLessThan(expressions.length);
  });

  test("evaluates texts in a JSON file the same way", () => {
    expect(TEXTS.map((text) => [text, valueHere(text)])).toEqual(
      terraformTemplates(TEXTS).map((value, index) => [TEXTS[index], value]),
    );
  });

  test("refuses the generated expressions that are not well-formed", () => {
    const refused = generated(BROKEN, 100)
      .map((expression) => `\${${expression}}`)
      .filter((text) => {
        const template = parseTemplate(text);
        return "detail" in template && !refusedOnPurpose(template);
      });
    expect(refused.length).toBeGreaterThan(40);
    expect(terraformRefuses(refused)).toEqual(refused.map(() => true));
  });
});
