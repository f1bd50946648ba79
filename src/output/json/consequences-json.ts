import type { Consequences } from "../../core/plan/plan.ts";
import { consequenceLines } from "../content/consequences-text.ts";
import type { JsonObject } from "./escaped-json.ts";

/** What a plan changes for others, in words, by title. Terraform has nothing like it. */
export function consequencesJson(consequences: readonly Consequences[]): JsonObject {
  return Object.fromEntries(consequences.map((one) => [one.title.toLowerCase(), consequenceLines(one)]));
}
