import type { Problem } from "../../core/model/attribute.ts";
import { defineDataSource } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import type { ReadClient } from "../api/client.ts";
import { isId } from "../api/service-path.ts";
import { flag, nested, number, readShown, text } from "./shown-fields.ts";
import { unreadableValues } from "./unreadable.ts";

const SETTINGS = {
  active: flag("The service's `active`."),
  daily_limit: number("The service's `dailyLimit`."),
  warmup_template: text("The service's `warmupTemplate`."),
  warm_email_rampup: number("The service's `warmEmailRampup`."),
  warm_email_max: number("The service's `warmEmailMax`."),
  active_at: text("The service's `activeAt` (ISO 8601, UTC)."),
  deliverability: nested("The service's `deliverability`.", {
    score: number("The service's `score`."),
    last_at: text("The service's `lastAt` (ISO 8601, UTC)."),
  }),
};

/** The warm-up settings of a mailbox (Warm-up settings; GET /warmup/{userMailboxId}/settings): the union of both documented field sets. */
export const warmupSettings = defineDataSource<ReadClient>()({
  type: "outreach_warmup_settings",
  docs: "Reads the warm-up settings of a mailbox. The service documents two sets of fields, by name and type alone; a field that an answer omits is null.",
  schema: {
    user_mailbox_id: {
      type: "string",
      mode: "required",
      docs: "Id of the mailbox.",
      check: checkMailboxId,
      examples: ["usm_000001"],
    },
    ...SETTINGS,
  },

  async read(config, { client, signal }) {
    const mailboxId = config.user_mailbox_id;
    const wire = await client.object("/warmup/{mailboxId}/settings", { mailboxId }, signal);
    const unreadable = new Set<string>();
    const value = { ...config, ...readShown(SETTINGS, wire, unreadable) };
    return { value, diagnostics: unreadableValues(`The answer about ${mailboxId}`, unreadable) };
  },
});

function checkMailboxId(value: Value): Problem | undefined {
  if (isId(value)) return undefined;
  return {
    code: "mailbox_id_invalid",
    summary: "Invalid mailbox id",
    detail: `${JSON.stringify(value)} is not the id of a mailbox.`,
    hint: "Ids are letters, digits, - and _, at most 128 of them.",
  };
}
