import type { AnyResource } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";

/** The secrets of a configuration that are only placeholders: such a plan can be reviewed, and an apply refuses to send them. */
export function plannedPlaceholders({ schema }: Pick<AnyResource, "schema">, config: Attributes): readonly Diagnostic[] {
  return placeholdersIn(schema, config).map((name) =>
    warningOf("secret_placeholder", "A placeholder instead of the secret", {
      detail: `${name} is ${JSON.stringify(config[name])}, the placeholder for jobs that only plan. An apply refuses to send it.`,
      hint: "If this plan is to be applied, set the real secret in this job, and plan again.",
      path: [name],
    }),
  );
}

/** Nobody knows a placeholder that was sent as the secret until a receiver rejects events, or accepts forged ones. */
export function sentPlaceholders({ schema, noun }: Pick<AnyResource, "schema" | "noun">, config: Attributes): readonly Diagnostic[] {
  return placeholdersIn(schema, config).map((name) =>
    errorOf("secret_placeholder", "The secret is a placeholder", {
      detail: `${name} is ${JSON.stringify(config[name])}, the placeholder for jobs that only plan, so this ${noun} was not created. Nothing was sent for it.`,
      hint: "Set the real secret in the job that applies: its variable of the CI is probably missing. Then plan and apply again.",
      path: [name],
    }),
  );
}

function placeholdersIn(schema: AnyResource["schema"], config: Attributes): readonly string[] {
  return Object.entries(schema).flatMap(([name, { placeholder }]) => (placeholder !== undefined && config[name] === placeholder ? [name] : []));
}
