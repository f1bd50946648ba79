import type { Diagnostic } from "../../model/diagnostic.ts";

/** A reference such as `data.TYPE.NAME.id`: its static steps and its source text. The first step can be a variable of a `for`. */
export interface Reference {
  readonly kind: "reference";
  readonly steps: readonly (string | number)[];
  readonly text: string;
  readonly offset: number;
  readonly height: number;
}

export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** A parsed expression. `offset` counts from 0 in the whole text; `height` is the depth of its tree, including itself. */
export type Expression = Reference | (Inner & { readonly offset: number; readonly height: number });

type Inner =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "template"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "attribute"; readonly of: Expression; readonly name: string }
  | { readonly kind: "index"; readonly of: Expression; readonly key: Expression }
  /** `each` is evaluated once per element of `of`; in it, `item` is the element. */
  | { readonly kind: "splat"; readonly of: Expression; readonly each: Expression }
  | { readonly kind: "item" }
  | { readonly kind: "tuple"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Expression, value: Expression])[] }
  /** `expand`: the last argument is a list of further arguments. */
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[]; readonly expand: boolean }
  | {
      readonly kind: "for";
      readonly keyName: string | null;
      readonly valueName: string;
      readonly collection: Expression;
      /** Null: the result is a list. */
      readonly key: Expression | null;
      readonly value: Expression;
      readonly condition: Expression | null;
      readonly group: boolean;
    }
  | { readonly kind: "conditional"; readonly condition: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** A string in Terraform's template syntax: literal parts and expressions, in order. */
export interface Template {
  readonly parts: readonly (string | Expression)[];
}

/** A syntax error in a template; `offset` counts from 0 in its text. */
export interface TemplateProblem {
  readonly offset: number;
  readonly detail: string;
}

/** A problem of an expression, as parts of a diagnostic. */
export type ExpressionProblem = Pick<Diagnostic, "code" | "summary" | "detail" | "hint" | "ways" | "cause"> & {
  readonly offset?: number;
};
