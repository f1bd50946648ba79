import type { Catalog } from "../../core/model/definition.ts";
import { campaign } from "./campaign.ts";
import { webhook } from "./webhook.ts";

/** Everything that can be declared. Schemas, constructs, docs, checks and plans all come from this list. */
export const catalog: Catalog = {
  resources: [webhook],
  dataSources: [campaign],
};
