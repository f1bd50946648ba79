import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { isWatched } from "./irreversible-records.ts";
import type { Reason, Step } from "./plan.ts";
import { hasOutcome } from "./resource.ts";

/** Why a plan decides as it does. `code` never changes its meaning; `detail` is a sentence without values. */
export interface DecisionReason {
  readonly code: ReasonCode;
  readonly attribute?: string;
  readonly detail: string;
}

/** Every code of a reason. */
export const REASON_CODES = [
  "assumed",
  "changed",
  "deposed",
  "diagnosed",
  "drifted",
  "gone",
  "ignored_changes",
  "imported",
  "irreversible",
  "lookup_changed",
  "masked",
  "matches",
  "missing",
  "moved",
  "not_declared",
  "not_recorded",
  "plan_blocked",
  "protected",
  "reassert",
  "released",
  "removal",
  "requested",
  "retained",
  "same_elsewhere",
  "secret_changed",
  "secret_not_checked",
  "setting_changed",
  "unconfirmed",
  "undecided",
  "undeclared_at_import",
  "unobserved",
  "waiting",
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

interface StepFacts {
  readonly declaration: Declaration | null;
  readonly instance: RecordedInstance | null;
  readonly withSecrets: boolean;
  readonly declaredAt: string | null;
}

/** The reasons of one step. */
export function reasonsOfStep(definition: AnyResource, step: Step, known: StepFacts): readonly DecisionReason[] {
  const moved: readonly DecisionReason[] =
    step.movedFrom === undefined
      ? []
      : [{ code: "moved", detail: `Its record moves here from ${step.movedFrom}, and the object stays.` }];
  return [
    ...actionReasons(definition, step, known),
    ...step.because.map((reason) => attributeReason(definition, step, reason)),
    ...moved,
  ];
}

function actionReasons(definition: AnyResource, step: Step, { instance }: StepFacts): readonly DecisionReason[] {
  const { noun, destroy } = definition;
  switch (step.action) {
    case "create":
      if (step.again === "reassert")
        return [{ code: "reassert", detail: "It is done, and the time after which it is sent again has passed." }];
      if (step.again)
        return [
          {
            code: "unconfirmed",
            detail: "The outcome of an earlier attempt was never confirmed, so it is sent again.",
          },
        ];
      if (instance === null)
        return [{ code: "not_recorded", detail: "The configuration declares it, and the state has no record of it." }];
      if (!definition.list) return [];
      return [
        {
          code: "missing",
          detail: `The state records ${String(instance.id)}, but the service no longer lists it, so it is created again.`,
        },
      ];
    case "replace":
      return step.imported
        ? [
            {
              code: "imported",
              detail: `The configuration imports ${step.id}, whose values differ from the declared ones.`,
            },
          ]
        : [];
    case "delete":
      if (step.deposed)
        return [
          {
            code: "deposed",
            detail: `${step.id} was replaced earlier, and is still to be deleted. The current ${noun} stays.`,
          },
        ];
      if (step.removal)
        return [
          { code: "removal", detail: `Nothing manages ${step.id}, and removals names it: ${step.removal.reason}` },
        ];
      return [{ code: "not_declared", detail: "The state records it, and the configuration does not declare it." }];
    case "forget":
      return [forgetReason(noun, { isReleased: step.released === true, isIrreversible: destroy === "forget" })];
    case "adopt":
      if (step.id !== null) return [{ code: "imported", detail: `The configuration imports ${step.id}.` }];
      return [{ code: "imported", detail: `The configuration imports it: it counts as done.` }];
    case "keep":
      return definition.list
        ? [{ code: "matches", detail: "The declared, the recorded and the live values agree." }]
        : [keptReason(definition, step)];
    case "update-state":
      return [];
  }
}

function keptReason(definition: AnyResource, step: Extract<Step, { action: "keep" }>): DecisionReason {
  const { noun, irreversible } = definition;
  if (step.undeclared)
    return {
      code: "irreversible",
      detail: `The configuration no longer declares it. It stays recorded, since no documented request undoes a ${noun}.`,
    };
  const waits =
    irreversible !== undefined &&
    (hasOutcome(step.before, irreversible.gone) || hasOutcome(step.before, irreversible.unconfirmed));
  if (waits && isWatched(definition, step.before))
    return {
      code: "waiting",
      detail:
        "It was not found, or not confirmed. A run looks for it again once its time has passed, which is no change.",
    };
  return { code: "matches", detail: "It is recorded as done, and nothing repeats it." };
}

function forgetReason(
  noun: string,
  { isReleased, isIrreversible }: { readonly isReleased: boolean; readonly isIrreversible: boolean },
): DecisionReason {
  if (isReleased) return { code: "released", detail: `The configuration releases it, so the ${noun} stays live.` };
  if (isIrreversible)
    return {
      code: "irreversible",
      detail: `The configuration no longer declares it, and no documented request undoes a ${noun}.`,
    };
  return { code: "gone", detail: "The configuration does not declare it, and the service no longer lists it." };
}

/** What one attribute contributes to a step. */
function attributeReason({ noun, schema }: AnyResource, { action }: Step, reason: Reason): DecisionReason {
  const { attribute, why } = reason;
  if (why === "requested") return { code: "requested", detail: "A replace was requested." };
  const isRecorded = action === "update-state";
  const replaces = isRecorded ? "" : ` No update of a ${noun} is documented, so this replaces it.`;
  if ("unobserved" in reason) return isRecorded ? completed(attribute) : undeclaredAtImport(noun, attribute);
  switch (why) {
    case "secret":
      return {
        code: "secret_changed",
        attribute,
        detail: `The value of ${attribute} differs from the recorded fingerprint.${replaces}`,
      };
    case "drift":
      return {
        code: "drifted",
        attribute,
        detail: `The service shows another ${attribute} than the recorded one.${replaces}`,
      };
    case "lookup":
      return {
        code: "lookup_changed",
        attribute,
        detail: `${reason.lookup} now finds another ${attribute}.${replaces}`,
      };
    case "config":
      if (!isRecorded)
        return {
          code: "changed",
          attribute,
          detail: `The declared ${attribute} differs from the recorded one.${replaces}`,
        };
      if (schema[attribute]?.onChange === "record")
        return {
          code: "setting_changed",
          attribute,
          detail: `The service does not know the setting ${attribute}: its change is only recorded.`,
        };
      return completed(attribute);
  }
}

function completed(attribute: string): DecisionReason {
  return {
    code: "unobserved",
    attribute,
    detail: `The record of ${attribute} is completed from the configuration. The service never returned another value.`,
  };
}

function undeclaredAtImport(noun: string, attribute: string): DecisionReason {
  return {
    code: "undeclared_at_import",
    attribute,
    detail: `${attribute} was not declared when the ${noun} was imported, and the service does not return it. Only a replace sends the declared value.`,
  };
}

/** The reasons for no step at all. */
export function reasonsWithoutStep(
  { noun, list }: AnyResource,
  {
    declaration,
    removal,
    declaredAt,
    diagnostics,
    isUndecided,
  }: StepFacts & {
    readonly removal: string | null;
    readonly diagnostics: readonly Diagnostic[];
    readonly isUndecided: boolean;
  },
): readonly DecisionReason[] {
  if (isUndecided)
    return [
      {
        code: "undecided",
        detail:
          "An earlier write may or may not have been carried out, and the service's list does not tell. Nothing is sent before that is resolved.",
      },
    ];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    return errors.map(
      ({ code, summary }) =>
        ({ code: code === "protected" ? "protected" : "diagnosed", detail: `${summary}.` }) satisfies DecisionReason,
    );
  if (declaredAt !== null)
    return [{ code: "same_elsewhere", detail: `${declaredAt} declares the same ${noun}, which is sent once.` }];
  if (removal !== null)
    return [
      { code: "removal", detail: `removals names ${removal}, and the list of this API key's team does not show it.` },
    ];
  if (declaration === null) return [{ code: "not_declared", detail: "The configuration does not declare it." }];
  return list ? [] : [{ code: "diagnosed", detail: "The plan has an error, so it decides nothing here." }];
}

/** What qualifies the comparison, whatever its result. */
export function standingReasons(
  { schema, list }: AnyResource,
  {
    declaration,
    instance,
    live,
    withSecrets,
  }: StepFacts & { readonly live: { readonly object: LiveObject | null } | null },
): readonly DecisionReason[] {
  const names = [...new Set([...(declaration?.masked ?? []), ...(instance?.masked ?? [])])];
  const secrets = Object.keys(declaration?.secrets ?? {});
  const unobserved =
    list && instance
      ? Object.keys(schema).filter((name) => isUnobserved(name, schema, { instance, object: live?.object ?? null }))
      : [];
  return [
    ...(declaration?.retained ? [{ code: "retained", detail: "It left a filter, and is kept." } as const] : []),
    ...ofEach("ignored_changes", declaration?.ignoreChanges, (name) => `Changes of ${name} are ignored.`),
    ...ofEach("masked", names, (name) => `${name} comes from a sensitive variable, so its value is hidden.`),
    ...ofEach(
      "assumed",
      instance?.assumed,
      (name) => `${name} was imported: the declared value is assumed to be the current one.`,
    ),
    ...ofEach("unobserved", unobserved, (name) => `The service does not return ${name}: the recorded value counts.`),
    ...ofEach(
      "secret_not_checked",
      withSecrets ? [] : secrets,
      (name) => `${name} was not resolved: a recorded secret counts as unchanged.`,
    ),
  ];
}

function ofEach(
  code: ReasonCode,
  attributes: readonly string[] | undefined,
  detailOf: (attribute: string) => string,
): readonly DecisionReason[] {
  return (attributes ?? []).map((attribute) => ({ code, attribute, detail: detailOf(attribute) }));
}

/** The attributes with a recorded value: only they are worth a word. */
function isUnobserved(
  name: string,
  schema: AnyResource["schema"],
  {
    instance: { attributes, assumed },
    object,
  }: { readonly instance: RecordedInstance; readonly object: LiveObject | null },
): boolean {
  const { observed = "always", onChange = "replace", mode = "computed" } = schema[name] ?? {};
  const isHidden =
    observed === "never" || (mode !== "computed" && object !== null && object.attributes[name] === undefined);
  return isHidden && onChange !== "record" && (attributes[name] ?? null) !== null && !assumed.includes(name);
}
