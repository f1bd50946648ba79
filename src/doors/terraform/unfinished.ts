import type { AnyResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { sameMeaning } from "../../core/plan/same-meaning.ts";
import type { ProviderJournal } from "./services.ts";

/** Why an object must not be created now: an earlier process has sent the same, and ended before it knew the outcome. */
export async function unfinishedTwin(definition: AnyResource, planned: Attributes, journal: ProviderJournal): Promise<Diagnostic | undefined> {
  const { type, identity, schema, noun } = definition;
  const unfinished = await journal.unfinished();
  const same = unfinished.find(
    (left) =>
      left.type === type &&
      identity.every((name) => {
        const attribute = schema[name];
        return attribute !== undefined && sameMeaning(attribute, left.key[name] ?? null, planned[name] ?? null);
      }),
  );
  return (
    same && {
      code: "outcome_pending",
      severity: "error",
      summary: "The outcome of an earlier create is undecided",
      detail: `An earlier run has sent the same ${noun} to the service and ended before it knew whether it was created. Sending it again could double it, so nothing was sent.`,
      hint: `Look at the service's list. If it is there, import it by its id. Then, or if it is not there, remove ${same.file} and apply again.`,
    }
  );
}
