import { blockOf } from "../../core/model/address.ts";
import type { Declaration } from "../../core/model/declaration.ts";
import { type Diagnostic, warningOf } from "../../core/model/diagnostic.ts";
import type { LintInput, LintRule, LintTable } from "../../core/model/lint.ts";
import { isoTime, parsedTimeMs } from "../../core/model/iso-time.ts";
import { groupBy } from "../../core/model/maps.ts";
import { type Attributes, isUnknown } from "../../core/model/value.ts";
import { EVENT_TYPES } from "../events/event-catalog.ts";
import { subjectOf } from "../events/payload.ts";

const type = "outreach_webhook";

/** Every rule. New ones are off: a configuration that had no warnings keeps none. */
const RULES: readonly LintRule[] = [
  {
    id: "overlapping_webhooks",
    docs: "Two webhooks with one target URL that deliver some of the same events.",
    type,
    initially: "on",
    reads: "nothing",
  },
  {
    id: "no_secret",
    docs: "A webhook without a secret: its receiver cannot verify events.",
    type,
    initially: "off",
    reads: "nothing",
    find: noSecret,
  },
  {
    id: "secret_max_age",
    docs: "A webhook with a secret that is older than this duration, such as 180d. Plans and drift compare it.",
    type,
    initially: "limit",
    reads: "state",
    find: oldSecrets,
  },
  {
    id: "all_events",
    docs: "A webhook for all events, which includes types that the service adds later.",
    type,
    initially: "off",
    reads: "nothing",
    find: allEvents,
  },
  {
    id: "http",
    docs: "A target URL with http: only a service on the same machine can reach it.",
    type,
    initially: "off",
    reads: "nothing",
    find: overHttp,
  },
  {
    id: "campaign_ended",
    docs: "A webhook of a campaign that has ended or is archived, where a plan reads the campaign.",
    type,
    initially: "off",
    reads: "service",
    find: endedCampaigns,
  },
  {
    id: "no_receiver",
    docs: "Events about accounts that no declared webhook receives, such as connectionIssue.",
    initially: "off",
    reads: "nothing",
    find: withoutReceiver,
  },
  { id: "unused_variable", docs: "A variable that nothing refers to.", initially: "off", reads: "nothing" },
];

/** The rules, and the warnings about webhooks and files that a configuration can turn off. */
export const lintTable: LintTable = {
  rules: RULES,
  warnings: [
    { id: "target_url_host", docs: "A target URL that writes its host in another notation.", type },
    { id: "target_url_mixed_scripts", docs: "A host that mixes letters of several scripts.", type },
    { id: "target_url_placeholder", docs: "A target URL with a placeholder that nothing replaces.", type },
    { id: "duplicate_live", docs: "Webhooks that have an identical one which this configuration does not manage." },
    { id: "campaign_unchecked", docs: "An id of a campaign that a plan could not check." },
    { id: "returned_otherwise", docs: "A value that the service returns otherwise than it was sent." },
    { id: "config_left_out", docs: "Configurations in folders that are not read." },
  ],
};

/** One warning for each block, whose instances share their mistake. */
function perBlock(
  declarations: readonly Declaration[],
  warn: (one: Declaration, what: string) => Diagnostic,
): readonly Diagnostic[] {
  return [...groupBy(declarations, ({ address }) => blockOf(address))].flatMap(([address, [first, ...others]]) =>
    first
      ? [
          {
            ...warn(first, others.length === 0 ? first.address : address),
            address: others.length === 0 ? first.address : address,
          },
        ]
      : [],
  );
}

function noSecret({ declarations }: LintInput): readonly Diagnostic[] {
  const found = declarations.filter(
    ({ secrets, attributes }) => !("secret" in secrets) && (attributes["secret"] ?? null) === null,
  );
  return perBlock(found, (one, what) =>
    warningOf("no_secret", "Webhook without a secret", {
      detail: `${what} has no secret, so its receiver cannot verify that an event comes from the service.`,
      hint: "Give it a secret: the name of an environment variable, a file, or a program.",
      place: one.locate([]),
    }),
  );
}

function allEvents({ declarations }: LintInput): readonly Diagnostic[] {
  const found = declarations.filter(({ attributes }) => (attributes["type"] ?? null) === null);
  return perBlock(found, (one, what) =>
    warningOf("all_events", "Webhook for all events", {
      detail: `${what} names no event type, so it delivers events of every type, including those that the service adds later.`,
      hint: "Name the types that its receiver handles.",
      place: one.locate([]),
    }),
  );
}

function overHttp({ declarations }: LintInput): readonly Diagnostic[] {
  const found = declarations.filter(({ attributes }) => /^http:/i.test(textOf(attributes["target_url"])));
  return perBlock(found, (one, what) =>
    warningOf("http", "Target URL without encryption", {
      detail: `${what} delivers with http, which is accepted for loopback hosts only: only a service on the same machine, such as the sandbox, can deliver there.`,
      hint: "Use https, and a host that the service can reach.",
      path: ["target_url"],
      place: one.locate(["target_url"]),
    }),
  );
}

const MS_PER_DAY = 86_400_000;

function oldSecrets({ kept, atMs, limit }: LintInput): readonly Diagnostic[] {
  return kept.flatMap(({ address, attributes }) => {
    const createdMs = parsedTimeMs(textOf(attributes["created_at"]));
    if (createdMs === null || (attributes["secret"] ?? null) === null || atMs - createdMs <= limit.ms) return [];
    const days = Math.floor((atMs - createdMs) / MS_PER_DAY);
    return [
      warningOf("secret_max_age", "Old secret", {
        detail: `The secret of ${address} is ${String(days)} days old. It was set when the webhook was created, on ${isoTime(createdMs).slice(0, 10)}. The configuration allows ${limit.text}.`,
        hint: "Rotate it: set a new secret where the configuration takes it from, and apply.",
        address,
      }),
    ];
  });
}

const ENDED: { readonly [status: string]: string | undefined } = { ended: "has ended", archived: "is archived" };

function endedCampaigns({ declarations, data }: LintInput): readonly Diagnostic[] {
  const campaigns = new Map(
    data.flatMap(({ type: source, attributes }) => {
      const found =
        source === "outreach_campaign" ? [attributes] : source === "outreach_campaigns" ? attributes["campaigns"] : [];
      return (Array.isArray(found) ? (found as readonly Attributes[]) : []).map(
        (one) => [textOf(one["id"]), one] as const,
      );
    }),
  );
  return declarations.flatMap(({ address, attributes, locate }) => {
    const campaign = campaigns.get(textOf(attributes["campaign_id"]));
    const status = textOf(campaign?.["status"]);
    const ended = Object.hasOwn(ENDED, status) ? ENDED[status] : undefined;
    if (!campaign || ended === undefined) return [];
    return [
      warningOf("campaign_ended", "Webhook of an ended campaign", {
        detail: `The campaign ${textOf(campaign["name"])} (${textOf(campaign["id"])}) of ${address} ${ended}, so few events are left to deliver.`,
        hint: "Remove the webhook, unless its receiver waits for late replies.",
        address,
        path: ["campaign_id"],
        place: locate(["campaign_id"]),
      }),
    ];
  });
}

/** They belong to no campaign and no lead. */
const OF_ACCOUNTS = EVENT_TYPES.map(({ name }) => name).filter((name) => ["sender", "team"].includes(subjectOf(name)));

function withoutReceiver({ declarations }: LintInput): readonly Diagnostic[] {
  const webhooks = declarations.filter((one) => one.type === type);
  const receives = (name: string): boolean =>
    webhooks.some(({ attributes: { type: wanted = null, campaign_id: campaign = null } }) => {
      const isOfAll = campaign === null || isUnknown(campaign);
      return isOfAll && (wanted === null || isUnknown(wanted) || wanted === name);
    });
  const missed = OF_ACCOUNTS.filter((name) => !receives(name));
  if (webhooks.length === 0 || missed.length === 0) return [];
  return [
    warningOf("no_receiver", "Account events without a receiver", {
      detail: `No declared webhook receives ${missed.join(", ")}. These events are about the team's accounts, so nobody notices when sending stops.`,
      hint: "Declare a webhook for these types, without a campaign.",
    }),
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
