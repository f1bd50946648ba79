import { parseUrl } from "../../../../core/model/parse-url.ts";
import type { Attributes, Value } from "../../../../core/model/value.ts";

/** What an audit finds at live objects of a type, in addition to what it finds at those of every type. */
interface TypeRules {
  readonly rules: readonly AuditRule[];
  /** An attribute with the id of something that the rules need: `source` is the data source with a list of them in `list`. */
  readonly refers: { readonly attribute: string; readonly source: string; readonly list: string };
}

/** One thing that an audit looks for. */
export interface AuditRule {
  /** Its name for programs, and its heading for people. */
  readonly id: string;
  readonly title: string;
  /** What it means, as a clause. */
  readonly meaning: string;
  /** The attributes that it reads. An object that does not show one of them is counted as unknown. */
  readonly reads: readonly string[];
  /** Whether only objects that nothing manages are looked at. */
  readonly onlyUnmanaged: boolean;
  /**
   * What was found, as a clause; null for nothing. An absent attribute is unobserved. `referred`: what `refers` names, by id; null
   * where it could not be read.
   */
  find(attributes: Attributes, referred: ReadonlyMap<string, Attributes> | null): string | null;
}

/** The hosts at which automation tools receive events for workflows. */
const AUTOMATION_HOST =
  /^(?:hooks\.zapier\.com|hook\.(?:[a-z0-9]+\.)?(?:make|integromat)\.com|maker\.ifttt\.com|.+\.(?:n8n\.cloud|pipedream\.net|logic\.azure\.com))$/;
/** The paths of n8n, which runs on any host. */
const AUTOMATION_PATH = /^\/webhook(?:-test)?\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/|$)/;

/** What a tool has left in a URL without filling it in. */
const TEMPLATE = /\{\{|%7b%7b/i;

/** A campaign in one of these states sends nothing any more. */
const ENDED: ReadonlySet<Value | undefined> = new Set(["ended", "archived"]);

const WEBHOOKS: TypeRules = {
  refers: { attribute: "campaign_id", source: "outreach_campaigns", list: "campaigns" },
  rules: [
    {
      id: "automation",
      title: "Left by automation tools",
      meaning:
        "unmanaged, with the URL of such a tool or an automation_id; such tools create webhooks, and forget them",
      reads: ["target_url", "automation_id"],
      onlyUnmanaged: true,
      find: ({ target_url: url, automation_id: automation }) => {
        const host = automationHost(url);
        const found = [
          ...(host === null ? [] : [host]),
          ...(typeof url === "string" && TEMPLATE.test(url) ? ["a placeholder in its URL"] : []),
          ...(typeof automation === "string" ? [`automation_id ${automation}`] : []),
        ];
        return found.length === 0 ? null : found.join(", ");
      },
    },
    {
      id: "dead_campaign",
      title: "Dead campaigns",
      meaning:
        "their campaign has ended, is archived, or is not in the list of campaigns; a late reply may still arrive",
      reads: ["campaign_id"],
      onlyUnmanaged: false,
      find: ({ campaign_id: id }, campaigns) =>
        typeof id === "string" && campaigns !== null ? deadCampaign(id, campaigns.get(id)) : null,
    },
    {
      id: "http",
      title: "Without https",
      meaning: "the events, and the secret in them, travel unencrypted",
      reads: ["target_url"],
      onlyUnmanaged: false,
      find: ({ target_url: url }) =>
        typeof url === "string" && parseUrl(url)?.protocol === "http:" ? "plain http" : null,
    },
  ],
};

function automationHost(url: Value | undefined): string | null {
  const parsed = typeof url === "string" ? parseUrl(url) : null;
  if (parsed === null) return null;
  const { hostname: host, pathname } = parsed;
  return AUTOMATION_HOST.test(host) || AUTOMATION_PATH.test(pathname) ? host : null;
}

function deadCampaign(id: string, campaign: Attributes | undefined): string | null {
  if (!campaign) return `campaign ${id} is not in the list of campaigns`;
  const { name, status } = campaign;
  if (!ENDED.has(status)) return null;
  return `campaign ${JSON.stringify(name)} (${id}) ${status === "ended" ? "has ended" : "is archived"}`;
}

/** By type. */
export const AUDIT_RULES: { readonly [type: string]: TypeRules | undefined } = { outreach_webhook: WEBHOOKS };
