import { resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf, warningOf } from "../../core/model/diagnostic.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { OpenState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import { isInCi } from "../../core/model/in-ci.ts";
import type { OperationContext, Ports } from "../context.ts";

interface Opened {
  readonly store: Pick<StateStore, "name" | "isOnThisMachine">;
  readonly open: Pick<OpenState, "version">;
}

/** Whether this job may have a disk of its own, without the state that other jobs use. */
export function isMissingInCi(context: Ports, { store, open }: Opened): boolean {
  return open.version === null && store.isOnThisMachine && isInCi(context.environment);
}

/** What a plan in CI says about a local state that does not exist: the next job may not find it, or this job did not find that of an earlier one. */
export function localStateInCi(
  context: OperationContext,
  opened: Opened,
  { steps, diagnostics }: Plan,
): readonly Diagnostic[] {
  if (!isMissingInCi(context, opened)) return [];
  const missing = `This runs in a CI, and the state ${opened.store.name} is a local file that does not exist yet.`;
  const isIrreversible = steps.some(
    ({ action, type }) => action === "create" && resourceOf(context.catalog, type).irreversible !== undefined,
  );
  const isDuplicate = diagnostics.some(({ code }) => code === "unmanaged_duplicate");
  const found = [...(isDuplicate ? [likelyCause(missing)] : []), ...(isIrreversible ? [irreversible(missing)] : [])];
  return found.length > 0 || steps.every(({ action }) => action === "keep") ? found : [notKept(missing)];
}

function irreversible(missing: string): Diagnostic {
  return errorOf("local_state_in_ci", "Unsubscriptions in CI without a state", {
    detail: `${missing} If this runner's disk is temporary, the record of what was sent is lost with it.`,
    hint: `${KEEP} If this disk is permanent, run again with --allow-local-state. If a state was lost, run with --assume-unsubscribed.`,
  });
}

function notKept(missing: string): Diagnostic {
  return warningOf("local_state_in_ci", "The state may be lost with this job", {
    detail: `${missing} If this runner's disk is temporary, the next job does not know what this one has created.`,
    hint: `${KEEP} If this disk is permanent, pass --allow-local-state.`,
  });
}

function likelyCause(missing: string): Diagnostic {
  return errorOf("local_state_in_ci", "The state of an earlier job is probably missing", {
    detail: `${missing} An earlier job may have created what the messages below call unmanaged, and lost its state with its disk.`,
    hint: `If that job keeps its state, set OUTREACH_STATE to the same place. If its state is lost, import the webhooks. ${KEEP}`,
  });
}

const KEEP =
  "To keep the state between jobs, set OUTREACH_STATE to a server, as in s3://BUCKET/KEY or postgres://HOST/DATABASE.";
