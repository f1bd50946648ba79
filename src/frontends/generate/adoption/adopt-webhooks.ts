import type { Argument, Block, ImportBlock } from "../../../core/config/block.ts";
import { formatAddress } from "../../../core/model/address.ts";
import { attributesOf, sameMeaning } from "../../../core/model/attribute.ts";
import { checkAttributes } from "../../../core/model/check.ts";
import { type AnyResource, resourceOf } from "../../../core/model/definition.ts";
import { type Attributes, type Value, compareText } from "../../../core/model/value.ts";
import type { GeneratedConfiguration, YamlComments } from "../yaml-text.ts";
import { uniqueName } from "../unique-name.ts";
import { type CampaignNames, campaignNames, webhookName } from "./webhook-name.ts";
import { blockComment, headComment, tailComment } from "./comments.ts";
import { familiesOf, keyIn, partsOf } from "./families.ts";
import {
  type AdoptionInput,
  type Family,
  type LeftOut,
  type LiveWebhook,
  type MarkedWebhook,
  type NamedWebhook,
  WEBHOOK,
  type WebhookBlock,
  campaignIdOf,
} from "./live-webhook.ts";

/** Declarations for live webhooks, with their imports. */
export interface Adoption {
  readonly configuration: GeneratedConfiguration;
  readonly comments: YamlComments;
  readonly leftOut: readonly LeftOut[];
  readonly counts: { readonly declared: number; readonly imports: number };
}

/** Declares every live webhook: a family in one block, any other in a block of its own. The plan of the result imports them, and does nothing else. */
export function adoption(input: AdoptionInput): Adoption {
  const { catalog, isTruncated } = input;
  const definition = resourceOf(catalog, WEBHOOK);
  const { sound, leftOut } = soundOnly(definition, input.webhooks);
  const campaigns = campaignNames(sound, input);
  const alone = [...groupedBy(sound, input.identityKey).values()].flatMap((group) => (group.length === 1 ? group : []));
  const families = familiesOf(alone, { definition, campaigns: campaigns.blockOf });
  const blocks = markedDuplicates(
    definition,
    namedWebhooks(definition, { ...input, webhooks: sound, families }),
    input.identityKey,
  )
    .map((one) => webhookBlock(definition, one, campaigns))
    .toSorted((a, b) => compareText(a.block.name, b.block.name));
  const left = [...input.leftOut, ...leftOut];
  const declared = blocks.flatMap(instancesOf);
  const imports = [...declared, ...declaredImports(input)];
  return {
    configuration: {
      variables: [],
      blocks: [...campaigns.blocks, ...blocks.map(({ block }) => block)],
      imports: imports.map(importBlock),
      moved: [],
    },
    comments: {
      head: headComment({ definition, webhooks: sound, imports: imports.length, isTruncated }),
      blocks: new Map(
        blocks
          .map((one) => [addressOf(one.block.name), blockComment(definition, one, sound)] as const)
          .filter(([, lines]) => lines.length > 0),
      ),
      tail: tailComment(left),
    },
    leftOut: left,
    counts: { declared: declared.length, imports: imports.length },
  };
}

/** The webhooks of a block, and their addresses. */
function instancesOf({ webhook, block: { name } }: WebhookBlock): readonly (LiveWebhook & { readonly to: string })[] {
  const { family } = webhook;
  if (!family) return [{ ...webhook, to: addressOf(name) }];
  return family.members.map((member) => ({ ...member, to: addressOf(name, keyIn(member, family)) }));
}

/** A family has one name, for its first webhook. */
function namedWebhooks(
  definition: AnyResource,
  {
    webhooks,
    campaigns,
    families,
    taken: { webhooks: names },
  }: AdoptionInput & { readonly families: readonly Family[] },
): readonly NamedWebhook[] {
  const titles = new Map(campaigns.map(({ id, name }) => [id, name]));
  const taken = new Set(names);
  const familyOf = new Map(families.flatMap((family) => family.members.map((member) => [member.id, family] as const)));
  return webhooks.flatMap((webhook): readonly NamedWebhook[] => {
    const { id, attributes } = webhook;
    const title = titles.get(campaignIdOf(attributes) ?? "") ?? null;
    const family = familyOf.get(id) ?? null;
    if (family && family.members[0]?.id !== id) return [];
    const named = family ? sharedBy(family, attributes) : attributes;
    return [{ ...webhook, family, name: uniqueName(webhookName(named, title), taken) }];
  });
}

/** What a name can say about all webhooks of a family. */
function sharedBy({ template, shape }: Family, attributes: Attributes): Attributes {
  return {
    ...attributes,
    ...Object.fromEntries(shape.map((name) => [name, undefined])),
    target_url: template.replaceAll(/\$\{each\.\w+\}/g, ""),
  };
}

/** Webhooks that the service has, and that no configuration can declare, get no block. */
function soundOnly(
  definition: AnyResource,
  webhooks: readonly LiveWebhook[],
): { readonly sound: readonly LiveWebhook[]; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const sound = webhooks.filter((webhook) => {
    const { id, attributes } = webhook;
    const schema = declaredSchema(definition, attributes);
    const problem = checkAttributes({ ...definition, schema }, attributes).find(({ severity }) => severity === "error");
    if (problem) leftOut.push({ id, why: problem.detail });
    return problem === undefined;
  });
  return { sound, leftOut };
}

/** Only of the attributes that are there. */
function declaredSchema({ schema }: AnyResource, attributes: Attributes): AnyResource["schema"] {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => (attributes[name] ?? null) !== null));
}

/** Identical webhooks by their identity, in the order of the first of each. */
function groupedBy<W extends LiveWebhook>(
  webhooks: readonly W[],
  identityKey: AdoptionInput["identityKey"],
): ReadonlyMap<string, readonly W[]> {
  const groups = new Map<string, W[]>();
  for (const webhook of webhooks) {
    const key = identityKey(webhook.attributes);
    const group = groups.get(key);
    if (group) group.push(webhook);
    else groups.set(key, [webhook]);
  }
  return groups;
}

function markedDuplicates(
  definition: AnyResource,
  webhooks: readonly NamedWebhook[],
  identityKey: AdoptionInput["identityKey"],
): readonly MarkedWebhook[] {
  const groups = groupedBy(webhooks, identityKey);
  return webhooks.map((webhook) => {
    const others = (groups.get(identityKey(webhook.attributes)) ?? []).filter((other) => other !== webhook);
    return {
      ...webhook,
      duplicates: others.map(({ name }) => addressOf(name)),
      differing: differingIn(definition, webhook, others),
    };
  });
}

/** Attributes outside the identity whose listed values differ from the other webhooks'. */
function differingIn(
  { schema, identity }: AnyResource,
  { attributes }: NamedWebhook,
  others: readonly NamedWebhook[],
): readonly string[] {
  const shown = Object.entries(schema).filter(
    ([name, { observed }]) => observed === "when-present" && !identity.includes(name),
  );
  return shown.flatMap(([name, attribute]) => {
    const isSame = (other: NamedWebhook): boolean =>
      sameMeaning(attribute, other.attributes[name] ?? null, attributes[name] ?? null);
    return others.every(isSame) ? [] : [name];
  });
}

function webhookBlock(definition: AnyResource, webhook: MarkedWebhook, campaigns: CampaignNames): WebhookBlock {
  const { name, attributes, duplicates, family } = webhook;
  const argument = (attribute: string): readonly (readonly [string, Argument])[] => {
    const value = attribute === "allow_duplicate" && duplicates.length > 0 ? true : (attributes[attribute] ?? null);
    if (value === null || isDefault(definition, attribute, value)) return [];
    const campaign = attribute === "campaign_id" ? campaigns.blockOf.get(campaignIdOf(attributes) ?? "") : undefined;
    return [
      [
        attribute,
        campaign === undefined
          ? { kind: "literal", value }
          : { kind: "template", text: `\${data.outreach_campaign.${campaign}.id}` },
      ],
    ];
  };
  const declarable = attributesOf(definition.schema, "yaml").filter(([, { mode }]) => mode !== "computed");
  const parts = family ? partsOf(family, { campaigns: campaigns.blockOf }) : [];
  const shared = declarable.filter(([attribute]) => !parts.some((part) => part.attribute === attribute));
  const given = {
    ...Object.fromEntries(shared.flatMap(([attribute]) => argument(attribute))),
    ...(family ? { target_url: { kind: "template", text: family.template } as const } : {}),
  };
  const fanOut = parts.length > 0 ? { fanOut: parts } : {};
  const block: Block = {
    mode: "managed",
    type: WEBHOOK,
    name,
    provider: "outreach",
    arguments: given,
    ...fanOut,
    locate: nowhere,
  };
  return { webhook, block };
}

/** A value that means the same as none. */
function isDefault({ schema }: AnyResource, name: string, value: Value): boolean {
  const attribute = schema[name];
  return attribute !== undefined && sameMeaning(attribute, value, null);
}

function addressOf(name: string, key: string | null = null): string {
  return formatAddress({ mode: "managed", type: WEBHOOK, name, key });
}

function declaredImports({ declared }: AdoptionInput): readonly { readonly id: string; readonly to: string }[] {
  return declared.map(({ id, address }) => ({ id, to: address }));
}

function importBlock({ id, to }: { readonly id: string; readonly to: string }): ImportBlock {
  return { to, id: { kind: "literal", value: id }, locate: nowhere };
}

function nowhere(): undefined {
  return undefined;
}
