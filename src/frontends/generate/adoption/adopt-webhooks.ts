import {
  type Argument,
  type Block,
  type ImportBlock,
  type MovedBlock,
  type Variable,
} from "../../../core/config/block.ts";
import { blockOf, formatAddress, parseAddress } from "../../../core/model/address.ts";
import { attributesOf, sameMeaning } from "../../../core/model/attribute.ts";
import { checkAttributes } from "../../../core/model/check.ts";
import { type AnyResource, resourceOf } from "../../../core/model/definition.ts";
import { type Attributes, type Value, compareText, isSecretDigest } from "../../../core/model/value.ts";
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
  leftOutFor,
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
  const { catalog, isTruncated, others } = input;
  const definition = resourceOf(catalog, WEBHOOK);
  const { sound, leftOut } = soundOnly(definition, input.webhooks);
  const campaigns = campaignNames(sound, input);
  const alone = [...groupedBy(sound, input.identityKey).values()].flatMap((group) => (group.length === 1 ? group : []));
  const families = familiesOf(alone, { definition, campaigns: campaigns.blockOf });
  const secretVariables = new Set<string>();
  const blocks = markedDuplicates(
    definition,
    namedWebhooks(definition, { ...input, webhooks: sound, families }),
    input.identityKey,
  )
    .map((one) => webhookBlock(definition, one, { campaigns, secretVariables }))
    .toSorted((a, b) => compareText(a.block.name, b.block.name));
  const left = [...input.leftOut, ...leftOut];
  const declared = blocks.flatMap(instancesOf);
  const imports = [
    ...declared.flatMap(({ id, record, to }) => (record ? [] : [{ id, to }])),
    ...declaredImports(input),
  ];
  const moved = declared.flatMap(({ record, to }) =>
    record && record.address !== to ? [movedTo(record.address, to)] : [],
  );
  return {
    configuration: {
      variables: blocks.flatMap(({ variables }) => variables),
      blocks: [...campaigns.blocks, ...blocks.map(({ block }) => block)],
      imports: imports.map(importBlock),
      moved,
    },
    comments: {
      head: headComment({ definition, webhooks: sound, imports: imports.length, isTruncated, others }),
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

/** A recorded block keeps its name. A family has one name, for its first webhook. An instance of another fan-out gets a block of its own. */
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
  const kept = new Map(
    webhooks.flatMap(({ id, record }) => {
      const { value } = parseAddress(record?.address ?? "");
      return value && value.key === null ? [[id, value.name] as const] : [];
    }),
  );
  const records = webhooks.flatMap(({ record }) =>
    record ? [blockOf(record.address).slice(definition.type.length + 1)] : [],
  );
  const taken = new Set([...names, ...records]);
  const familyOf = new Map(families.flatMap((family) => family.members.map((member) => [member.id, family] as const)));
  return webhooks.flatMap((webhook): readonly NamedWebhook[] => {
    const { id, attributes } = webhook;
    const title = titles.get(campaignIdOf(attributes) ?? "") ?? null;
    const family = familyOf.get(id) ?? null;
    if (!family)
      return [{ ...webhook, family, name: kept.get(id) ?? uniqueName(webhookName(attributes, title), taken) }];
    if (family.members[0]?.id !== id) return [];
    const recorded = family.recordedBlock?.slice(definition.type.length + 1);
    return [
      { ...webhook, family, name: recorded ?? uniqueName(webhookName(sharedBy(family, attributes), title), taken) },
    ];
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
    const { attributes, record } = webhook;
    const known = Object.fromEntries(
      Object.entries(attributes).filter(([name, value]) => !isSecretDigest(value) && !record?.masked.includes(name)),
    );
    const [problem] = checkAttributes({ ...definition, schema: declaredSchema(definition, known) }, known).filter(
      ({ severity }) => severity === "error",
    );
    if (problem) leftOut.push(leftOutFor(webhook, problem.detail));
    return problem === undefined;
  });
  return { sound, leftOut };
}

/** Only of the attributes that are there: a masked one is absent, although it is required. */
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

interface Names {
  readonly campaigns: CampaignNames;
  /** The environment variables of earlier blocks. */
  readonly secretVariables: Set<string>;
}

function webhookBlock(
  definition: AnyResource,
  webhook: MarkedWebhook,
  { campaigns, secretVariables }: Names,
): WebhookBlock {
  const { name, attributes, record, duplicates, family } = webhook;
  const variables: Variable[] = [];
  let secretVariable: string | null = null;
  const argument = (attribute: string): readonly (readonly [string, Argument])[] => {
    const value = attribute === "allow_duplicate" && duplicates.length > 0 ? true : (attributes[attribute] ?? null);
    if (value === null || isDefault(definition, attribute, value)) return [];
    if (isSecretDigest(value)) {
      secretVariable = uniqueName(`${name.toUpperCase().replaceAll(/[^A-Z\d]/g, "_")}_SECRET`, secretVariables, "_");
      return [[attribute, { kind: "secret", source: { kind: "env", name: secretVariable } }]];
    }
    if (record?.masked.includes(attribute)) {
      const variable = `${name}_${attribute}`;
      variables.push({ name: variable, default: undefined, sensitive: true, locate: nowhere });
      return [[attribute, { kind: "template", text: `\${var.${variable}}` }]];
    }
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
  return { webhook, block, variables, secretVariable };
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

function movedTo(from: string, to: string): MovedBlock {
  return { from, to, locate: nowhere };
}

function nowhere(): undefined {
  return undefined;
}
