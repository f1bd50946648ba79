import { createRequire } from "node:module";
import type * as cdk from "cdktn";
import type * as campaign from "outreach-as-code/cdktn/lib/data-outreach-campaign";
import type * as campaigns from "outreach-as-code/cdktn/lib/data-outreach-campaigns";
import type * as eventType from "outreach-as-code/cdktn/lib/event-type";
import type * as leadUnsubscription from "outreach-as-code/cdktn/lib/lead-unsubscription";
import type * as provider from "outreach-as-code/cdktn/lib/provider";
import type * as suppressionList from "outreach-as-code/cdktn/lib/suppression-list";
import type * as webhook from "outreach-as-code/cdktn/lib/webhook";
import type * as webhookSet from "outreach-as-code/cdktn/lib/webhook-set";

/** The imports of a user of the constructs. Both flavours have the same API, typed as one of them. */
export interface Flavour {
  readonly cdk: typeof cdk;
  readonly provider: typeof provider;
  readonly campaign: typeof campaign;
  readonly campaigns: typeof campaigns;
  readonly eventType: typeof eventType;
  readonly suppressionList: typeof suppressionList;
  readonly leadUnsubscription: typeof leadUnsubscription;
  readonly webhook: typeof webhook;
  readonly webhookSet: typeof webhookSet;
}

export const FLAVOURS = ["cdktf", "cdktn"] as const;

/** The constructs are CommonJS. */
const load = createRequire(import.meta.url);

export function loadFlavour(name: (typeof FLAVOURS)[number]): Flavour {
  const of = (folder: string): unknown => load(`outreach-as-code/${name}/lib/${folder}`);
  return {
    cdk: load(name),
    provider: of("provider"),
    campaign: of("data-outreach-campaign"),
    campaigns: of("data-outreach-campaigns"),
    eventType: of("event-type"),
    suppressionList: of("suppression-list"),
    leadUnsubscription: of("lead-unsubscription"),
    webhook: of("webhook"),
    webhookSet: of("webhook-set"),
  } as Flavour;
}
