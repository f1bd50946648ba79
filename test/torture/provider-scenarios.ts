import { SECRETS, type Scenario } from "./scenarios.ts";

/** A Terraform configuration on its way from one live state to another. */
export interface ProviderScenario extends Pick<Scenario, "name" | "before" | "after" | "live"> {
  readonly unsubscribed?: readonly string[];
  /** Whether creates carry a mark. */
  readonly marks?: boolean;
}

const [OLD_SECRET, NEW_SECRET] = SECRETS;
const url = (name: string): string => `https://${name}.example.com/`;
const hook = (name: string, ...lines: readonly string[]): string =>
  `resource "outreach_webhook" "${name}" {\n${[`target_url = "${url(name)}"`, ...lines].map((line) => `  ${line}\n`).join("")}}\n`;
const secret = (text: string): string => `secret = "${text}"`;
const CREATE_FIRST = "lifecycle {\n    create_before_destroy = true\n  }";
const unsubscription = (email: string): string =>
  `resource "outreach_lead_unsubscription" "left" {\n  campaign_id = "cam_000001"\n  email = "${email}"\n}\n`;
const live = (name: string, text: string | null = null): string => `${url(name)} ${String(text)}`;

const UNMARKED: readonly ProviderScenario[] = [
  { name: "create", before: null, after: hook("a", secret(NEW_SECRET)), live: [live("a", NEW_SECRET)] },
  { name: "two-creates", before: null, after: hook("a") + hook("b"), live: [live("a"), live("b")] },
  ...[
    { order: "delete-first", lines: [] },
    { order: "create-first", lines: [CREATE_FIRST] },
  ].map(({ order, lines }) => ({
    name: `rotate-${order}`,
    before: hook("a", secret(OLD_SECRET), ...lines),
    after: hook("a", secret(NEW_SECRET), ...lines),
    live: [live("a", NEW_SECRET)],
  })),
  { name: "delete", before: hook("a") + hook("b"), after: hook("a"), live: [live("a")] },
  {
    name: "mixed",
    before: hook("gone") + hook("off", secret(OLD_SECRET)),
    after: hook("off", secret(NEW_SECRET)) + hook("made") + unsubscription("ada@example.com"),
    live: [live("made"), live("off", NEW_SECRET)],
    unsubscribed: ["ada@example.com"],
  },
];

const PROVIDER = 'provider "outreach" {\n  mark = true\n}\n';
const withMarks = ({ name, before, after, ...rest }: ProviderScenario): ProviderScenario => ({
  ...rest,
  name: `${name}+mark`,
  before: before === null ? null : PROVIDER + before,
  after: PROVIDER + after,
  marks: true,
});

export const PROVIDER_SCENARIOS: readonly ProviderScenario[] = [
  ...UNMARKED,
  ...UNMARKED.filter(({ name }) => name !== "delete").map(withMarks),
];
