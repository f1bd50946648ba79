import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import {
  type KnownService,
  type PrivateState,
  recordedElsewhere,
  recordedWithAnotherKey,
  serviceChanged,
} from "../private-state.ts";
import type { Session } from "../provider-session.ts";

/**
 * Throws before a write to another service than its saved plan was made for, or than the object was recorded at. Another key is
 * of the same team once its lists show something that the plan or the journal knows.
 */
export async function requirePlace(
  session: Session,
  definition: AnyResource,
  { planned, stored }: { readonly planned: Attributes; readonly stored: PrivateState },
): Promise<void> {
  const now = await session.service().known;
  const plan = await session.services.appliedPlan.contentFor(definition);
  const inFile = plan.placesOf(planned);
  const places = inFile.length > 0 ? inFile : [stored.plannedAt ?? null];
  const isKnown = async (): Promise<boolean> =>
    (await showsCampaign(session, definition, planned)) || (await showsRecorded(session, definition, plan.ids));
  const check = async (from: KnownService | null, problems: Problems): Promise<void> => {
    const changed = serviceChanged(from, now);
    if (from === null || changed === "nothing" || (changed === "key" && (await isKnown()))) return;
    throw new DiagnosticsError([changed === "key" ? problems.key() : problems.address(from)]);
  };
  await check(stored.service, {
    address: (from) => recordedElsewhere(definition, from, now),
    key: () => recordedWithAnotherKey(definition),
  });
  if (places.some((one) => serviceChanged(one, now) === "nothing")) return;
  await check(places[0] ?? null, { address: (from) => plannedElsewhere(from, now), key: plannedWithAnotherKey });
}

interface Problems {
  readonly address: (from: KnownService) => Diagnostic;
  readonly key: () => Diagnostic;
}

/** Whether the service shows this key every campaign that the object names, and it names one. */
async function showsCampaign(session: Session, definition: AnyResource, planned: Attributes): Promise<boolean> {
  const isNamed = Object.entries(definition.schema).some(
    ([name, { refersTo }]) => refersTo !== undefined && typeof planned[name] === "string",
  );
  return isNamed && (await session.service().checkReferences(definition, planned)).length === 0;
}

async function showsRecorded(session: Session, definition: AnyResource, ids: ReadonlySet<string>): Promise<boolean> {
  if (!definition.list) return false;
  const { live } = session.type(definition);
  const { madeElsewhere } = await session.service().journal.known();
  const { objects } = await live.get(session.stop.signal);
  return objects.some(({ id }) => ids.has(id) || madeElsewhere.has(id));
}

function plannedElsewhere(planned: KnownService, now: KnownService): Diagnostic {
  return errorOf("service_changed", "The plan was made for another service", {
    detail: `The saved plan was made at ${planned.baseUrl}, and base_url is ${now.baseUrl} now. Nothing was sent.`,
    hint: "Plan again with the base_url that you mean.",
  });
}

function plannedWithAnotherKey(): Diagnostic {
  return errorOf("key_changed", "The plan was made with another API key", {
    detail:
      "The service shows this API key nothing that the saved plan or the journal knows. It may belong to another team. Nothing was sent.",
    hint: "Plan again with the key that you mean.",
  });
}
