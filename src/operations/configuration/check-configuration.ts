import type { Declaration, Evaluation } from "../../core/model/declaration.ts";
import { type Diagnostic, type Result, hasErrors, noteOf } from "../../core/model/diagnostic.ts";
import { withoutIgnored } from "../../core/model/ignored-warnings.ts";
import { duplicateDeclarations } from "../../core/plan/duplicates.ts";
import { overlappingDeclarations } from "../../core/plan/overlaps.ts";
import { withoutSecret } from "../../core/plan/without-secret.ts";
import type { OperationOptions } from "../options.ts";
import { configuredEncryption } from "../state/state-encryption.ts";
import { configuredStore } from "../state/state-place.ts";
import { baseUrlOf } from "./base-url.ts";
import { type LoadedConfiguration, loadConfiguration } from "./load-configuration.ts";
import type { OperationContext } from "../context.ts";

/** Every problem of a configuration, regardless of the environment. */
export async function checkConfiguration(
  context: OperationContext,
  options: OperationOptions,
): Promise<Result<LoadedConfiguration>> {
  const { value, diagnostics } = await checkedConfiguration(context, { ...options, runsCommands: false });
  const { declarations, loaded } = value;
  const declared = { catalog: context.catalog, declarations, isStack: loaded.configuration.isStack ?? false };
  const found = hasErrors(diagnostics) ? [] : withoutSecret(declared, loaded.ignored);
  return { value: loaded, diagnostics: [...diagnostics, ...found] };
}

/** What is wrong with the files themselves: variables may have no value here, and no command prints the teams. */
export function withoutEnvironment(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.flatMap(({ unknown, ...one }): readonly Diagnostic[] => {
    if (one.code === "team_list_unread")
      return [
        noteOf("team_list_unread", "The list of teams was not read", { detail: UNREAD_DETAIL, place: one.place }),
      ];
    return unknown === "value" ? [] : [{ ...one, ...(unknown ? { unknown } : {}) }];
  });
}

const UNREAD_DETAIL =
  "Its command does not run here: only teams under teams and of files were checked, or without any, a team called example.";

/** A configuration with what it declares, as far as that is known without the service. */
export interface CheckedConfiguration {
  readonly loaded: LoadedConfiguration;
  readonly evaluated: Evaluation;
  /** Those without a mistake. */
  readonly declarations: readonly Declaration[];
}

/** Every problem of a configuration, and what it declares. */
export async function checkedConfiguration(
  context: OperationContext,
  options: OperationOptions,
): Promise<Result<CheckedConfiguration>> {
  const { value, diagnostics } = await loadConfiguration(context, options);
  // A setting whose name is misspelled is not missing as well.
  const hasUnknownSetting = diagnostics.some(({ code, path }) => code === "unknown_key" && path?.[0] === "state");
  const settings = [
    ...baseUrlOf({ ...context, environment: {} }, value).diagnostics,
    ...configuredStore(context, value).diagnostics.filter(
      ({ code }) => code !== "state_setting_missing" || !hasUnknownSetting,
    ),
    ...configuredEncryption(value).diagnostics,
  ];
  const evaluated = value.evaluate({ known: new Map(), instances: [] });
  const wrong = new Set(evaluated.diagnostics.map(({ address }) => address));
  const declarations = evaluated.declarations.filter(({ address }) => !wrong.has(address.split("[", 1)[0]));
  const declared = { catalog: context.catalog, declarations };
  const doubled = duplicateDeclarations(declared);
  const overlapping = withoutIgnored(overlappingDeclarations(declared), value.ignored);
  const failed = (evaluated.checks ?? []).flatMap((check) => check.diagnostics);
  return {
    value: { loaded: value, evaluated, declarations },
    diagnostics: [...diagnostics, ...settings, ...evaluated.diagnostics, ...failed, ...doubled, ...overlapping],
  };
}
