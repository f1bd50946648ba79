import type { AnyResource } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { PrivateState } from "./private-state.ts";

/** The secrets of a configuration that are only placeholders: such a plan can be reviewed, and an apply refuses to send them. */
export function plannedPlaceholders({ schema }: AnyResource, config: Attributes): readonly Diagnostic[] {
  return placeholdersIn(schema, config).map((name) =>
    warningOf("secret_placeholder", "A placeholder instead of the secret", {
      detail: `${name} is ${JSON.stringify(config[name])}, the placeholder for jobs that only plan. An apply refuses to send it.`,
      hint: "If this plan is to be applied, set the real secret in this job, and plan again.",
      path: [name],
    }),
  );
}

/** The create of a replace would refuse the placeholder: the object of its delete would be gone, with none in its place. */
export function plannedWithPlaceholder({ noun }: AnyResource, id: string): Diagnostic {
  return errorOf("secret_placeholder", "The secret of the replacement is a placeholder", {
    detail: `The plan replaces ${id} with a ${noun} whose secret is the placeholder for jobs that only plan. Nothing was deleted.`,
    hint: "Set the real secret in the job that plans for the apply: its variable of the CI is probably missing. Then plan and apply again.",
  });
}

/** What the private state of a planned create says about placeholders. */
export function placeholderOf({ schema }: AnyResource, config: Attributes): Pick<PrivateState, "placeholder"> {
  const names = placeholdersIn(schema, config);
  if (names.length === 0) return {};
  return { placeholder: names.every((name) => schema[name]?.writeOnly) ? "write-only" : "planned" };
}

/** Nobody knows a placeholder that was sent as the secret until a receiver rejects events, or accepts forged ones. */
export function sentPlaceholders({ schema, noun }: AnyResource, config: Attributes): readonly Diagnostic[] {
  return placeholdersIn(schema, config).map((name) =>
    errorOf("secret_placeholder", "The secret is a placeholder", {
      detail: `${name} is ${JSON.stringify(config[name])}, the placeholder for jobs that only plan, so this ${noun} was not created. Nothing was sent for it.`,
      hint: "Set the real secret in the job that applies: its variable of the CI is probably missing. Then plan and apply again.",
      path: [name],
    }),
  );
}

function placeholdersIn(schema: AnyResource["schema"], config: Attributes): readonly string[] {
  return Object.entries(schema).flatMap(([name, { placeholder }]) =>
    placeholder !== undefined && config[name] === placeholder ? [name] : [],
  );
}
