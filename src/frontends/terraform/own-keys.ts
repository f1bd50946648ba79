import type { AnyResource } from "../../core/model/definition.ts";
import { DiagnosticsError, errorOf } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { STORE_SECRETS, secretsOf } from "../../core/state/environment-secrets.ts";
import type { Session } from "./provider-session.ts";

/** Each secret of the environment that only this provider may use, with what it is. */
export function ownSecrets(environment: { readonly [name: string]: string | undefined }): Map<string, string> {
  const keys = Object.keys(environment).filter((name) => /^OUTREACH_API_KEY(?:_|$)/.test(name));
  return secretsOf(environment, [...keys, "OUTREACH_STATE", "OUTREACH_JOURNAL", ...STORE_SECRETS]);
}

/** Throws `secret_is_key` where a secret of a resource is one that only the provider may use. */
export function refuseOwnKeys(session: Session, { schema }: AnyResource, config: Attributes): void {
  const refused = Object.entries(schema).flatMap(([name, { sensitive }]) => {
    const value = config[name];
    if (!sensitive || typeof value !== "string") return [];
    const isKey = session.isConnected() && session.service().apiKey === value;
    const what = isKey ? "the API key" : session.services.ownSecrets.get(value);
    if (what === undefined) return [];
    return [
      errorOf("secret_is_key", "Key used as a webhook's secret", {
        detail: `Its value is ${what}. The service sends the secret with every event, so the receiver would get it.`,
        hint: "Create a separate secret for the webhook.",
        path: [name],
      }),
    ];
  });
  if (refused.length > 0) throw new DiagnosticsError(refused);
}
