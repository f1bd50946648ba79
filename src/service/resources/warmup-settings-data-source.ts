import type { Problem } from "../../core/model/attribute.ts";
import { defineDataSource } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import type { ReadClient } from "../api/client.ts";
import { isId } from "../api/service-path.ts";
import { fieldReader } from "../api/answer-values.ts";
import { unreadableValues } from "./unreadable.ts";

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
    active: { type: "bool", mode: "computed", docs: "The service's `active`." },
    daily_limit: { type: "number", mode: "computed", docs: "The service's `dailyLimit`." },
    warmup_template: { type: "string", mode: "computed", docs: "The service's `warmupTemplate`." },
    warm_email_rampup: { type: "number", mode: "computed", docs: "The service's `warmEmailRampup`." },
    warm_email_max: { type: "number", mode: "computed", docs: "The service's `warmEmailMax`." },
    active_at: { type: "string", mode: "computed", docs: "The service's `activeAt` (ISO 8601, UTC)." },
    deliverability: {
      type: {
        object: {
          score: { type: "number", mode: "computed", docs: "The service's `score`." },
          last_at: { type: "string", mode: "computed", docs: "The service's `lastAt` (ISO 8601, UTC)." },
        },
      },
      mode: "computed",
      docs: "The service's `deliverability`.",
    },
  },

  async read(config, { client, signal }) {
    const wire = await client.warmupSettings(config.user_mailbox_id, signal);
    const unreadable = new Set<string>();
    const fields = fieldReader(wire, unreadable);
    const inner = fields.object("deliverability");
    const value = {
      ...config,
      active: fields.flag("active"),
      daily_limit: fields.number("dailyLimit"),
      warmup_template: fields.text("warmupTemplate"),
      warm_email_rampup: fields.number("warmEmailRampup"),
      warm_email_max: fields.number("warmEmailMax"),
      active_at: fields.text("activeAt"),
      deliverability: inner && { score: inner.number("score"), last_at: inner.text("lastAt") },
    };
    return { value, diagnostics: unreadableValues(`The answer about ${config.user_mailbox_id}`, unreadable) };
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
