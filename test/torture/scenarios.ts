import type { SandboxSeed } from "../../src/sandbox/seed.ts";

const [OLD_SECRET, NEW_SECRET] = ["first-secret-value", "second-secret-value"];
export const SECRETS = [OLD_SECRET, NEW_SECRET] as const;

/** A configuration on its way from one live state to another. */
export interface Scenario {
  readonly name: string;
  /** What was applied before; null: nothing, and there is no state. */
  readonly before: string | null;
  readonly after: string;
  /** The command that is killed, and that recovers. */
  readonly apply: string;
  /** What others made before. */
  readonly foreign?: SandboxSeed["webhooks"];
  /** All live webhooks at the end, as target URL and secret. */
  readonly live: readonly string[];
  /** The pairs that are unsubscribed, as the last part of their path. */
  readonly unsubscribed?: readonly string[];
  /** Whether creates carry a mark: then the next apply alone puts everything right. */
  readonly marks?: boolean;
}

const url = (name: string): string => `https://crm.example.com/${name}`;
const hook = (name: string, more = ""): string => `  ${name}: { target_url: "${url(name)}"${more} }\n`;
const withSecret = (rotation = "delete_first"): string => `, secret: { env: S }, rotation: ${rotation}`;
const config = (hooks: string, rest = ""): string => `version: 1\n${rest}${hooks === "" ? "" : `webhooks:\n${hooks}`}`;
const SOURCE = ", type: emailsReplied, campaign_id: cam_000001";
const live = (name: string, secret: string | null = null): string => `${url(name)} ${String(secret)}`;
const left = (emails: string): string =>
  `lead_unsubscriptions:\n  left: { campaign_id: cam_000001, emails: [${emails}] }\n`;
const foreign = (name: string) => ({ _id: `hoo_${name}`, targetUrl: url(name) });

const APPLY = "apply --auto-approve";
/** Somebody else's, which nothing may touch. */
export const NEIGHBOUR = foreign("neighbour");

const UNMARKED: readonly Scenario[] = [
  { name: "create", before: null, after: config(hook("a", withSecret())), apply: APPLY, live: [live("a", NEW_SECRET)] },
  {
    name: "two-creates",
    before: null,
    after: config(hook("a") + hook("b")),
    apply: APPLY,
    live: [live("a"), live("b")],
  },
  ...["delete_first", "create_first"].map((order) => ({
    name: `rotate-${order.replace("_", "-")}`,
    before: config(hook("a", withSecret(order))),
    after: config(hook("a", withSecret(order))),
    apply: APPLY,
    live: [live("a", NEW_SECRET)],
  })),
  { name: "delete", before: config(hook("a") + hook("b")), after: config(hook("a")), apply: APPLY, live: [live("a")] },
  {
    name: "adopt",
    before: null,
    after: config(hook("a", SOURCE) + hook("b")),
    apply: `${APPLY} --adopt`,
    foreign: [{ ...foreign("a"), type: "emailsReplied", campaignId: "cam_000001" }],
    live: [live("a"), live("b")],
  },
  {
    name: "unsubscribe",
    before: null,
    after: config("", left("ada@example.com, charles@example.com")),
    apply: APPLY,
    live: [],
    unsubscribed: ["ada@example.com", "charles@example.com"],
  },
  {
    name: "import",
    before: null,
    after: config(hook("a") + hook("b"), "imports:\n  - { to: outreach_webhook.a, id: hoo_a }\n"),
    apply: APPLY,
    foreign: [foreign("a")],
    live: [live("a"), live("b")],
  },
  {
    name: "moved",
    before: config(hook("old").replace("crm.example.com/old", "crm.example.com/a")),
    after: config(hook("a") + hook("b"), "moved:\n  - { from: outreach_webhook.old, to: outreach_webhook.a }\n"),
    apply: APPLY,
    live: [live("a"), live("b")],
  },
  {
    name: "mixed",
    before: config(hook("gone", withSecret()) + hook("kept", withSecret("create_first")) + hook("off", withSecret())),
    after: config(
      hook("kept", withSecret("create_first")) +
        hook("off", withSecret()) +
        hook("new1", withSecret()) +
        hook("new2", withSecret()),
      left("ada@example.com"),
    ),
    apply: APPLY,
    live: ["kept", "new1", "new2", "off"].map((name) => live(name, NEW_SECRET)),
    unsubscribed: ["ada@example.com"],
  },
].map((scenario) => ({ ...scenario, foreign: [NEIGHBOUR, ...((scenario as Scenario).foreign ?? [])] }));

/** Creates with marks. An unsubscription carries none, and may need a person. */
const MARKED = UNMARKED.filter(({ name }) => !["delete", "adopt", "unsubscribe", "import"].includes(name)).map(
  ({ name, before, after, unsubscribed: _, ...rest }): Scenario => ({
    ...rest,
    name: `${name}+mark`,
    before: before === null ? null : withMarks(before),
    after: withMarks(after.replace(/lead_unsubscriptions:\n.*\n/, "")),
    marks: true,
  }),
);

function withMarks(text: string): string {
  return text.replace("version: 1\n", "version: 1\nservice: { mark: true }\n");
}

export const SCENARIOS: readonly Scenario[] = [...UNMARKED, ...MARKED];
