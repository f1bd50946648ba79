import { type Diagnostic, DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import type { Attributes, Value } from "../../../core/model/value.ts";
import type { ConfigureProvider_Request, ValidateProviderConfig_Request } from "../generated/tfplugin6.ts";
import { PROVIDER_SCHEMA } from "../wire/wire-schema.ts";
import type { Session } from "../provider-session.ts";
import type { Services } from "../services.ts";
import { decodeValue } from "../wire/terraform-values.ts";
import type { Catalog } from "../../../core/model/definition.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { NotedObjects } from "../journal/list-notes.ts";
import { madeAndUnclaimed, stillPending } from "../journal/create-messages.ts";
import type { CreateJournal } from "../journal/create-journal.ts";
import { appearedLate } from "../journal/duplicate-messages.ts";
import {
  OUTLIVES_TERRAFORM_MS,
  openOfUnknownOwners,
  pendingInOtherScope,
  unreadJournal,
} from "../journal/journal-problems.ts";
import { type KnownCreate, isOpen } from "../journal/known-creates.ts";

/** Checks the values that the provider block has. */
export function validateProviderConfig(services: Services, { config }: ValidateProviderConfig_Request) {
  const written = decodeValue(config, PROVIDER_SCHEMA) ?? {};
  return {
    diagnostics: SETTINGS.flatMap((name) =>
      valueDiagnostics({ setting: name, from: name }, written[name] || null, services),
    ),
  };
}

export async function configureProvider(session: Session, { config, terraformVersion }: ConfigureProvider_Request) {
  const { services } = session;
  session.runBy(terraformVersion);
  const { environment, catalog, clock } = services;
  const written = decodeValue(config, PROVIDER_SCHEMA) ?? {};
  const baseUrl = effective(written["base_url"], environment.baseUrl);
  const apiKey = effective(written["api_key"], environment.apiKey);
  const diagnostics = [
    ...(environment.certificatesUnverified ? [tlsOff()] : []),
    ...(baseUrl === null
      ? [missingSetting("base_url")]
      : valueDiagnostics(sourceOf("base_url", written), baseUrl, services)),
    ...(apiKey === null
      ? [missingSetting("api_key")]
      : valueDiagnostics(sourceOf("api_key", written), apiKey, services)),
    ...proxyDiagnostics(baseUrl, services),
    ...services.journal.problems,
  ];
  const known = typeof baseUrl === "string" && typeof apiKey === "string" && diagnostics.length === 0;
  const { unique_target_url: exclusive, mark } = written;
  const setting = {
    ...(typeof exclusive === "boolean" ? { exclusive } : {}),
    ...(typeof mark === "boolean" ? { mark } : {}),
  };
  session.configure(known ? { baseUrl, baseUrlFrom: sourceOf("base_url", written).from, apiKey, ...setting } : null);
  if (!known) return { diagnostics };
  const { journal, noted } = session.service();
  return { diagnostics: [...diagnostics, ...(await unclaimedWarnings(journal, { catalog, clock, noted }))] };
}

export function stopProvider({ stop }: Session) {
  stop.abort(stopReason());
  return { Error: "" };
}

/** The reason of every call that ends because the user has interrupted Terraform. */
function stopReason(): DiagnosticsError {
  return DiagnosticsError.of("interrupted", "Stopped", {
    detail: "Terraform was interrupted: the provider reads and sends nothing more.",
  });
}

type Setting = "base_url" | "api_key";

const SETTINGS: readonly Setting[] = ["base_url", "api_key"];
const VARIABLES: { readonly [setting in Setting]: string } = {
  base_url: "OUTREACH_BASE_URL",
  api_key: "OUTREACH_API_KEY",
};

/** The attribute, otherwise the environment variable. An empty text counts as no value. */
function effective(written: Value = null, fromEnvironment: string | undefined): Value {
  return written || fromEnvironment || null;
}

/** A setting, and the name under which the user gave it. */
interface Source {
  readonly setting: Setting;
  readonly from: string;
}

function sourceOf(setting: Setting, written: Attributes): Source {
  return { setting, from: written[setting] ? setting : VARIABLES[setting] };
}

function missingSetting(setting: Setting): Diagnostic {
  const isUrl = setting === "base_url";
  const sandbox = isUrl ? " To try it without an account, start the sandbox: npx outreach-as-code sandbox" : "";
  return errorOf(isUrl ? "base_url_missing" : "api_key_missing", isUrl ? "No address of the service" : "No API key", {
    detail: isUrl
      ? "Neither base_url in the provider block nor the environment variable OUTREACH_BASE_URL is set."
      : "Neither api_key in the provider block nor the environment variable OUTREACH_API_KEY is set.",
    hint: `Set one of them.${sandbox}`,
    path: [setting],
  });
}

/** Problems with a value, whatever its source. No message contains the key. */
function valueDiagnostics(
  { setting, from }: Source,
  value: Value,
  { baseUrlProblem }: Services,
): readonly Diagnostic[] {
  if (typeof value !== "string") return [];
  const isUrl = setting === "base_url";
  const problem = {
    code: isUrl ? "base_url_invalid" : "api_key_invalid",
    severity: "error",
    summary: isUrl ? "Invalid address of the service" : "Invalid API key",
    path: [setting],
  } as const;
  if (value.trim() !== value) {
    const detail = `${from} begins or ends with white space, often the line end of the file that it was read from. Nothing was sent.`;
    return [
      {
        ...problem,
        detail,
        hint: from === setting ? "Use trimspace(...)." : `Correct the environment variable ${from}.`,
      },
    ];
  }
  if (/\p{Cc}/u.test(value))
    return [
      { ...problem, detail: `${from} contains a control character. Nothing was sent.`, hint: "Copy the value again." },
    ];
  const detail = isUrl ? baseUrlProblem(value) : undefined;
  return detail === undefined
    ? []
    : [
        {
          ...problem,
          detail,
          hint: `Correct ${from}: use the address that the service gives, such as https://api.example.com/api.`,
        },
      ];
}

function proxyDiagnostics(baseUrl: Value, { baseUrlProblem, proxyProblem }: Services): readonly Diagnostic[] {
  const detail =
    typeof baseUrl === "string" && baseUrlProblem(baseUrl) === undefined ? proxyProblem?.(baseUrl) : undefined;
  if (detail === undefined) return [];
  return [
    errorOf("proxy_invalid", "Invalid proxy", {
      detail,
      hint: "Use http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT.",
    }),
  ];
}

function tlsOff(): Diagnostic {
  return errorOf("tls_not_verified", "Certificates would not be verified", {
    detail: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone on the network could read the API key and the secrets.",
    hint: "Unset it. For a private certificate authority set NODE_EXTRA_CA_CERTS.",
    path: ["base_url"],
  });
}

/** Warnings about creates of earlier processes that nothing claimed since. It never fails. */
export async function unclaimedWarnings(
  journal: CreateJournal,
  {
    catalog: { resources },
    clock,
    noted,
  }: { readonly catalog: Catalog; readonly clock: Clock; readonly noted: Pick<NotedObjects, "late"> },
): Promise<readonly Diagnostic[]> {
  try {
    const { creates, lostCreates, otherScopes } = await journal.known();
    const late = lostCreates.length === 0 ? [] : await noted.late();
    const own = resources.flatMap((definition): readonly Diagnostic[] => {
      const ofType = creates.filter(({ intent }) => intent.type === definition.type);
      const left = ofType.filter(({ owner }) => owner === "nobody");
      const open = left.filter(isOpen);
      const made = left.filter(({ outcome }) => outcome.kind === "made" && outcome.returned === "missed");
      // A run that sent it just now is probably still active.
      const openFor = ({ intent }: KnownCreate): number => clock.now() - intent.sentAtMs;
      const old = ofType.flatMap((one) =>
        one.unknownOwner && openFor(one) >= OUTLIVES_TERRAFORM_MS ? [{ ...one, unknownOwner: one.unknownOwner }] : [],
      );
      return [
        ...late
          .filter(({ type }) => type === definition.type)
          .map(({ id, wasManaged = false }) => appearedLate(definition, { id, wasManaged })),
        ...openOfUnknownOwners(definition, old, journal.name),
        ...(open.length > 0 ? [stillPending(definition, open)] : []),
        ...(made.length > 0 ? [madeAndUnclaimed(definition, made)] : []),
      ];
    });
    const here = await journal.scope();
    return [...own, ...otherScopes.map((one) => pendingInOtherScope(journal.name, one, here))];
  } catch (error) {
    return unreadJournal(journal.name, error);
  }
}
