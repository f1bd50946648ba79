import { Token } from "cdktn";
import type { Construct } from "constructs";
import { EventType } from "./generated/cdktn/lib/event-type";

/** Values by the names of their settings. */
export type Literals = { readonly [setting: string]: unknown };

const MAX_URL_LENGTH = 2048;
const EVENT_TYPES: readonly string[] = Object.values(EventType);

/** `${TfToken[TOKEN.7]}`, and its numbers, in any notation but their own, which the synthesis replaces, and how it begins in base64. */
const ENCODED_TOKEN =
  /TfToken(?!\[TOKEN\.\d+\]\}).{0,12}TOKEN\.\d|8\.1095622\d*e(?!\+298).{0,12}298|JHtUZlRva2Vu|R7VGZUb2tlb|ke1RmVG9rZW5/i;

const CHECKS: { readonly [setting: string]: (value: string) => string | undefined } = {
  targetUrl: targetUrlProblem,
  type: eventTypeProblem,
  types: eventTypeProblem,
  campaignId: campaignIdProblem,
  campaigns: campaignIdProblem,
};

/**
 * Checks literal values when the stack is validated, so that the synthesis in a unit test finds what a plan would refuse.
 * Tokens pass: their values are unknown.
 */
export function checkLiterals({ node }: Construct, literals: () => Literals): void {
  node.addValidation({
    validate: () => Object.entries(literals()).flatMap(([setting, value]) => problemsOf(setting, value)),
  });
}

function problemsOf(setting: string, value: unknown): string[] {
  if (typeof value === "string" && ENCODED_TOKEN.test(value))
    return [
      `${setting} contains an encoded token. Use Fn.urlencode, or write the token into the text as it is: \`https://…?event=\${Each.type}\`.`,
    ];
  if (Token.isUnresolved(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      problemsOf(setting, item).map((problem) => problem.replace(setting, `${setting}[${index}]`)),
    );
  const problem = typeof value === "string" && !value.includes("${") ? CHECKS[setting]?.(value) : undefined;
  return problem === undefined ? [] : [`${setting} ${problem}`];
}

function eventTypeProblem(type: string): string | undefined {
  return EVENT_TYPES.includes(type)
    ? undefined
    : `is ${JSON.stringify(type)}, which is not an event type. Use a constant of EventType.`;
}

function campaignIdProblem(id: string): string | undefined {
  if (/^cam_[A-Za-z0-9_-]{0,124}$/.test(id)) return undefined;
  return `is ${JSON.stringify(id)}, which is not the id of a campaign: ids start with cam_. To use a campaign's name, look it up with DataOutreachCampaign.`;
}

/** Does not show the URL: it can contain a secret. */
function targetUrlProblem(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters.`;
  if (/[\s\p{Cc}]/u.test(url)) return "contains white space or a control character.";
  const parsed = parsedUrl(url);
  if (parsed === null) return "is not an absolute URL. Write it in full, as in https://crm.example.com/hooks.";
  const { username, password, protocol, hostname } = parsed;
  if (username !== "" || password !== "") return "contains a user name or a password.";
  const isLoopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback)
    ? undefined
    : "must use https. Only a loopback host can use http.";
}

/** On Node.js 20, `URL.canParse` soon answers wrong for texts with ü or é. */
function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
