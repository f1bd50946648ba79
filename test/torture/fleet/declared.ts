import type { WebhookRecord } from "../../../src/sandbox/sandbox-records.ts";
import type { Chance } from "../../core/apply/chance.ts";
import { configurationHead } from "./fleet-world.ts";

/** What the controllers have to make of the service. */
export interface Declared {
  /** Of each team: all of its webhooks for a type are replaced when it changes. */
  readonly versions: { readonly [team: string]: number };
  /** The teams that the configuration does not have: not yet, or not any more. */
  readonly absent: readonly string[];
  /** Each team has a webhook for each of these. */
  readonly types: readonly string[];
  readonly emails: readonly string[];
  /** Controllers take over a new one when they start again. */
  readonly secret: string;
}

export const TYPES = ["emailsReplied", "emailsSent", "emailsOpened", "emailsClicked"] as const;
export const EMAILS = ["ada@example.com", "charles@example.com", "grace@example.com", "alan@example.com"] as const;
const CHANGED_TEAMS = 20;
/** Of so many teams, one is added later; of twice as many, one is added or removed in a change. */
const ADDED_LATER = 10;

export function firstDeclared(teams: readonly string[]): Declared {
  const absent = teams.filter((_, index) => index % ADDED_LATER === ADDED_LATER / 2);
  return { versions: {}, absent, types: TYPES.slice(0, 1), emails: EMAILS.slice(0, 1), secret: "hook-secret-0" };
}

export function configurationOf(teams: readonly string[], { versions, absent, types, emails }: Declared): string {
  const present = teams.filter((team) => !absent.includes(team));
  return `${configurationHead(present, (team) => `{ variables: { version: "${String(versions[team] ?? 0)}" } }`)}variables: { version: {} }
webhooks:
  crm: { target_url: "https://crm.example.com/\${team.name}/\${var.version}", types: [${types.join(", ")}] }
  signed: { target_url: "https://signed.example.com/\${team.name}/", secret: { env: HOOK_SECRET } }
lead_unsubscriptions:
  left: { campaign_id: "cam_\${team.name}", emails: [${emails.join(", ")}], on_not_found: error }
`;
}

/** A configuration that cannot be used. */
export function brokenOf(text: string, chance: Chance): string {
  return chance.oneOf([
    text.slice(0, text.indexOf("webhooks:") + 20),
    text.replace("webhooks:", "webhoks:"),
    text.replace("types: [", "types: [emailsForgotten, "),
    text.replace("var.version", "var.release"),
  ]);
}

/** Another declaration: other versions of some teams, teams added and removed, a webhook more or less for all, or an unsubscription more. */
export function changed(declared: Declared, teams: readonly string[], chance: Chance): Declared {
  const { versions, absent, types, emails } = declared;
  switch (chance.oneOf(["versions", "versions", "teams", "teams", "types", "emails"])) {
    case "versions": {
      const some = Array.from({ length: Math.min(CHANGED_TEAMS, teams.length / 2) }, () => chance.any(teams) ?? "");
      return {
        ...declared,
        versions: { ...versions, ...Object.fromEntries(some.map((team) => [team, (versions[team] ?? 0) + 1])) },
      };
    }
    case "teams": {
      const some = new Set(
        Array.from(
          { length: Math.ceil(teams.length / ADDED_LATER / 2) },
          () => chance.any(chance.percent(50) ? absent : teams) ?? "",
        ),
      );
      return { ...declared, absent: teams.filter((team) => absent.includes(team) !== some.has(team)) };
    }
    case "types": {
      const type = chance.oneOf(TYPES);
      const others = types.filter((one) => one !== type);
      return { ...declared, types: others.length < types.length && others.length > 0 ? others : [...others, type] };
    }
    case "emails":
      return { ...declared, emails: EMAILS.slice(0, emails.length + 1) };
  }
}

/** The live webhooks that a team must have. */
export function expectedOf(team: string, { versions, types, secret }: Declared): readonly string[] {
  const crm = types.map((type) => ({
    targetUrl: `https://crm.example.com/${team}/${String(versions[team] ?? 0)}`,
    type,
    secret: null,
  }));
  return [...crm, { targetUrl: `https://signed.example.com/${team}/`, type: null, secret }].map(nameOf).toSorted();
}

export function nameOf({ targetUrl, type, secret }: Pick<WebhookRecord, "targetUrl" | "type" | "secret">): string {
  return `${targetUrl} ${type ?? "all"} ${secret ?? "unsigned"}`;
}

/** Whose webhook it is, by its URL. */
export function teamOf({ targetUrl }: Pick<WebhookRecord, "targetUrl">): string {
  return targetUrl.split("/")[3] ?? "";
}
