import type { RunPorts } from "../../core/apply/run.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { type ResolvedSecret, resolveSecret } from "../../core/secrets/resolve.ts";
import type { CallerOptions } from "../../service/api/caller.ts";
import { nodeTransport } from "../../service/api/node-transport.ts";
import { slidingPacer } from "../../service/api/pacing.ts";
import { baseUrlProblem } from "../../service/api/service-path.ts";
import { API_KEY_VARIABLE, type LoadedConfiguration, settingText } from "./load-configuration.ts";
import { parseDurationMs } from "./options.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Everything that a call to the service needs. Close its `transport` when done. */
export function callerOptions(terminal: Terminal, service: ServiceAddress): CallerOptions {
  return {
    ...service,
    transport: nodeTransport(),
    clock: terminal.clock,
    pacer: slidingPacer(terminal.clock),
    timeoutMs: duration(terminal, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS),
    userAgent: `outreach-as-code/${terminal.version}`,
    redactor: terminal.redactor,
  };
}

/** `OUTREACH_BASE_URL` wins over the file, so that a change of the file cannot send the key elsewhere. */
export async function openService(terminal: Terminal, loaded: LoadedConfiguration): Promise<ServiceAddress> {
  if (terminal.environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") throw new DiagnosticsError([tlsOff()]);
  const { baseUrl: declared, apiKey: source, locate } = loaded.configuration.service;
  const inFile = declared === null ? { value: null, diagnostics: [] } : settingText(declared, loaded);
  const environment = terminal.environment["OUTREACH_BASE_URL"] ?? "";
  const baseUrl = environment === "" ? inFile.value : environment;
  if (hasErrors(inFile.diagnostics)) throw new DiagnosticsError(inFile.diagnostics);
  if (baseUrl === null) throw new DiagnosticsError([noBaseUrl()]);
  const problem = baseUrlProblem(baseUrl);
  const place = environment === "" ? locate(["base_url"]) : undefined;
  if (problem !== undefined) throw new DiagnosticsError([{ code: "base_url_invalid", severity: "error", summary: "Invalid base URL", detail: problem, ...(place ? { place } : {}) }]);
  const reveal = revealOnce(terminal, loaded);
  const key = source && source.kind !== "secret" ? await settingKey(source, loaded) : await reveal(source?.kind === "secret" ? source.source : { kind: "env", name: API_KEY_VARIABLE });
  if (!("value" in key)) {
    throw new DiagnosticsError([{ code: "api_key_missing", severity: "error", summary: "No API key", detail: key.detail, hint: `${key.hint} Keys are made in the integration settings of the service.` }]);
  }
  terminal.redactor.add(key.value);
  return { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey: key.value };
}

function settingKey(source: NonNullable<LoadedConfiguration["configuration"]["service"]["apiKey"]>, loaded: LoadedConfiguration): Promise<ResolvedSecret> | ResolvedSecret {
  const { value } = settingText(source, loaded);
  return value === null ? { detail: "The provider's api_key has no value.", hint: "Give the variable that it refers to." } : { value };
}

function noBaseUrl(): Diagnostic {
  return {
    code: "base_url_missing",
    severity: "error",
    summary: "No base URL",
    detail: "Neither OUTREACH_BASE_URL nor service.base_url says where the service is.",
    hint: "Set OUTREACH_BASE_URL. To try things out without an account, start the local service with: outreach sandbox",
  };
}

function tlsOff(): Diagnostic {
  return {
    code: "tls_not_verified",
    severity: "error",
    summary: "Certificates would not be verified",
    detail: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anybody on the way could take the API key and the secrets.",
    hint: "Unset it. For a private certificate authority set NODE_EXTRA_CA_CERTS.",
  };
}

/** Each source is read once, and what it gives is kept out of everything printed. */
export function revealOnce(terminal: Terminal, loaded: LoadedConfiguration): RunPorts["reveal"] {
  const known = new Map<string, Promise<ResolvedSecret>>();
  const sources = loaded.configuration.blocks.flatMap((block) => Object.values(block.arguments)).flatMap((argument) => (argument.kind === "secret" ? [argument.source] : []));
  const apiKey = loaded.configuration.service.apiKey;
  const all: readonly SecretSource[] = [...sources, ...(apiKey?.kind === "secret" ? [apiKey.source] : [])];
  const hidden = new Set([API_KEY_VARIABLE, ...all.flatMap((source) => (source.kind === "env" ? [source.name] : []))]);
  return (source) => {
    const key = JSON.stringify(source);
    const before = known.get(key);
    if (before) return before;
    const revealing = resolveSecret(source, {
      files: terminal.files,
      environment: terminal.environment,
      folder: loaded.configuration.folder,
      hiddenFromCommands: hidden,
      signal: terminal.stop,
    }).then((resolved) => {
      if ("value" in resolved) terminal.redactor.add(resolved.value);
      return resolved;
    });
    known.set(key, revealing);
    return revealing;
  };
}

export function duration({ environment }: Terminal, name: string, fallbackMs: number): number {
  const text = environment[name];
  if (text === undefined || text === "") return fallbackMs;
  try {
    return parseDurationMs(text);
  } catch {
    throw new DiagnosticsError([{ code: "setting_invalid", severity: "error", summary: "Invalid setting", detail: `${name} is ${JSON.stringify(text)}, which is not a duration.`, hint: "Write a number and a unit, as in 10s or 500ms." }]);
  }
}
