import type { Problem } from "../../core/model/attribute.ts";
import { defineResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { type Attributes, type Value, isUnknown } from "../../core/model/value.ts";
import { unseenEnds } from "../../core/model/words.ts";
import type { ReadClient, WriteClient } from "../api/client.ts";
import { isWebhookId } from "../api/service-path.ts";
import { OPTIONAL_FIELDS, type OptionalFields, type WireWebhook, listRequests } from "../api/webhook-calls.ts";
import { CAMPAIGN_ID, checkCampaignId } from "./check-campaign-id.ts";
import { EVENT_TYPE_NAMES, checkEventType, isRemovedEventType } from "./event-type.ts";
import { writeOutcome } from "./outcome.ts";
import { unreadableValues } from "./unreadable.ts";
import { splitMark, withMark } from "../api/url-mark.ts";
import { canonicalUrl, checkTargetUrl, hostDiagnostics, placeholderWarnings } from "./target-url.ts";

/** What the documentation gives to jobs that only plan, for a secret that the plan does not depend on. */
const PLAN_ONLY = "unknown";

const SECRET_NOTE = "the secret cannot be changed in place";

/**
 * A webhook (Resources and their fields, Webhook; POST /hooks, DELETE /hooks/{hookId}). The service documents no update and
 * never returns `secret`; `is_first` and `automation_id` are not in its documented Webhook object, and were observed in
 * lists; `campaign_id` is promised only in the answer to a delete.
 */
export const webhook = defineResource<ReadClient, WriteClient>()({
  type: "outreach_webhook",
  noun: "webhook",
  plural: "webhooks",
  effects: { duplicate: "each event is delivered twice", missing: "no events are delivered" },
  version: 0,
  docs: "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It documents no update of a webhook, so every change replaces it.",
  identity: ["target_url", "type", "campaign_id"],
  // The event of a lead state group is another one than the events that cause it.
  overlap: { place: "target_url", selectors: ["type", "campaign_id"], effect: deliveredTwice, selection: eventsOf },
  exclusive: "target_url",
  mark: true,
  destroy: "delete",
  createdAt: "created_at",
  absent: { type: "all events", campaign_id: "all campaigns" },
  schema: {
    target_url: {
      type: "string",
      mode: "required",
      docs: "URL that receives the events: https, without user info, backslashes and invisible characters, at most 2,048 characters. http is valid only for loopback hosts.",
      canonical: canonicalUrl,
      check: checkTargetUrl,
      examples: ["https://crm.example.com/hooks/replies"],
    },
    type: {
      type: "string",
      mode: "optional",
      docs: "Event type to receive. Default: all events.",
      observed: "when-present",
      oneOf: EVENT_TYPE_NAMES,
      check: checkEventType,
      examples: ["emailsReplied"],
    },
    campaign_id: {
      ...CAMPAIGN_ID,
      mode: "optional",
      docs: "Campaign whose events to receive. Default: all campaigns.",
      observed: "when-present",
      check: (value) => withHintForEmpty(value, checkCampaignId(value)),
    },
    is_first: {
      type: "bool",
      mode: "optional",
      docs: "Whether to deliver only the first activity. Default: false.",
      observed: "when-present",
      canonical: (value) => value ?? false,
    },
    automation_id: {
      type: "string",
      mode: "optional",
      docs: "Identifier of a workflow-automation mapping, kept for tracking by the caller.",
      observed: "when-present",
      canonical: canonicalAutomationId,
    },
    secret: {
      type: "string",
      mode: "optional",
      sensitive: true,
      docs: "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook.",
      observed: "never",
      placeholder: PLAN_ONLY,
      replaceNote: SECRET_NOTE,
      check: checkSecret,
    },
    secret_wo: {
      type: "string",
      mode: "optional",
      sensitive: true,
      docs: "Like `secret`, but write-only: it is in no plan and no state. To send a new value, change `secret_wo_version`. Terraform 1.11 and later.",
      frontends: ["terraform"],
      observed: "never",
      writeOnly: { of: "secret" },
      placeholder: PLAN_ONLY,
      check: checkSecret,
    },
    secret_wo_version: {
      type: "number",
      mode: "optional",
      docs: "Version of `secret_wo`, any number. Change it with `secret_wo`: a new version replaces the webhook.",
      frontends: ["terraform"],
      observed: "never",
      replaceNote: SECRET_NOTE,
    },
    allow_duplicate: {
      type: "bool",
      mode: "optional",
      docs: "Whether to allow a duplicate of this webhook, or another one with the same URL that delivers some of the same events. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error; an overlap is a warning.",
      observed: "never",
      onChange: "record",
    },
    rotation: {
      type: "string",
      mode: "optional",
      docs: "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver; the service may allow one webhook per URL: set `mark` under `service`, or change a query parameter of `target_url` too).",
      frontends: ["yaml"],
      observed: "never",
      onChange: "record",
      canonical: (value) => value ?? "delete_first",
      oneOf: ["delete_first", "create_first"],
    },
    protect: {
      type: "bool",
      mode: "optional",
      docs: "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.",
      frontends: ["yaml"],
      observed: "never",
      onChange: "record",
      canonical: (value) => value ?? false,
    },
    id: { type: "string", mode: "computed", docs: "Id of the webhook." },
    created_at: { type: "string", mode: "computed", docs: "Creation time (ISO 8601, UTC)." },
  },

  search: {
    docs: "Lists all live webhooks of the team, managed or not.",
    filters: {
      target_url: {
        type: "string",
        mode: "optional",
        docs: "Only webhooks with this target URL.",
        examples: ["https://crm.example.com/hooks/replies"],
      },
      type: {
        type: "string",
        mode: "optional",
        docs: "Only webhooks with this event type, which can also be one that the service has removed. Webhooks for all events do not match.",
        check: (value) => (isRemovedEventType(value) ? undefined : checkEventType(value)),
        examples: ["emailsReplied"],
      },
      campaign_id: {
        ...CAMPAIGN_ID,
        mode: "optional",
        docs: "Only webhooks with this campaign. Webhooks for all campaigns do not match.",
      },
    },
    title,
  },

  async list({ client, signal, expectedIds, ...request }) {
    const { webhooks, ...listing } = await client.listWebhooks(expectedIds, signal, request);
    const objects = webhooks.map((wire) => {
      const { mark } = splitMark(wire.targetUrl);
      return { id: wire._id, attributes: attributesOfWire(wire), ...(mark === null ? {} : { mark }) };
    });
    const unreadable = new Set(webhooks.flatMap(({ unreadable: fields = [] }) => fields));
    const warnings = unreadableValues(
      "The list of webhooks",
      unreadable,
      "They count as unobserved: the recorded values stand.",
    );
    return { ...listing, objects, ...(warnings.length > 0 ? { warnings } : {}) };
  },

  listRequests,

  async create(planned, { client, signal, retry, mark }) {
    const wire = await client.addWebhook(
      {
        targetUrl: mark === undefined ? planned.target_url : withMark(planned.target_url, mark),
        ...fieldsOf(planned),
        secret: planned.secret_wo ?? planned.secret,
      },
      signal,
      retry,
    );
    const outcome = writeOutcome(wire, { returned: (json) => attributesOfWire(json as WireWebhook) });
    const hasNoCampaign = wire.kind === "refused" && wire.known === "webhook_not_found" && planned.campaign_id !== null;
    return hasNoCampaign && outcome.kind === "refused"
      ? { ...outcome, diagnostic: aboutCampaign(outcome.diagnostic) }
      : outcome;
  },

  async delete(id, { client, signal, retry }) {
    const wire = await client.deleteWebhook(id, signal, retry);
    return writeOutcome(wire, {
      returned: (json) => attributesOfWire(json as WireWebhook),
      goneOn: "webhook_not_found",
    });
  },

  check(attributes: Attributes): readonly Diagnostic[] {
    return [...placeholderWarnings(attributes), ...hostDiagnostics(attributes), ...secretProblems(attributes)];
  },

  checkId(id): Diagnostic | undefined {
    if (isWebhookId(id)) return undefined;
    return {
      code: "webhook_id_invalid",
      severity: "error",
      summary: "Invalid webhook id",
      detail: `${JSON.stringify(id)} is not the id of a webhook.`,
      hint: "Ids of webhooks begin with hoo_, followed by letters, digits, - and _.",
    };
  },
});

/** `emailsBounced`, `all events of Q3 launch (cam_000001)`. */
function eventsOf(
  { type = null, campaign_id: campaign = null }: Attributes,
  { names, isPartlyKept }: { readonly names: { readonly [id: string]: string }; readonly isPartlyKept: boolean },
): string {
  const what = typeof type === "string" ? type : "all events";
  if (typeof campaign !== "string") return isPartlyKept ? `${what} of all campaigns` : what;
  return `${what} of ${Object.hasOwn(names, campaign) ? `${names[campaign] ?? ""} (${campaign})` : campaign}`;
}

/** `each emailsReplied event of campaign cam_000001 is delivered twice`. */
function deliveredTwice(one: Attributes, other: Attributes): string {
  const selected = (name: string): readonly string[] =>
    [one[name], other[name]].filter((value) => typeof value === "string");
  const [type = null] = selected("type");
  const [campaign = null] = selected("campaign_id");
  const first = one["is_first"] === true || other["is_first"] === true ? "first " : "";
  return `each ${first}${type === null ? "" : `${type} `}event${campaign === null ? "" : ` of campaign ${campaign}`} is delivered twice`;
}

/** A new webhook has nothing else that the service might not find. */
function aboutCampaign(diagnostic: Diagnostic): Diagnostic {
  const hint =
    "Nothing was created. Check the campaign: there may be none with this id, or it belongs to another team than the API key's user.";
  return { ...diagnostic, hint, path: ["campaign_id"] };
}

function secretProblems({
  secret = null,
  secret_wo: writeOnly = null,
  secret_wo_version: version = null,
}: Attributes): readonly Diagnostic[] {
  if ([secret, writeOnly].every((value) => value !== null && !isUnknown(value))) return [SECRET_TWICE];
  if ([secret, writeOnly, version].some(isUnknown) || (writeOnly === null) === (version === null)) return [];
  if (writeOnly !== null) return [VERSION_MISSING];
  return [secret === null ? NO_SECRET : VERSION_ALONE];
}

const SECRET_TWICE: Diagnostic = {
  code: "secret_twice",
  severity: "error",
  summary: "Two secrets for one webhook",
  detail: "secret and secret_wo are both set, but a webhook has one secret.",
  hint: "Keep secret_wo to keep the value out of Terraform's state, or keep secret.",
  path: ["secret_wo"],
};

/** A variable that a job does not set is null: without an error, the webhook would be created without its secret. */
const NO_SECRET: Diagnostic = {
  code: "secret_version_alone",
  severity: "error",
  summary: "A secret's version without the secret",
  detail: "secret_wo_version is set, but secret_wo is null: the webhook would be created without a secret.",
  hint: "Set secret_wo: is its variable set in this job, as TF_VAR_NAME? A destroy sends no secret, so any value will do. For a webhook without a secret, leave both out.",
  path: ["secret_wo"],
};

const VERSION_ALONE: Diagnostic = {
  code: "secret_version_alone",
  severity: "warning",
  summary: "A secret's version without the secret",
  detail:
    "secret_wo_version is set, but secret_wo is not: a changed version replaces the webhook, and sends no write-only secret.",
  hint: "Set secret_wo, or take secret_wo_version out.",
  path: ["secret_wo_version"],
};

const VERSION_MISSING: Diagnostic = {
  code: "secret_version_missing",
  severity: "warning",
  summary: "A changed secret would not be noticed",
  detail:
    "secret_wo is set without secret_wo_version. Terraform does not keep secret_wo, so it cannot tell when the value changes: a new one would never be sent.",
  hint: "Set secret_wo_version, and change it together with the secret.",
  path: ["secret_wo"],
};

/** The attributes that the service may know, by its names for them. */
const ATTRIBUTES: { readonly [F in keyof OptionalFields]-?: string } = {
  type: "type",
  campaignId: "campaign_id",
  isFirst: "is_first",
  automationId: "automation_id",
};

function fieldsOf(planned: Attributes): OptionalFields {
  return Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, planned[ATTRIBUTES[field]]]));
}

/** The fields that the service returned, without the mark: an absent one is unobserved. */
function attributesOfWire(wire: Partial<WireWebhook> & Pick<WireWebhook, "_id">): Attributes & { readonly id: string } {
  const { _id, targetUrl, createdAt, isFirst } = wire;
  const shown = OPTIONAL_FIELDS.filter((field) => wire[field] !== undefined);
  return {
    id: _id,
    ...(targetUrl === undefined ? {} : { target_url: splitMark(targetUrl).url }),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...Object.fromEntries(shown.map((field) => [ATTRIBUTES[field], wire[field]])),
    ...(isFirst === null ? { is_first: false } : {}),
  };
}

/** A number has one form: `007` is 7. No id is an empty one. */
function canonicalAutomationId(value: Value): Value {
  if (typeof value !== "string") return value;
  if (!/^\d+$/.test(value)) return value === "" ? null : value;
  return value.replace(/^0+(?=\d)/, "");
}

/** `https://crm.example.com/hooks (emailsReplied, all campaigns)`, without what the list does not show. */
function title({
  target_url: url,
  type,
  campaign_id: campaignId,
  is_first: isFirst,
  automation_id: automationId,
}: Attributes): string {
  const shown = (value: Value | undefined, all: string): readonly string[] =>
    typeof value === "string" ? [value] : value === null ? [all] : [];
  const others = [
    ...(isFirst === true ? ["first activities"] : []),
    ...(typeof automationId === "string" ? [`automation ${automationId}`] : []),
  ];
  const events = [...shown(type, "all events"), ...shown(campaignId, "all campaigns"), ...others].join(", ");
  return [...shown(url, ""), ...(events === "" ? [] : [`(${events})`])].join(" ");
}

/** A webhook for all campaigns names none. */
function withHintForEmpty(value: Value, problem: Problem | undefined): Problem | undefined {
  return problem && value === "" ? { ...problem, hint: "For all campaigns, omit campaign_id." } : problem;
}

function checkSecret(value: Value): Problem | undefined {
  const ends = typeof value === "string" ? unseenEnds(value) : null;
  if (ends !== null)
    return {
      code: "secret_white_space",
      summary: "A secret with white space",
      detail: `The secret starts or ends with ${ends}, often the line break of its file, or copied with it. No receiver would take it.`,
      hint: "Remove it, as with trimspace(…).",
    };
  if (value !== "") return undefined;
  return {
    code: "secret_empty",
    summary: "Empty secret",
    detail: "The secret is empty: it would protect nothing.",
    hint: "Give it a value, or leave it out.",
  };
}
