import type { Argument, Block, Check, Configuration } from "../../core/config/block.ts";
import { aligned, expressionText } from "./expression-text.ts";
import type { PlainConfiguration } from "./plain-blocks.ts";
import {
  PROVIDER,
  type TerraformBlock,
  providersOf,
  terraformBlock,
  validationOf,
  variableTypeOf,
} from "./terraform-block.ts";

/** Where the part begins that a file of its own can hold: the first apply is all that needs it. */
export const IMPORTS_FILE = "imports.tf";
const IMPORTS_COMMENT = `# ${IMPORTS_FILE}: only the first apply needs these blocks.\n`;

type Line = readonly [name: string, value: string];

/** A configuration in Terraform's syntax, formatted like `terraform fmt`. */
export function hclText(configuration: PlainConfiguration): string {
  const { variables, locals, blocks, outputs, checks = [], imports, moved, removed } = configuration;
  const parts = [
    `terraform {\n  required_providers {\n    ${PROVIDER.name} = { source = "${PROVIDER.source}" }\n  }\n}\n`,
    ...providersOf(configuration).map(({ alias, settings }) =>
      block(`provider "${PROVIDER.name}"`, [
        ...(alias === null ? [] : [["alias", quoted(alias)] as const]),
        ...settings.map(line),
      ]),
    ),
    ...variables.map((variable) => {
      const { name, default: fallback, sensitive, nullable } = variable;
      const given: readonly Line[] =
        fallback === undefined ? [] : [line(["default", { kind: "literal", value: fallback }])];
      const marks: readonly Line[] = [
        ...(sensitive ? [["sensitive", "true"] as const] : []),
        ...(nullable === false ? [["nullable", "false"] as const] : []),
      ];
      const validation = validationOf(variable);
      const lines: readonly Line[] = [["type", variableTypeOf(variable)], ...given, ...marks];
      return validation
        ? `variable ${quoted(name)} {\n${aligned(lines, "  ")}\n${conditionText("validation", validation)}}\n`
        : block(`variable ${quoted(name)}`, lines);
    }),
    ...(locals.length === 0
      ? []
      : [
          block(
            "locals",
            locals.map(({ name, value }) => line([name, value])),
          ),
        ]),
    ...blocks.map(blockText),
    ...outputs.map(({ name, value, sensitive }) =>
      block(`output ${quoted(name)}`, [line(["value", value]), ...(sensitive ? [["sensitive", "true"] as const] : [])]),
    ),
    ...checks.map(checkText),
    ...moved.map(({ from, to }) =>
      block("moved", [
        ["from", addressText(from)],
        ["to", addressText(to)],
      ]),
    ),
    ...removed.map(removedText),
    ...imports.map(
      ({ to, id }, index) =>
        `${index === 0 ? IMPORTS_COMMENT : ""}${block("import", [["to", addressText(to)], line(["id", id])])}`,
    ),
  ];
  return parts.join("\n");
}

/** A removed block for the source side. */
export function removedText({ from, destroy }: Configuration["removed"][number]): string {
  return `removed {\n  from = ${from}\n\n  lifecycle {\n    destroy = ${String(destroy)}\n  }\n}\n`;
}

function blockText(declared: Block): string {
  const { mode, type, name, provider, repeat, dependsOn = [] } = declared;
  const { attributes, lifecycle } = terraformBlock(declared);
  const meta: readonly Line[] = [
    ...(provider === PROVIDER.name ? [] : [["provider", provider] as const]),
    ...(repeat ? [line([repeat.kind, repeat.value])] : []),
  ];
  const behind: readonly Line[] = dependsOn.length === 0 ? [] : [["depends_on", `[${dependsOn.join(", ")}]`]];
  const groups = [meta, attributes.map(line), behind]
    .filter((group) => group.length > 0)
    .map((group) => aligned(group, "  "));
  const body = [...groups, ...(lifecycle ? [lifecycleText(lifecycle)] : [])].join("\n");
  return body === ""
    ? `${mode === "data" ? "data" : "resource"} ${quoted(type)} ${quoted(name)} {}\n`
    : `${mode === "data" ? "data" : "resource"} ${quoted(type)} ${quoted(name)} {\n${body}}\n`;
}

function conditionText(
  kind: "assert" | "validation",
  { condition, message }: { readonly condition: Argument; readonly message: Argument },
): string {
  const lines = [line(["condition", condition]), line(["error_message", message])];
  return `  ${kind} {\n${aligned(lines, "    ")}  }\n`;
}

function checkText({ name, asserts }: Check): string {
  const texts = asserts.map((one) => conditionText("assert", one));
  return `check ${quoted(name)} {\n${texts.join("\n")}}\n`;
}

function lifecycleText({ ignore_changes: ignored, ...flags }: NonNullable<TerraformBlock["lifecycle"]>): string {
  const lines: readonly Line[] = [
    ...Object.keys(flags).map((name) => [name, "true"] as const),
    ...(ignored ? [["ignore_changes", `[${ignored.join(", ")}]`] as const] : []),
  ];
  return `  lifecycle {\n${aligned(lines, "    ")}  }\n`;
}

function block(head: string, lines: readonly Line[]): string {
  return lines.length === 0 ? `${head} {}\n` : `${head} {\n${aligned(lines, "  ")}}\n`;
}

function line([name, argument]: readonly [string, Argument]): Line {
  return [name, expressionText(argument, "  ")];
}

function quoted(text: string): string {
  return expressionText({ kind: "literal", value: text });
}

/** An address as an expression. Its key is text, not a template. */
export function addressText(address: string): string {
  const at = address.indexOf('["');
  return at < 0 ? address : `${address.slice(0, at)}[${quoted(JSON.parse(address.slice(at + 1, -1)) as string)}]`;
}
