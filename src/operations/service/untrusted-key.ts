import type { Configuration } from "../../core/config/block.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { API_KEY_VARIABLE } from "../configuration/environment-names.ts";
import type { Ports } from "../context.ts";

/** An untrusted configuration can name only these variables: any other secret of the job would go to the service in place of a key. */
const PREFIX = `${API_KEY_VARIABLE}_`;

/** The source of the key where the configuration is untrusted: the variable of the team, if it may name it and it is set; otherwise `OUTREACH_API_KEY`. */
export function untrustedKey(context: Ports, configuration: Configuration): SecretSource {
  const own = configuration.team === undefined ? null : keyVariable(configuration);
  return { kind: "env", name: own !== null && isSet(context, own) ? own : API_KEY_VARIABLE };
}

/** Why one of several teams has no key where the configuration is untrusted; null if it has one. The key of another team is none. */
export function missingKey(context: Ports, configuration: Configuration): string | null {
  const own = keyVariable(configuration);
  if (own === null)
    return `with --no-secrets, a team's key comes only from ${API_KEY_VARIABLE}, or from a variable that begins with ${PREFIX}`;
  return isSet(context, own) ? null : `${own} is not set`;
}

/** The variable with the key; null if an untrusted configuration must not name it. */
function keyVariable({ service: { apiKey } }: Configuration): string | null {
  if (apiKey === null) return API_KEY_VARIABLE;
  if (apiKey.kind !== "secret" || apiKey.source.kind !== "env") return null;
  const { name } = apiKey.source;
  return name === API_KEY_VARIABLE || name.startsWith(PREFIX) ? name : null;
}

function isSet({ environment }: Ports, name: string): boolean {
  return (environment[name] ?? "") !== "";
}
