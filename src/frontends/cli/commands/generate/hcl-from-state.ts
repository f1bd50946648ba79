import type { AnyResource } from "../../../../core/model/definition.ts";
import type { Value } from "../../../../core/model/value.ts";
import { escapedCommands, replaceHidden, visible, withoutCommands } from "../../../../core/model/visible.ts";
import { escapedText } from "../../../generate/escaped-text.ts";
import { uniqueName } from "../../../generate/unique-name.ts";
import {
  type ManagedBlock,
  type ManagedWebhook,
  type Placed,
  blocksOf,
  isIdentifier,
  isShared,
  legalName,
  namesIn,
  variableName,
} from "./managed-webhook.ts";

type Line = readonly [name: string, value: string];

interface Written {
  readonly variables: readonly string[];
  readonly resource: string;
  readonly placed: readonly Placed[];
}

const PROVIDER = `terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}

provider "outreach" {}
`;

/** Webhooks in Terraform's syntax, formatted like `terraform fmt`: one resource for each block, over a map of its keys. */
export function hclFromState(
  webhooks: readonly ManagedWebhook[],
  {
    definition,
    imports,
    head,
  }: { readonly definition: AnyResource; readonly imports: boolean; readonly head: readonly string[] },
): { readonly text: string; readonly placed: readonly Placed[] } {
  const names = { blocks: new Set<string>(), variables: new Set<string>() };
  // A name that stays goes before one that is made.
  const blocks = blocksOf(webhooks).toSorted((a, b) => Number(isIdentifier(b.name)) - Number(isIdentifier(a.name)));
  const written = blocks.map((block) => writtenBlock(definition, block, names));
  const placed = written.flatMap((one) => one.placed);
  const statements = imports
    ? placed.map(({ webhook, to }) =>
        blockText("import", [
          ["to", to],
          ["id", quoted(webhook.id)],
        ]),
      )
    : placed.flatMap(({ webhook: { address }, to }) =>
        address === to
          ? []
          : [
              blockText("moved", [
                ["from", address],
                ["to", to],
              ]),
            ],
      );
  const text = [
    `${commentOf(head)}${PROVIDER}`,
    ...written.flatMap(({ variables }) => variables),
    ...written.map(({ resource }) => resource),
    ...statements,
  ].join("\n");
  return { text: escapedCommands(text), placed };
}

/** A statement that lets a block go. */
export function removedInHcl(from: string): string {
  return `removed {\n  from = ${from}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`;
}

function writtenBlock(
  definition: AnyResource,
  managed: ManagedBlock,
  names: { readonly blocks: Set<string>; readonly variables: Set<string> },
): Written {
  const { members } = managed;
  const name = uniqueName(legalName(managed.name, isIdentifier), names.blocks);
  const isKeyed = members[0]?.key !== null;
  const own = isKeyed ? namesIn(definition, managed).filter((attribute) => !isShared(managed, attribute)) : [];
  const values = namesIn(definition, managed).map((attribute): Line => [
    attribute,
    own.includes(attribute) ? `each.value.${attribute}` : literal(members[0]?.attributes[attribute]),
  ]);
  const hidden = [...new Set(members.flatMap((member) => [...member.hidden.keys()]))].map((attribute) => {
    const variable = uniqueName(variableName(name, attribute.replace("secret_wo", "secret")), names.variables, "_");
    const isMap = isKeyed && !isShared(managed, attribute);
    return {
      line: [attribute, isMap ? `lookup(var.${variable}, each.key, null)` : `var.${variable}`] as const,
      variable: variableText(variable, { isMap, isSecret: attribute.startsWith("secret") }),
    };
  });
  const order = Object.keys(definition.schema);
  const arguments_ = [
    ...values.filter(([attribute]) => !hidden.some(({ line }) => line[0] === attribute)),
    ...hidden.map(({ line }) => line),
  ].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const groups = [isKeyed ? forEach(members, own) : "", aligned(arguments_, "  "), lifecycle(members)].filter(
    (group) => group !== "",
  );
  const placed = members.map((webhook) => ({ webhook, to: addressOf(definition, name, webhook.key) }));
  return {
    variables: hidden.map(({ variable }) => variable),
    resource: `resource ${quoted(definition.type)} ${quoted(name)} {\n${groups.join("\n")}}\n`,
    placed,
  };
}

/** A map of the keys, with the values in which the instances differ. */
function forEach(members: readonly ManagedWebhook[], own: readonly string[]): string {
  const entries = members.map(({ key, attributes }): Line => {
    const values = own.map((name) => `${name} = ${literal(attributes[name])}`).join(", ");
    return [quoted(String(key)), values === "" ? "{}" : `{ ${values} }`];
  });
  return `  for_each = {\n${aligned(entries, "    ")}  }\n`;
}

/** Our settings in Terraform's terms. */
function lifecycle(members: readonly ManagedWebhook[]): string {
  const says = (name: string, value: Value): boolean => members.some(({ attributes }) => attributes[name] === value);
  const lines: readonly Line[] = [
    ...(says("rotation", "create_first") ? [["create_before_destroy", "true"] as const] : []),
    ...(says("protect", true) ? [["prevent_destroy", "true"] as const] : []),
  ];
  return lines.length === 0 ? "" : `  lifecycle {\n${aligned(lines, "    ")}  }\n`;
}

function variableText(
  name: string,
  { isMap, isSecret }: { readonly isMap: boolean; readonly isSecret: boolean },
): string {
  const what = isSecret
    ? "the secret that the receiver has: generate writes no secret"
    : "this value, which came from a sensitive variable";
  const comment = `Set TF_VAR_${name} to ${what}.${isMap ? " It is a map by the keys of the webhooks." : ""}`;
  return `${commentOf([comment])}${blockText(`variable ${quoted(name)}`, [
    ["type", isMap ? "map(string)" : "string"],
    ["sensitive", "true"],
  ])}`;
}

function addressOf({ type }: AnyResource, name: string, key: ManagedWebhook["key"]): string {
  return `${type}.${name}${key === null ? "" : `[${quoted(String(key))}]`}`;
}

function blockText(head: string, lines: readonly Line[]): string {
  return `${head} {\n${aligned(lines, "  ")}}\n`;
}

/** One `name = value` per line, with aligned signs. */
function aligned(lines: readonly Line[], indent: string): string {
  const width = Math.max(...lines.map(([name]) => [...name].length));
  return lines.map(([name, value]) => `${indent}${name}${" ".repeat(width - [...name].length)} = ${value}\n`).join("");
}

function commentOf(lines: readonly string[]): string {
  return lines.map((line) => `${`# ${withoutCommands(visible(line))}`.trimEnd()}\n`).join("");
}

function literal(value: Value | undefined): string {
  return typeof value === "string" ? quoted(value) : JSON.stringify(value ?? null);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** A text in quotation marks, which is no template. */
function quoted(text: string): string {
  const inQuotes = escapedText(text).replaceAll(/["\\]/g, String.raw`\$&`);
  const shown = replaceHidden(inQuotes, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return ESCAPES.get(sign) ?? (code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`);
  });
  return `"${shown}"`;
}
