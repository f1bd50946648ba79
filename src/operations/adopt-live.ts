import { countOf } from "../core/model/words.ts";
import { parseAddress } from "../core/model/address.ts";
import { resourceOf } from "../core/model/definition.ts";
import type { RecordedInstance } from "../core/model/instance.ts";
import { type Attributes, isUnknown } from "../core/model/value.ts";
import { type Adoptable, adoptable, oldestFirst } from "../core/plan/adoptable.ts";
import { identityKey } from "../core/plan/identity.ts";
import { mayBeTruncated, unlistedOf } from "../core/plan/missing.ts";
import {
  type AdoptionInput,
  type LeftOut,
  type LiveWebhook,
  WEBHOOK,
  campaignIdOf,
} from "../frontends/generate/adoption/live-webhook.ts";
import { isTemporaryTarget } from "../service/api/temporary-target.ts";
import type { OperationContext } from "./context.ts";
import type { Comparison } from "./compare-live.ts";
import type { OpenRun } from "./open-run.ts";
import { readWhole } from "./read-whole.ts";

/** What a configuration for the live webhooks that nothing manages is made of. */
export async function adoptionInput(
  context: OperationContext,
  { ports, loaded }: OpenRun,
  { planned, listings }: Comparison,
): Promise<AdoptionInput> {
  const { catalog } = context;
  const definition = resourceOf(catalog, WEBHOOK);
  const listing = listings.get(WEBHOOK);
  if (!listing) throw new Error("the webhooks were not listed");
  const { instances } = planned.document;
  const { declarations, statements } = planned;
  const imported = new Set(statements.imports.flatMap(({ id }) => (isUnknown(id) ? [] : [id])));
  const known = { objects: listing.objects, instances, declarations, imported };
  const { undeclared, declared, duplicates } = adoptable(definition, known);
  const deposed = new Set(instances.flatMap((instance) => (instance.deposed ?? []).map(({ id }) => id)));
  const webhooks = oldestFirst(definition, undeclared)
    .filter(({ id }) => !deposed.has(id))
    .map(({ id, attributes }): LiveWebhook => ({ id, attributes }));
  const temporary = webhooks.filter(
    ({ attributes: { target_url: url } }) => typeof url === "string" && isTemporaryTarget(url),
  );
  const lasting = webhooks.filter((one) => !temporary.includes(one));
  const secret = lasting.filter(({ attributes }) => holdsSecret(context, attributes));
  return {
    catalog,
    webhooks: lasting.filter((one) => !secret.includes(one)),
    declared: declared.map(({ object: { id }, address }) => ({ id, address })),
    leftOut: [
      ...duplicates.map(duplicateOf),
      ...secret.map(({ id }) => ({ id, why: "One of its values contains a secret of this configuration." })),
      ...temporary.map(({ id }) => ({
        id,
        why: "It belongs to an outreach listen, which removes it when it ends. If it was left behind, add it to removals.",
      })),
    ],
    campaigns: await campaignsOf(context, ports, lasting),
    taken: {
      webhooks: [
        ...loaded.configuration.blocks.filter(({ type }) => type === WEBHOOK).map(({ name }) => name),
        ...instances.flatMap(blockNameOf),
      ],
      campaigns: loaded.configuration.blocks.flatMap(({ type, name }) => (type === CAMPAIGN ? [name] : [])),
    },
    identityKey: (attributes) => identityKey(definition, attributes),
    isTruncated: mayBeTruncated(definition, listing, unlistedOf(definition.type, listing.objects, instances)),
  };
}

const CAMPAIGN = "outreach_campaign";

function holdsSecret({ redactor }: OperationContext, attributes: Attributes): boolean {
  return Object.values(attributes).some((value) => typeof value === "string" && redactor.redact(value) !== value);
}

function duplicateOf({ object: { id }, address, differing }: Adoptable["duplicates"][number]): LeftOut {
  return {
    id,
    why: `It is identical to ${address}${differing.length > 0 ? `, except for its ${differing.join(" and ")}` : ""}. Delete it if nobody needs it. To manage both, declare it by hand, with allow_duplicate: true in both blocks.`,
  };
}

/** The records that are not webhooks, in words. */
export function otherRecords({ catalog }: OperationContext, instances: readonly RecordedInstance[]): string | null {
  const counts = catalog.resources.flatMap(({ type, noun, plural }) => {
    const count = instances.filter((instance) => instance.type === type).length;
    return type === WEBHOOK || count === 0 ? [] : [countOf(count, noun, plural)];
  });
  return counts.length === 0 ? null : counts.join(" and ");
}

function blockNameOf({ address, type }: RecordedInstance): readonly string[] {
  const name = type === WEBHOOK ? parseAddress(address).value?.name : undefined;
  return name === undefined ? [] : [name];
}

/** All campaigns of the team, read only if a webhook has one. */
async function campaignsOf(
  product: OperationContext,
  ports: OpenRun["ports"],
  webhooks: readonly LiveWebhook[],
): Promise<AdoptionInput["campaigns"]> {
  if (webhooks.every(({ attributes }) => campaignIdOf(attributes) === null)) return [];
  return (await readWhole(product, ports, {
    source: "outreach_campaigns",
    list: "campaigns",
  })) as AdoptionInput["campaigns"];
}
