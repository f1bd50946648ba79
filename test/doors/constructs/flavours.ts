import { createRequire } from "node:module";

/** What a user of the constructs imports. Both flavours have the same of it: they are told by the types of one. */
export interface Flavour {
  readonly cdk: typeof import("cdktn");
  readonly provider: typeof import("outreach-as-code/cdktn/lib/provider");
  readonly campaign: typeof import("outreach-as-code/cdktn/lib/data-outreach-campaign");
  readonly campaigns: typeof import("outreach-as-code/cdktn/lib/data-outreach-campaigns");
  readonly eventType: typeof import("outreach-as-code/cdktn/lib/event-type");
  readonly suppressionList: typeof import("outreach-as-code/cdktn/lib/suppression-list");
  readonly webhookSet: typeof import("outreach-as-code/cdktn/lib/webhook-set");
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
    webhookSet: of("webhook-set"),
  } as Flavour;
}
