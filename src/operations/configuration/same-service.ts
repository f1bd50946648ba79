import type { Argument, Configuration, OtherService } from "../../core/config/block.ts";
import { type Scope, evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";
import { API_KEY_VARIABLE, BASE_URL_VARIABLE } from "./environment-names.ts";
import type { Ports } from "../context.ts";

/** All providers of the blocks must have one service and one key: a run has one of each. */
export function differingServices(
  { environment }: Ports,
  service: Configuration["service"],
  settings: Scope,
): readonly Diagnostic[] {
  const textOf = (argument: Argument | null, variable: string): unknown => {
    const value = argument === null || argument.kind === "secret" ? null : evaluateArgument(argument, settings).value;
    return typeof value === "string"
      ? value.replace(/\/+$/, "")
      : (value ?? (environment[variable] ?? "").replace(/\/+$/, ""));
  };
  const differs = (other: OtherService): string | null => {
    if (textOf(other.baseUrl, BASE_URL_VARIABLE) !== textOf(service.baseUrl, BASE_URL_VARIABLE)) return "base URL";
    return textOf(other.apiKey, API_KEY_VARIABLE) === textOf(service.apiKey, API_KEY_VARIABLE) ? null : "API key";
  };
  return (service.others ?? []).flatMap((other) => {
    const what = differs(other);
    return what === null
      ? []
      : [different(other, what, what === "base URL" && (environment[BASE_URL_VARIABLE] ?? "") !== "")];
  });
}

function different({ name, locate }: OtherService, what: string, isGiven: boolean): Diagnostic {
  const place = locate([]);
  const environment = isGiven ? ` ${BASE_URL_VARIABLE} is set, and cannot apply to both.` : "";
  return errorOf("providers_differ", "Requires Terraform", {
    detail: `The provider ${name} has another ${what} than the others in this stack, but outreach runs with one service and one key.${environment}`,
    hint: "Make one stack per service, or run this stack with Terraform and the outreach provider; it declares the same webhooks.",
    place,
  });
}
