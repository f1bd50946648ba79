import { groupBy } from "../../../../core/model/maps.ts";
import { attributesOf, sameMeaning } from "../../../../core/model/attribute.ts";
import { blockOf, byAddress, recordedAddress } from "../../../../core/model/address.ts";
import type { AnyResource } from "../../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { type Attributes, type Value, canonicalJson } from "../../../../core/model/value.ts";

/** A webhook that a state has. */
export interface ManagedWebhook {
  /** Its address there, as that tool writes it. */
  readonly address: string;
  /** The block that declares it there. */
  readonly block: string;
  /** That block in a statement that lets it go: without keys of modules. */
  readonly from: string;
  /** The name of its block, which may be illegal in another form. */
  readonly name: string;
  readonly key: string | number | null;
  readonly id: string;
  /** The declared values, without those that mean the same as none. */
  readonly attributes: Attributes;
  /** Attributes whose values nothing may print: texts that are equal for equal values. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** The webhooks of one block, in the order of their addresses. */
export interface ManagedBlock {
  readonly name: string;
  readonly members: readonly ManagedWebhook[];
}

/** A webhook and its address in the new configuration. */
export interface Placed {
  readonly webhook: ManagedWebhook;
  readonly to: string;
}

export function blocksOf(webhooks: readonly ManagedWebhook[]): readonly ManagedBlock[] {
  const groups = groupBy(webhooks.toSorted(byAddress), ({ block, key }) => `${block}${key === null ? "" : "[]"}`);
  return [...groups.values()].flatMap((members) => (members[0] ? [{ name: members[0].name, members }] : []));
}

export function recordedWebhook(definition: AnyResource, recorded: RecordedInstance): ManagedWebhook {
  const { address, id, attributes, masked = [] } = recorded;
  const { name, key } = recordedAddress(address);
  const values = declaredValues(definition, attributes, (attribute) => masked.includes(attribute));
  const block = blockOf(address);
  return { address, block, from: block, name, key, id: id ?? "", ...values };
}

/** Splits the values of a webhook into those that can be written, and those that must not. */
export function declaredValues(
  { schema }: AnyResource,
  values: Attributes,
  isHidden: (attribute: string) => boolean,
): Pick<ManagedWebhook, "attributes" | "hidden"> {
  const attributes: Record<string, Attributes[string]> = {};
  const hidden = new Map<string, string>();
  for (const [name, attribute] of Object.entries(schema)) {
    const value = values[name] ?? null;
    if (attribute.mode === "computed" || sameMeaning(attribute, value, null)) continue;
    if (attribute.sensitive || isHidden(name)) hidden.set(name, canonicalJson(value));
    else attributes[name] = value;
  }
  // A write-only secret is in no state.
  if (attributes["secret_wo_version"] !== undefined) hidden.set("secret_wo", "");
  return { attributes, hidden };
}

/** The attributes of a block, in the order of the reference. */
export function namesIn({ schema }: AnyResource, { members }: ManagedBlock): readonly string[] {
  return attributesOf(schema, "terraform")
    .map(([name]) => name)
    .filter((name) => members.some(({ attributes }) => attributes[name] !== undefined));
}

/** Whether all members have the same value, or none. */
export function isShared({ members }: ManagedBlock, name: string): boolean {
  const texts = members.map(({ attributes, hidden }) => hidden.get(name) ?? canonicalJson(attributes[name] ?? null));
  return new Set(texts).size === 1;
}

/** The variable or environment variable that takes a hidden value. */
export function variableName(block: string, attribute: string): string {
  return `${block.replaceAll(/[^A-Za-z\d]/g, "_")}_${attribute}`;
}

/** A legal name: with a dash for each letter that is not. `isLegal` tells of whole names. */
export function legalName(name: string, isLegal: (name: string) => boolean): string {
  const letters = [...name.normalize()].map((letter) => (isLegal(`a${letter}`) ? letter : "-")).join("");
  return isLegal(letters) ? letters : `webhook-${letters}`;
}

/** Whether a name is one in Terraform's syntax. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name);
}

/** The text that a value is; empty for any other value. */
export function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
