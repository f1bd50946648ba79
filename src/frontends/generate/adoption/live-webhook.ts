import type { Block } from "../../../core/config/block.ts";
import type { Catalog } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";

export const WEBHOOK = "outreach_webhook";

/** A live webhook that gets a block. */
export interface LiveWebhook {
  readonly id: string;
  /** What the service shows of it. */
  readonly attributes: Attributes;
}

/** A webhook without a block, and why. */
export interface LeftOut {
  readonly id: string;
  readonly why: string;
}

export interface AdoptionInput {
  readonly catalog: Catalog;
  /** The oldest first: a later webhook never takes the name of an earlier one. */
  readonly webhooks: readonly LiveWebhook[];
  /** Webhooks that an existing block declares. */
  readonly declared: readonly { readonly id: string; readonly address: string }[];
  readonly leftOut: readonly LeftOut[];
  /** All campaigns of the team. */
  readonly campaigns: readonly { readonly id: string; readonly name: string }[];
  /** The names of blocks that the configuration and the state have. */
  readonly taken: { readonly webhooks: readonly string[]; readonly campaigns: readonly string[] };
  /** Text that equal webhooks share. */
  readonly identityKey: (attributes: Attributes) => string;
  /** Whether the service may have truncated its list. */
  readonly isTruncated: boolean;
}

/** What fans out, in the order of the parts of a key. */
export type Shape = readonly ("type" | "campaign_id")[];

/**
 * Webhooks that differ only in their event type, their campaign or both, and whose target URLs contain just that: the
 * instances of one fan-out. They are all of the combinations.
 */
export interface Family {
  readonly members: readonly LiveWebhook[];
  readonly shape: Shape;
  /** The target URL of all, as a template with `each`. */
  readonly template: string;
}

export interface NamedWebhook extends LiveWebhook {
  readonly name: string;
  /** The family that its block declares, if it is the first webhook of one. */
  readonly family: Family | null;
}

/** A webhook to declare, and the addresses of those that are identical. */
export interface MarkedWebhook extends NamedWebhook {
  readonly duplicates: readonly string[];
  /** Attributes outside the identity in which some of them differ. */
  readonly differing: readonly string[];
}

export interface WebhookBlock {
  readonly webhook: MarkedWebhook;
  readonly block: Block;
}

/** Null for a webhook of all campaigns, and where the service does not show the campaign. */
export function campaignIdOf({ campaign_id: id }: Attributes): string | null {
  return typeof id === "string" ? id : null;
}
