import type { Catalog } from "../../core/model/definition.ts";
import { campaign } from "./campaign-data-source.ts";
import { campaignExport } from "./campaign-export.ts";
import { campaigns } from "./campaigns-data-source.ts";
import { eventTypes } from "./event-type.ts";
import { ignorableWarnings } from "./ignorable-warnings.ts";
import { leadUnsubscription } from "./lead-unsubscription.ts";
import { schedules } from "./schedules-data-source.ts";
import { verifySecret } from "./verify-secret.ts";
import { warmupSettings } from "./warmup-settings-data-source.ts";
import { webhook } from "./webhook.ts";
import { webhooks } from "./webhooks-data-source.ts";

/** Everything that can be declared. Schemas, constructs, docs, checks and plans all come from this list. */
export const catalog: Catalog = {
  resources: [webhook, leadUnsubscription],
  dataSources: [campaign, campaigns, schedules, warmupSettings, webhooks],
  actions: [campaignExport],
  functions: [eventTypes, verifySecret],
  ignorable: ignorableWarnings,
};
