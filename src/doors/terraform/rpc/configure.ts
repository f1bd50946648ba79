import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { type Value, isUnknown } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../diagnostics.ts";
import type { ProviderDefinition } from "../generated/tfplugin6.ts";
import type { Handlers } from "../routes.ts";
import { unclaimedWarnings } from "../journal/claims.ts";
import { PROVIDER_SCHEMA } from "../schema.ts";
import type { Services } from "../services.ts";
import type { Session } from "../session.ts";
import { decodeValue } from "../values.ts";

/** The provider block, and the end of the work. */
export function configureHandlers(
  session: Session,
): Pick<Handlers<typeof ProviderDefinition>, "validateProviderConfig" | "configureProvider" | "stopProvider"> {
  const { services, stop } = session;
  const failed = (diagnostics: ReturnType<typeof wireDiagnostics>) => ({ diagnostics });
  return {
    validateProviderConfig: ({ config }) =>
      answering(() => {
        const baseUrl = decodeValue(config, PROVIDER_SCHEMA)?.["base_url"] ?? null;
        return { diagnostics: wireDiagnostics(typeof baseUrl === "string" ? baseUrlDiagnostics(baseUrl, services) : []) };
      }, failed),
    configureProvider: ({ config }) =>
      answering(async () => {
        const { base_url: givenUrl = null, api_key: givenKey = null } = decodeValue(config, PROVIDER_SCHEMA) ?? {};
        const { environment } = services;
        const baseUrl = effective(givenUrl, environment.baseUrl);
        const apiKey = effective(givenKey, environment.apiKey);
        const diagnostics = [
          ...(baseUrl === null ? [missing("base_url", "OUTREACH_BASE_URL")] : []),
          ...(apiKey === null ? [missing("api_key", "OUTREACH_API_KEY")] : []),
          ...(typeof baseUrl === "string" ? baseUrlDiagnostics(baseUrl, services) : []),
          ...services.journal.problems,
        ];
        const known = typeof baseUrl === "string" && typeof apiKey === "string" && diagnostics.length === 0;
        session.configure(known ? { baseUrl, apiKey } : null);
        const unclaimed = known ? await unclaimedWarnings(session.journals(), services.catalog) : [];
        return { diagnostics: wireDiagnostics([...diagnostics, ...unclaimed]) };
      }, failed),
    stopProvider: async () => {
      stop.abort(new Error("stopped: the user has interrupted Terraform"));
      return { Error: "" };
    },
  };
}

/** The attribute, else the environment variable. */
function effective(given: Value, fromEnvironment: string | undefined): Value {
  if (isUnknown(given)) return given;
  return given === null || given === "" ? fromEnvironment || null : given;
}

function missing(attribute: keyof typeof PROVIDER_SCHEMA, variable: string): Diagnostic {
  const sandbox = attribute === "base_url" ? " To try it without an account, start the sandbox: npx outreach sandbox" : "";
  return {
    code: `${attribute}_missing`,
    severity: "error",
    summary: attribute === "base_url" ? "No address of the service" : "No API key",
    detail: `Neither ${attribute} in the provider block nor the environment variable ${variable} is set.`,
    hint: `Set one of them.${sandbox}`,
    path: [attribute],
  };
}

function baseUrlDiagnostics(baseUrl: string, { baseUrlProblem }: Services): readonly Diagnostic[] {
  const detail = baseUrlProblem(baseUrl);
  if (detail === undefined) return [];
  return [{ code: "base_url_invalid", severity: "error", summary: "Invalid address of the service", detail, path: ["base_url"] }];
}
