import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { refuse } from "./call.ts";
import type { Call } from "./call.ts";

/**
 * `GET /warmup/{userMailboxId}/settings` (section "Endpoints"), with the declared field set or the
 * sample's (section "Warm-up settings"). The operation has no not-found message, so an unknown mailbox
 * gets `Bad team`, like another team's.
 */
export function readWarmup(call: Call): Answer {
  const mailbox = call.world.mailboxes.get(call.params["userMailboxId"] ?? "");
  const owner = mailbox && call.world.users.get(mailbox.userId);
  if (!mailbox || owner?.teamId !== call.teamId) return refuse(call, "badTeam");
  const { active, dailyLimit, warmupTemplate, warmEmailRampup, warmEmailMax, activeAt, deliverability } = mailbox;
  switch (mailbox.shape ?? call.settings.choices.warmupShape) {
    case "declared":
      return jsonAnswer({ active, dailyLimit, warmupTemplate, deliverability });
    case "sample":
      return jsonAnswer({ warmEmailRampup, warmEmailMax, activeAt, deliverability });
  }
}
