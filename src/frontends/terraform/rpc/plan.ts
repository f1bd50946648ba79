import type { Attributes } from "../../../core/model/value.ts";
import { planResource } from "../../../core/plan/resource.ts";
import { answering, wirePath } from "../diagnostics.ts";
import type { PlanResourceChange_Request, PlanResourceChange_Response, ProviderDefinition } from "../generated/tfplugin6.ts";
import { type PrivateState, decodePrivate, encodePrivate } from "../private-state.ts";
import type { Handlers } from "../routes.ts";
import type { Session } from "../session.ts";
import { decodeValue, encodeValue, isNullValue } from "../values.ts";

/** Plans one resource with the planner that every frontend shares. */
export function planHandlers(session: Session): Pick<Handlers<typeof ProviderDefinition>, "planResourceChange"> {
  return {
    planResourceChange: (request) =>
      answering(
        () => planOne(session, request),
        (diagnostics) => ({ plannedState: undefined, requiresReplace: [], plannedPrivate: request.priorPrivate, diagnostics }),
      ),
  };
}

function planOne(session: Session, request: PlanResourceChange_Request): PlanResourceChange_Response {
  const definition = session.definition(request.typeName);
  const { schema } = definition;
  const prior = decodeValue(request.priorState, schema);
  const desired = decodeValue(request.config, schema);
  const stored = decodePrivate(request.priorPrivate);
  const id = prior?.["id"];
  const asked: Pick<PrivateState, "askedFor"> = typeof id === "string" ? { askedFor: id } : {};
  if (typeof id === "string") {
    session.manage(definition.type, id);
    session.asked(id);
  }
  const answer = (after: Attributes | null, plannedPrivate = request.priorPrivate, because: readonly string[] = []): PlanResourceChange_Response => ({
    plannedState: encodeValue(after, schema),
    plannedPrivate,
    requiresReplace: because.map((name) => wirePath([name])),
    diagnostics: [],
  });
  if (desired === null || isNullValue(request.proposedNewState)) return answer(null);
  const change = planResource(definition, { desired, prior: prior && { attributes: prior, unobserved: stored.unobserved } });
  switch (change.action) {
    case "create": {
      const replaced = stored.askedFor ?? decodePrivate(request.plannedPrivate ?? new Uint8Array()).askedFor;
      session.planned(definition, change.after, replaced);
      // In a replace, Terraform passes this to the delete as well.
      return answer(change.after, replaced === undefined ? request.priorPrivate : encodePrivate({ ...stored, askedFor: replaced }));
    }
    case "keep":
      if (typeof id === "string" && definition.list) session.stays(definition, id, change.before);
      return answer(change.before, encodePrivate({ ...stored, ...asked }));
    case "update-state": {
      if (typeof id === "string" && definition.list) session.stays(definition, id, change.after);
      const unobserved = stored.unobserved.filter((name) => !change.changed.includes(name));
      return answer(change.after, encodePrivate({ ...stored, unobserved, ...asked }));
    }
    case "replace":
      session.planned(definition, change.after, asked.askedFor);
      return answer(change.after, encodePrivate({ ...stored, ...asked }), change.because);
    case "delete":
    case "forget":
      throw new Error("a declared resource was planned as a delete");
  }
}
