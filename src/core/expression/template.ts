/** A reference such as `data.outreach_campaign.q3.id`: its steps, and where it stands in the text (from 0). */
export interface Reference {
  readonly kind: "reference";
  readonly steps: readonly (string | number)[];
  readonly offset: number;
  readonly text: string;
}

/** A string in Terraform's template syntax: literal parts and references in their order. */
export interface Template {
  readonly parts: readonly (string | Reference)[];
}

/** What is wrong in a template: `offset` counts from 0 in its text. */
export interface TemplateProblem {
  readonly offset: number;
  readonly detail: string;
}

const STEP =
  /^\s*(?:\.\s*(?<name>[\p{L}_][\p{L}\p{N}_-]*)|\.(?<legacy>\d+)|\[\s*(?:(?<index>\d+)|(?<key>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"))\s*\])/u;
const ROOT = /^\s*(?<name>[\p{L}_][\p{L}\p{N}_-]*)/u;

/**
 * Parses the template subset: literal text, `${…}` with one reference, `$${` and `%%{` for a literal `${` and `%{`.
 * A problem ends the parse.
 */
export function parseTemplate(text: string): Template | TemplateProblem {
  const parts: (string | Reference)[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    const three = text.slice(at, at + 3);
    const two = text.slice(at, at + 2);
    if (three === "$${" || three === "%%{") {
      literal += three.slice(1);
      at += 3;
    } else if (two === "%{") {
      return { offset: at, detail: "Template directives (%{ … }) are not supported. Write %%{ for a literal %{." };
    } else if (two === "${") {
      const reference = parseReference(text, at + 2);
      if ("detail" in reference) return reference;
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push(reference);
      at = reference.offset + reference.text.length;
      at = text.indexOf("}", at) + 1;
    } else {
      literal += text[at] ?? "";
      at++;
    }
  }
  if (literal !== "") parts.push(literal);
  return { parts };
}

/** Whether a text holds anything but literal text. */
export function hasReferences(text: string): boolean {
  const template = parseTemplate(text);
  return "detail" in template || template.parts.some((part) => typeof part !== "string");
}

function parseReference(text: string, start: number): Reference | TemplateProblem {
  const root = ROOT.exec(text.slice(start));
  if (!root?.groups) return { offset: start, detail: "A reference is expected here, such as var.NAME or data.TYPE.NAME.ATTRIBUTE." };
  const steps: (string | number)[] = [root.groups["name"] ?? ""];
  let at = start + root[0].length;
  for (;;) {
    const step = STEP.exec(text.slice(at));
    if (!step?.groups) break;
    const { name, legacy, index, key } = step.groups;
    if (name !== undefined) steps.push(name);
    else if (key !== undefined) steps.push(JSON.parse(key) as string);
    else steps.push(Number(legacy ?? index));
    at += step[0].length;
  }
  const rest = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  if (text[at + rest] !== "}") {
    const detail = text.indexOf("}", at) < 0 ? "This ${ has no closing }." : "Only references can stand here, such as var.NAME or data.TYPE.NAME.ATTRIBUTE.";
    return { offset: at + rest, detail };
  }
  return { kind: "reference", steps, offset: start, text: text.slice(start, at) };
}
