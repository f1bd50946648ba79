import { type SecretSource, describeSource } from "../../core/model/declaration.ts";
import { unseenEnds } from "../../core/model/words.ts";
import type { ResolvedSecret } from "../../core/secrets/resolve-secret.ts";
import { STORE_SECRETS, secretsOf } from "../../core/state/environment-secrets.ts";
import type { OperationContext, Ports } from "../context.ts";
import { API_KEY_VARIABLE, DATABASE_VARIABLE, TOKEN_VARIABLE } from "./environment-names.ts";

/** The environment variables that hold secrets of state backends and of the controller. The URL of a state or a database may have a password. */
const STATE_SECRETS: readonly string[] = [
  ...STORE_SECRETS,
  "OUTREACH_STATE",
  "OUTREACH_JOURNAL",
  DATABASE_VARIABLE,
  TOKEN_VARIABLE,
];

/** The environment variables with what only this program may use: API keys, also those of other teams, and the secrets of states. */
export function ownVariables({ environment }: Ports): readonly string[] {
  const keys = Object.keys(environment).filter((name) => name.startsWith(`${API_KEY_VARIABLE}_`));
  return [API_KEY_VARIABLE, ...keys, ...STATE_SECRETS];
}

/** Gathered once a run: the environment of a fleet has a key for each team. */
function ownSecrets(context: OperationContext): Map<string, string> {
  return (context.secrets.own ??= secretsOf(context.environment, ownVariables(context)));
}

/** Redacts a secret, and remembers that no receiver may get it: the API key, or one of the state. */
export function keepOwn(context: OperationContext, secret: string, what: string): void {
  context.redactor.add(secret);
  ownSecrets(context).set(secret, what);
}

/** Refuses a webhook's secret that this program uses itself, however the configuration refers to it, and one that no receiver takes. */
export function forReceivers(
  context: OperationContext,
  source: SecretSource,
  resolved: ResolvedSecret,
): ResolvedSecret {
  if (!("value" in resolved)) return resolved;
  // `outreach-as-code/events` refuses it, too.
  const ends = unseenEnds(resolved.value);
  if (ends !== null)
    return {
      code: "secret_white_space",
      summary: "A secret with white space",
      detail: `The secret from ${describeSource(source)} starts or ends with ${ends}, often the line break of its file, or copied with it.`,
      hint: "Remove it, also where the webhook gets its secret.",
    };
  const what = ownSecrets(context).get(resolved.value);
  if (what === undefined) return resolved;
  return {
    code: "secret_is_key",
    summary: "Key used as a webhook's secret",
    detail: `Its value is ${what}. The service sends the secret with every event, so the receiver would get it.`,
    hint: "Create a separate secret for the webhook.",
  };
}
