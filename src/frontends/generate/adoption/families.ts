import type { Argument, FanOutPart } from "../../../core/config/block.ts";
import { attributesOf } from "../../../core/model/attribute.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { escapedText } from "../escaped-text.ts";
import type { Family, LiveWebhook, Shape } from "./live-webhook.ts";

/** What can fan out, in the order of the parts of a key. The most comes first. */
const SHAPES: readonly Shape[] = [["type", "campaign_id"], ["type"], ["campaign_id"]];

interface FamilyInput {
  readonly definition: AnyResource;
  /** The names of blocks by the ids of their campaigns. */
  readonly campaigns: ReadonlyMap<string, string>;
}

/** The families among webhooks without duplicates. A webhook is in one at most. */
export function familiesOf(webhooks: readonly LiveWebhook[], input: FamilyInput): readonly Family[] {
  const families: Family[] = [];
  let left = webhooks;
  for (const shape of SHAPES) {
    const groups = new Map<string, { readonly template: string; readonly members: LiveWebhook[] }>();
    for (const webhook of left) {
      const template = templateOf(webhook, shape, input);
      if (template === null) continue;
      const key = JSON.stringify([template, common(webhook.attributes, shape, input)]);
      const group = groups.get(key) ?? { template, members: [] };
      group.members.push(webhook);
      groups.set(key, group);
    }
    const found = [...groups.values()].filter(({ members }) => isWhole(members, shape));
    families.push(...found.map((one) => ({ ...one, shape })));
    const taken = new Set(found.flatMap(({ members }) => members));
    left = left.filter((webhook) => !taken.has(webhook));
  }
  return families;
}

/** The key of an instance: the values that fan out. */
export function keyIn({ attributes }: LiveWebhook, { shape }: Family): string {
  return shape.map((name) => textOf(attributes, name)).join("/");
}

/** The lists of a family, each value once. */
export function partsOf(
  { members, shape }: Family,
  { campaigns }: Pick<FamilyInput, "campaigns">,
): readonly FanOutPart[] {
  return shape.map((attribute) => {
    const items = valuesOf(members, attribute).map((value): Argument =>
      attribute === "type"
        ? { kind: "literal", value }
        : { kind: "template", text: `\${data.outreach_campaign.${campaigns.get(value) ?? ""}.id}` },
    );
    return { attribute, values: { kind: "list", items }, filtered: false, distinct: true };
  });
}

function valuesOf(members: readonly LiveWebhook[], attribute: Shape[number]): readonly string[] {
  return [...new Set(members.map(({ attributes }) => textOf(attributes, attribute)))];
}

/** The value, which all members of a family have; empty for none. */
function textOf(attributes: Attributes, name: string): string {
  const value = attributes[name];
  return typeof value === "string" ? value : "";
}

/** Whether each combination of several values is there. */
function isWhole(members: readonly LiveWebhook[], shape: Shape): boolean {
  const counts = shape.map((attribute) => valuesOf(members, attribute).length);
  return counts.every((count) => count > 1) && counts.reduce((all, count) => all * count, 1) === members.length;
}

/** What the members of a family have in common. */
function common(attributes: Attributes, shape: Shape, { definition }: FamilyInput): unknown {
  const own: readonly string[] = ["target_url", ...shape];
  return attributesOf(definition.schema, "yaml").flatMap(([name, { mode }]) =>
    mode === "computed" || own.includes(name) ? [] : [attributes[name] ?? null],
  );
}

/** The target URL with `each` in place of the values in its path and query. Null if it does not contain all of them, or a campaign has no name. */
function templateOf({ attributes }: LiveWebhook, shape: Shape, { campaigns }: FamilyInput): string | null {
  const url = textOf(attributes, "target_url");
  const values = new Map(shape.map((name) => [textOf(attributes, name), name] as const));
  const isNamed = !shape.some((name) => name === "campaign_id") || campaigns.has(textOf(attributes, "campaign_id"));
  const path = url.indexOf("/", url.indexOf("://") + 3);
  if (!isNamed || values.has("") || path < 0) return null;
  const parts = url.slice(path).split(new RegExp(String.raw`(?<!\w)(${[...values.keys()].join("|")})(?![\w-])`));
  const found = new Set(parts.filter((_, index) => index % 2 === 1));
  // A sign in front of the braces would escape them.
  const isSafe = parts.every((part, index) => index % 2 === 1 || index === parts.length - 1 || !/[$%]$/.test(part));
  if (found.size < values.size || !isSafe) return null;
  const written = parts.map((part, index) =>
    index % 2 === 1 ? `\${each.${values.get(part) ?? ""}}` : escapedText(part),
  );
  return `${url.slice(0, path)}${written.join("")}`;
}
