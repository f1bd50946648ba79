import type { Catalog } from "../../core/model/definition.ts";
import { campaign } from "./campaign.ts";
import { campaignExport } from "./campaign-export.ts";
import { campaigns } from "./campaigns.ts";
import { eventTypes } from "./event-types.ts";
import { leadUnsubscription } from "./lead-unsubscription.ts";
import { schedules } from "./schedules.ts";
import { verifySecret } from "./verify-secret.ts";
import { warmupSettings } from "./warmup-settings.ts";
import { webhook } from "./webhook.ts";
import { webhooks } from "./webhooks.ts";

/** Everything that can be declared. Schemas, constructs, docs, checks and plans all come from this list. */
export const catalog: Catalog = {
  resources: [webhook, leadUnsubscription],
  dataSources: [campaign, campaigns, schedules, warmupSettings, webhooks],
  actions: [campaignExport],
  functions: [eventTypes, verifySecret],
};
