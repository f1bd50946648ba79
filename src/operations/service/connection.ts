import type { Argument } from "../../core/config/block.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { DiagnosticsError, type Place, hasErrors } from "../../core/model/diagnostic.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { randomFraction } from "../../core/model/random-fraction.ts";
import { keyName } from "../../core/secrets/key-name.ts";
import type { ResolvedSecret } from "../../core/secrets/resolve-secret.ts";
import type { CallerOptions } from "../../service/api/caller.ts";
import { nodeExchange } from "../../service/api/node-exchange.ts";
import { type KeyPacer, slidingPacer } from "../../service/api/pacer.ts";
import { type Proxy, proxyFor } from "../../service/api/proxy.ts";
import type { Web } from "../../core/model/web.ts";
import { keepOwn } from "../configuration/own-secrets.ts";
import { baseUrlOf, baseUrlSource } from "../configuration/base-url.ts";
import { API_KEY_VARIABLE, duration } from "../configuration/environment-names.ts";
import { loggedTransport, openLog } from "./log.ts";
import { type LoadedConfiguration, loadSettings } from "../configuration/load-configuration.ts";
import { settingText } from "../configuration/setting-text.ts";
import type { OperationOptions } from "../options.ts";
import { revealOnce } from "../configuration/reveal-secrets.ts";
import type { OperationContext, Ports } from "../context.ts";
import { untrustedKey } from "./untrusted-key.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ServiceAddress {
  readonly baseUrl: string;
  /** The variable, or the setting with its place, for messages. */
  readonly baseUrlFrom: string;
  readonly apiKey: string;
  /** 0 < share ≤ 1 of the service's rate limit; absent: all of it. */
  readonly rateShare?: number;
  /** Whether the service allows one object per value of an exclusive attribute; absent: no. */
  readonly exclusive?: boolean;
  /** Whether creates carry a mark. */
  readonly mark?: boolean;
}

/** The options of calls to the service. Close the `transport` when done. */
export function callerOptions(context: OperationContext, service: ServiceAddress): CallerOptions {
  return {
    ...service,
    transport: loggedTransport(openTransport(context, openProxy(context, service)), openLog(context), context.clock),
    clock: context.clock,
    jitter: () => randomFraction(context.random),
    pacer: commonPacer(context, service),
    timeoutMs: duration(context, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS),
    userAgent: `outreach-as-code/${context.version}`,
    redactor: context.redactor,
  };
}

function openTransport({ clock, openTransport: open }: Ports, proxy: Proxy | null): Web {
  return open ? open(proxy) : nodeExchange(clock, { proxy });
}

/** The proxy of the environment. Its password stays out of all output. */
function openProxy({ environment, redactor }: OperationContext, { baseUrl }: ServiceAddress): Proxy | null {
  const proxy = proxyFor(baseUrl, environment);
  if (proxy === null) return null;
  if ("problem" in proxy) throw proxyInvalid(proxy.problem);
  redactor.add(decodeURIComponent(proxy.url.password));
  return proxy;
}

/** Shares the rate limit with everything in this process that uses the key. The latest share of it holds. */
function commonPacer({ clock, pacers }: Ports, service: ServiceAddress): KeyPacer {
  const name = keyName(service);
  const pacer = pacers?.get(name) ?? slidingPacer(clock);
  pacer.setShare(service.rateShare ?? 1);
  pacers?.set(name, pacer);
  return pacer;
}

/**
 * Passes the service to `work`, for commands that need no state. The configuration is read only for its service
 * settings, and only if it exists.
 */
export async function withService<T>(
  context: OperationContext,
  options: OperationOptions,
  work: (caller: CallerOptions, service: ServiceAddress) => Promise<T>,
): Promise<T> {
  const service = await openService(context, await loadSettings(context, options, "service"));
  const caller = callerOptions(context, service);
  try {
    return await work(caller, service);
  } finally {
    caller.transport.close();
  }
}

/** `OUTREACH_BASE_URL` wins over the file, so that a change of the file cannot send the key elsewhere. */
export async function openService(context: OperationContext, loaded: LoadedConfiguration): Promise<ServiceAddress> {
  const { withSecrets } = loaded;
  const { apiKey, rateShare, exclusive, mark } = loaded.configuration.service;
  if (!withSecrets && !context.environment["OUTREACH_BASE_URL"]) throw untrustedBaseUrl();
  const { value: baseUrl, diagnostics } = baseUrlOf(context, loaded);
  if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  if (baseUrl === null) throw noBaseUrl(loaded);
  const reveal = revealOnce(context, loaded);
  const setting = withSecrets && apiKey && apiKey.kind !== "secret" ? apiKey : null;
  const named: SecretSource = apiKey?.kind === "secret" ? apiKey.source : { kind: "env", name: API_KEY_VARIABLE };
  const source = withSecrets ? named : untrustedKey(context, loaded.configuration);
  const key = setting ? settingKey(setting, loaded) : await reveal(source);
  if (!("value" in key)) throw noKey(key, setting ? loaded.configuration.service.locate(["api_key"]) : undefined);
  assertKeyAlone(key.value);
  keepOwn(context, key.value, "the API key");
  if (!setting) context.keyUsed?.(keyName({ baseUrl, apiKey: key.value }), source);
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    baseUrlFrom: baseUrlSource(context, loaded),
    apiKey: key.value,
    ...(rateShare === undefined ? {} : { rateShare }),
    ...(exclusive === undefined ? {} : { exclusive }),
    ...(mark === undefined ? {} : { mark }),
  };
}

/** Whether a text consists of sensitive variables. */
function onlySensitive(argument: Argument, { settings }: LoadedConfiguration): boolean {
  return evaluateArgument(argument, settings).fromSensitive;
}

function settingKey(
  source: NonNullable<LoadedConfiguration["configuration"]["service"]["apiKey"]>,
  loaded: LoadedConfiguration,
): ResolvedSecret {
  if (source.kind !== "template" || !onlySensitive(source, loaded)) {
    return {
      detail: "The provider's api_key is a literal, or comes from a variable that is not sensitive.",
      hint: "Use a sensitive variable.",
    };
  }
  const { value } = settingText(source, loaded, () => undefined);
  return value === null
    ? { detail: "The provider's api_key has no value.", hint: "Set the variable that it refers to." }
    : { value };
}

function noKey(
  { detail, hint }: Exclude<ResolvedSecret, { value: string }>,
  place: Place | undefined,
): DiagnosticsError {
  return DiagnosticsError.of("api_key_missing", "No API key", {
    detail,
    hint: `${hint} Create keys in the integration settings of the service.`,
    place,
  });
}

/** What is copied with a key, or written around it. */
const AROUND_KEY: readonly (readonly [pattern: RegExp, detail: string, hint: string])[] = [
  [
    /^\s|\s$/,
    "The API key starts or ends with white space, but API keys contain no spaces.",
    "Remove the white space. echo adds a line end: store the key with printf %s KEY, or paste it.",
  ],
  [
    /^(["']).*\1$/s,
    "The API key is in quotes.",
    "Remove the quotes: the settings of CI systems, .env files of containers and cmd.exe keep them as part of the value.",
  ],
  [/^bearer\s/i, "The API key starts with Bearer.", "Remove that word: give the key alone."],
];

function assertKeyAlone(key: string): void {
  const found = AROUND_KEY.find(([pattern]) => pattern.test(key));
  if (!found) return;
  const [, detail, hint] = found;
  throw DiagnosticsError.of("api_key_invalid", "Invalid API key", { detail: `${detail} Nothing was sent.`, hint });
}

function noBaseUrl({ configuration: { service } }: LoadedConfiguration): DiagnosticsError {
  if (service.baseUrl === null)
    return DiagnosticsError.of("base_url_missing", "No base URL", {
      detail: "Neither OUTREACH_BASE_URL nor service.base_url is set.",
      hint: "Set OUTREACH_BASE_URL. To try outreach without an account, start the local service: outreach sandbox",
    });
  return DiagnosticsError.of("base_url_missing", "No base URL", {
    detail: "service.base_url refers to a variable that has no value.",
    hint: "Set OUTREACH_BASE_URL, or give the variable a value.",
    ways: [{ kind: "set-variable", name: null, sensitive: false }],
    place: service.locate(["base_url"]),
  });
}

function untrustedBaseUrl(): DiagnosticsError {
  return DiagnosticsError.of("base_url_missing", "No base URL", {
    detail: "With --no-secrets the configuration is untrusted, so it cannot choose where the API key goes.",
    hint: "Set OUTREACH_BASE_URL.",
  });
}

function proxyInvalid(problem: string): DiagnosticsError {
  return DiagnosticsError.of("setting_invalid", "Invalid proxy", {
    detail: problem,
    hint: "Use http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT.",
  });
}
