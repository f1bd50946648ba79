/**
 * The sugar table: which section of the YAML file declares which type. The rest of a block's keys are the attributes of
 * the type's definition, and the short forms that its attributes' `refersTo` names.
 */
export interface Section {
  readonly path: readonly string[];
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly docs: string;
}

export const SECTIONS: readonly Section[] = [
  { path: ["webhooks"], mode: "managed", type: "outreach_webhook", docs: "The webhooks to manage, each under a name of yours." },
  { path: ["data", "campaign"], mode: "data", type: "outreach_campaign", docs: "Campaigns to look up, each under a name that webhooks refer to." },
];
