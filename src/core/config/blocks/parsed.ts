import type { Template, TemplateProblem } from "../../expression/syntax/syntax.ts";
import { parseTemplate } from "../../expression/syntax/template.ts";
import type { Argument } from "../block.ts";

type TemplateArgument = Extract<Argument, { readonly kind: "template" }>;

const parsed = new WeakMap<TemplateArgument, Template | TemplateProblem>();

/** The parsed text of a template. Each is parsed once: it is evaluated again after every round of reads, and for every instance. */
export function templateOf(argument: TemplateArgument): Template | TemplateProblem {
  const before = parsed.get(argument);
  if (before) return before;
  const template = parseTemplate(argument.text);
  parsed.set(argument, template);
  return template;
}
