import { type Argument, type Block, type FanOutPart, type Variable } from "../../../../core/config/block.ts";
import { formatAddress, isName, parseAddress } from "../../../../core/model/address.ts";
import { attributesOf } from "../../../../core/model/attribute.ts";
import type { AnyResource } from "../../../../core/model/definition.ts";
import { type Attributes, compareText } from "../../../../core/model/value.ts";
import { escapedText } from "../../../generate/escaped-text.ts";
import { uniqueName } from "../../../generate/unique-name.ts";
import type { GeneratedConfiguration, YamlComments } from "../../../generate/yaml-text.ts";
import {
  type ManagedBlock,
  type ManagedWebhook,
  type Placed,
  blocksOf,
  isShared,
  legalName,
  textOf,
  variableName,
} from "./managed-webhook.ts";

type Shape = readonly ("type" | "campaign_id")[];

/** What can fan out, in the order of the parts of a key. */
const SHAPES: readonly Shape[] = [["type"], ["campaign_id"], ["type", "campaign_id"]];

interface Names {
  readonly blocks: Set<string>;
  readonly variables: Set<string>;
  /** The names of data blocks, by the ids of their campaigns. */
  readonly campaigns: Map<string, string>;
}

interface Written {
  readonly block: Block;
  readonly variables: readonly Variable[];
  readonly comment: readonly string[];
  readonly placed: readonly Placed[];
}

/** Webhooks as YAML: a block whose instances are the product of its types and campaigns stays one, any other instance gets a block. */
export function yamlFromState(
  webhooks: readonly ManagedWebhook[],
  {
    definition,
    imports,
    head,
  }: { readonly definition: AnyResource; readonly imports: boolean; readonly head: readonly string[] },
): {
  readonly configuration: GeneratedConfiguration;
  readonly comments: YamlComments;
  readonly placed: readonly Placed[];
} {
  const names: Names = { blocks: new Set(), variables: new Set(), campaigns: new Map() };
  const shaped = blocksOf(webhooks).flatMap((block) => shapesOf(block, definition));
  // A name that stays goes before one that is made.
  const ordered = shaped.toSorted((a, b) => Number(isName(b.name) && b.stays) - Number(isName(a.name) && a.stays));
  const written = ordered
    .map((one) => writtenBlock(definition, one, names))
    .toSorted((a, b) => compareText(a.block.name, b.block.name));
  const placed = written.flatMap((one) => one.placed);
  const moved = placed.filter(({ webhook: { address }, to }) => address !== to && parseAddress(address).value !== null);
  return {
    configuration: {
      variables: written.flatMap(({ variables }) => variables),
      blocks: [...campaignBlocks(names.campaigns), ...written.map(({ block }) => block)],
      imports: imports ? placed.map(({ webhook: { id }, to }) => ({ to, id: literal(id), locate: nowhere })) : [],
      moved: moved.map(({ webhook: { address }, to }) => ({ from: address, to, locate: nowhere })),
    },
    comments: {
      head,
      blocks: new Map(written.map(({ block, comment }) => [addressOf(definition, block.name), comment])),
      tail: [],
    },
    placed,
  };
}

/** One block of the result. */
interface Shaped extends ManagedBlock {
  readonly stays: boolean;
  readonly fanOut: { readonly shape: Shape; readonly texts: ReadonlyMap<string, Argument> } | null;
}

function shapesOf(block: ManagedBlock, definition: AnyResource): readonly Shaped[] {
  const { name, members } = block;
  if (members[0]?.key === null) return [{ name, members, stays: true, fanOut: null }];
  for (const shape of SHAPES) {
    const texts = isProduct(members, shape) ? sharedTexts(block, { shape, definition }) : null;
    if (texts) return [{ name, members, stays: true, fanOut: { shape, texts } }];
  }
  return members.map((member) => ({
    name: `${name}-${String(member.key)}`,
    members: [member],
    stays: false,
    fanOut: null,
  }));
}

/** Whether the members are all combinations of their values, at the keys that a fan-out gives them. */
function isProduct(members: readonly ManagedWebhook[], shape: Shape): boolean {
  const counts = shape.map((name) => new Set(members.map(({ attributes }) => attributes[name])).size);
  return (
    counts.reduce((all, count) => all * count, 1) === members.length &&
    members.every(({ key, attributes }) => {
      const parts = shape.map((name) => textOf(attributes[name]));
      return !parts.includes("") && key === parts.join("/");
    })
  );
}

/** What the instances of a fan-out share: values, or templates with `each`. Null if something differs otherwise. */
function sharedTexts(
  block: ManagedBlock,
  { shape, definition }: { readonly shape: Shape; readonly definition: AnyResource },
): ReadonlyMap<string, Argument> | null {
  const texts = new Map<string, Argument>();
  for (const name of Object.keys(definition.schema)) {
    if (shape.some((one) => one === name) || isShared(block, name)) continue;
    const template = EACH.includes(name) ? templateFor(block, name, shape) : null;
    if (template === null) return null;
    texts.set(name, { kind: "template", text: template });
  }
  return texts;
}

/** The attributes in which YAML knows `each`. */
const EACH = ["target_url", "automation_id"];

/** The text of the first member with `each` in place of its own values, where that gives the text of every member. */
function templateFor({ members }: ManagedBlock, name: string, shape: Shape): string | null {
  const [first] = members;
  if (!first || members.some(({ hidden }) => hidden.has(name))) return null;
  const values = new Map(shape.map((one) => [textOf(first.attributes[one]), one] as const));
  const words = [...values.keys()].map((value) => value.replaceAll(/[^\w\s]/g, String.raw`\$&`));
  const parts = textOf(first.attributes[name]).split(new RegExp(`(${words.join("|")})`));
  const isVaried = (index: number): boolean => index % 2 === 1;
  const textFor = ({ attributes }: ManagedWebhook): string =>
    parts.map((part, index) => (isVaried(index) ? textOf(attributes[values.get(part) ?? ""]) : part)).join("");
  // A sign in front of the braces would escape them.
  const isSafe = parts.every((part, index) => isVaried(index) || index === parts.length - 1 || !/[$%]$/.test(part));
  if (!isSafe || members.some((member) => textFor(member) !== member.attributes[name])) return null;
  return parts
    .map((part, index) => (isVaried(index) ? `\${each.${values.get(part) ?? ""}}` : escapedText(part)))
    .join("");
}

function writtenBlock(definition: AnyResource, shaped: Shaped, names: Names): Written {
  const { members, fanOut } = shaped;
  const name = uniqueName(legalName(shaped.name, isName), names.blocks);
  const parts = fanOut?.shape.map((attribute) => partOf(attribute, members, names)) ?? [];
  const [first] = members;
  const variables: Variable[] = [];
  const comment: string[] = [];
  const argument = (attribute: string): Argument | null => {
    if (parts.some((part) => part.attribute === attribute)) return null;
    const value = first?.attributes[attribute];
    if (first?.hidden.has(attribute) || (attribute === "secret" && first?.hidden.has("secret_wo"))) {
      if (attribute === "secret") {
        const source = uniqueName(variableName(name, attribute).toUpperCase(), names.variables, "_");
        comment.push(`Set ${source} to the secret that the receiver has: generate writes no secret.`);
        return { kind: "secret", source: { kind: "env", name: source } };
      }
      const variable = uniqueName(variableName(name, attribute), names.variables, "_");
      comment.push(`This value came from a sensitive variable. Set OUTREACH_VAR_${variable} to it.`);
      variables.push({ name: variable, default: undefined, sensitive: true, locate: nowhere });
      return { kind: "template", text: `\${var.${variable}}` };
    }
    return fanOut?.texts.get(attribute) ?? (value === undefined ? null : literal(value));
  };
  const given = attributesOf(definition.schema, "yaml").flatMap(([attribute]) => {
    const made = argument(attribute);
    return made ? [[attribute, made] as const] : [];
  });
  const block: Block = {
    mode: "managed",
    type: definition.type,
    name,
    provider: "outreach",
    arguments: Object.fromEntries(given),
    ...(parts.length > 0 ? { fanOut: parts } : {}),
    locate: nowhere,
  };
  const placed = members.map((webhook) => ({
    webhook,
    to: addressOf(definition, name, fanOut ? webhook.key : null),
  }));
  return { block, variables, comment, placed };
}

function partOf(attribute: Shape[number], members: readonly ManagedWebhook[], { campaigns }: Names): FanOutPart {
  const values = [...new Set(members.map(({ attributes }) => textOf(attributes[attribute])))];
  const items = values.map((value): Argument => {
    if (attribute === "type") return literal(value);
    const name = isName(value) ? value : `campaign-${value}`;
    campaigns.set(value, name);
    return { kind: "template", text: `\${data.outreach_campaign.${name}.id}` };
  });
  return { attribute, values: { kind: "list", items }, filtered: false, distinct: true };
}

function campaignBlocks(campaigns: Names["campaigns"]): readonly Block[] {
  return [...campaigns].map(([id, name]) => ({
    mode: "data",
    type: "outreach_campaign",
    name,
    provider: "outreach",
    arguments: { id: literal(id) },
    locate: nowhere,
  }));
}

function addressOf({ type }: AnyResource, name: string, key: string | number | null = null): string {
  return formatAddress({ mode: "managed", type, name, key });
}

function literal(value: Attributes[string]): Argument {
  return { kind: "literal", value: value ?? null };
}

function nowhere(): undefined {
  return undefined;
}
