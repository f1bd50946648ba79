import { NEVER_ABORTED } from "../../../core/model/async.ts";
import { checkAttributes } from "../../../core/model/check.ts";
import type { AnyAction, Catalog } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { diagnosticsOf, wireDiagnostics } from "../wire/wire-diagnostics.ts";
import type { DynamicValue, InvokeAction_Event, InvokeAction_Request } from "../generated/tfplugin6.ts";
import type { Session } from "../provider-session.ts";
import { decodeValue } from "../wire/terraform-values.ts";

/** Actions are requests in addition to create and delete (Terraform 1.14 and later). */
export function validateAction(catalog: Catalog, type: string, config: DynamicValue | undefined) {
  const definition = actionOf(catalog, type);
  return { diagnostics: checkAttributes(definition, decodeValue(config, definition.schema) ?? {}) };
}

export async function* invokeAction(
  session: Session,
  request: InvokeAction_Request,
): AsyncGenerator<InvokeAction_Event> {
  let diagnostics: readonly Diagnostic[];
  try {
    diagnostics = yield* invoke(session, request);
  } catch (error) {
    diagnostics = diagnosticsOf(error);
  }
  yield { type: { $case: "completed", completed: { diagnostics: wireDiagnostics(diagnostics) } } };
}

/** Yields progress and returns the final diagnostics. */
async function* invoke(
  session: Session,
  { actionType, config }: InvokeAction_Request,
): AsyncGenerator<InvokeAction_Event, readonly Diagnostic[]> {
  const definition = actionOf(session.services.catalog, actionType);
  const { client, release } = await session.service().access.reserve(1, session.stop.signal);
  try {
    const retry = { stop: session.stop.signal };
    const run = definition.invoke(decodeValue(config, definition.schema), { client, signal: NEVER_ABORTED, retry });
    for (;;) {
      const { done, value } = await run.next();
      if (done) return value;
      yield { type: { $case: "progress", progress: { message: value } } };
    }
  } finally {
    release();
  }
}

function actionOf({ actions = [] }: Catalog, type: string): AnyAction {
  const found = actions.find((definition) => definition.type === type);
  if (!found) throw new Error(`no action type ${type}`);
  return found;
}
