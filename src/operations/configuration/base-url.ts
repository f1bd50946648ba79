import {
  type Diagnostic,
  DiagnosticsError,
  type Place,
  type Result,
  hasErrors,
  errorOf,
} from "../../core/model/diagnostic.ts";
import { baseUrlProblem } from "../../service/api/service-path.ts";
import { BASE_URL_VARIABLE } from "./environment-names.ts";
import { settingText } from "./setting-text.ts";
import type { Ports, SettledConfiguration } from "../context.ts";

/** The base URL of the environment or else of the configuration; null when neither has one. */
export function baseUrlOf({ environment }: Ports, loaded: SettledConfiguration): Result<string | null> {
  const { baseUrl: declared, locate } = loaded.configuration.service;
  const given = environment[BASE_URL_VARIABLE] ?? "";
  const inFile =
    declared === null
      ? { value: null, diagnostics: [] }
      : settingText(declared, loaded, (written) => locate(["base_url"], written));
  const baseUrl = given === "" ? inFile.value : given;
  const problem = baseUrl === null ? undefined : baseUrlProblem(baseUrl);
  if (problem === undefined || hasErrors(inFile.diagnostics))
    return { value: baseUrl, diagnostics: inFile.diagnostics };
  return { value: null, diagnostics: [invalidBaseUrl(problem, given === "" ? locate(["base_url"]) : undefined)] };
}

/** Throws `base_url_invalid` for a text that is no base URL. */
export function assertBaseUrl(text: string): void {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) throw new DiagnosticsError([invalidBaseUrl(problem)]);
}

function invalidBaseUrl(problem: string, place?: Place): Diagnostic {
  return errorOf("base_url_invalid", "Invalid base URL", {
    detail: problem,
    hint: "Use the URL of the service, as in https://api.example.com/api.",
    place,
  });
}

/** The source of the base URL, for messages. */
export function baseUrlSource({ environment }: Ports, { configuration: { service } }: SettledConfiguration): string {
  if ((environment[BASE_URL_VARIABLE] ?? "") !== "") return BASE_URL_VARIABLE;
  const { file, line, column, construct } = service.locate(["base_url"]) ?? {};
  const place = construct ?? [file, line, column].filter((part) => part !== undefined).join(":");
  return place === "" ? "service.base_url" : `service.base_url, ${place}`;
}
