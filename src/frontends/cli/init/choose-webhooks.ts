import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { countOf } from "../../../core/model/words.ts";
import type { Value } from "../../../core/model/value.ts";
import { tableText } from "../../../output/text/table.ts";
import {
  type AdoptionInput,
  type LeftOut,
  type LiveWebhook,
  campaignIdOf,
} from "../../generate/adoption/live-webhook.ts";
import type { CommandContext, Input } from "../command-context.ts";
import { askUntil } from "./connect.ts";

/** The live webhooks that a configuration can declare, in the order of their numbers, and those that it cannot. */
export interface Offer {
  readonly webhooks: readonly LiveWebhook[];
  readonly leftOut: readonly LeftOut[];
}

/** The webhooks of `--adopt`. Throws for an id that cannot be adopted. */
export function namedWebhooks({ webhooks, leftOut }: Offer, adopt: readonly string[]): readonly LiveWebhook[] {
  if (adopt[0] === "all") return webhooks;
  for (const id of adopt) {
    if (webhooks.some((webhook) => webhook.id === id)) continue;
    const reason = leftOut.find((one) => one.id === id)?.why;
    throw DiagnosticsError.of("init_not_adoptable", "Cannot adopt this webhook", {
      detail:
        reason === undefined
          ? `The service lists no webhook ${id}. Nothing was written.`
          : `${id}: ${reason} Nothing was written.`,
      hint: "List the webhooks: outreach get webhooks",
    });
  }
  return webhooks.filter(({ id }) => adopt.includes(id));
}

/** Shows the webhooks, and asks which to adopt. Null after Ctrl-C or Ctrl-D. */
export async function askWebhooks(
  context: CommandContext,
  ask: NonNullable<Input["ask"]>,
  { webhooks }: Offer,
  { campaigns }: Pick<AdoptionInput, "campaigns">,
): Promise<readonly LiveWebhook[] | null> {
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const rows = webhooks.map((webhook, index) => rowOf(webhook, { number: index + 1, names }));
  const table = tableText(["#", "id", "type", "campaign", "target_url"], rows);
  context.out(`${countOf(webhooks.length, "webhook")} to adopt:\n\n${table.replaceAll(/^(?=.)/gm, "  ")}\n`);
  const question = { text: "", prompt: "Adopt all, none, or numbers, as in 1,3-5 [all]: " };
  const numbers = await askUntil(context, ask, question, (answer) => chosenNumbers(answer, webhooks.length));
  return numbers && webhooks.filter((_, index) => numbers.has(index + 1));
}

/** What the service does not show of a webhook is absent, and shown as a dash. */
function rowOf(
  { id, attributes }: LiveWebhook,
  { number, names }: { readonly number: number; readonly names: ReadonlyMap<string, string> },
) {
  const campaign = campaignIdOf({ campaign_id: attributes["campaign_id"] ?? null });
  const shown = (name: string, all: string): Value => (attributes[name] === null ? all : (attributes[name] ?? null));
  return {
    "#": number,
    id,
    type: shown("type", "all events"),
    campaign: campaign === null ? shown("campaign_id", "all campaigns") : (names.get(campaign) ?? campaign),
    target_url: attributes["target_url"] ?? null,
  };
}

/** Reads an answer such as `1,3-5`. Throws for one that is none. */
function chosenNumbers(answer: string, count: number): ReadonlySet<number> {
  const text = answer.toLowerCase();
  if (text === "none") return new Set();
  const words =
    text === "" || text === "all" ? [`1-${String(count)}`] : text.split(/[\s,]+/).filter((word) => word !== "");
  return new Set(
    words.flatMap((word) => {
      const [, first = "", last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(word) ?? [];
      const [from, to] = [Number(first), Number(last)];
      if (from < 1 || to > count || from > to) throw unknownNumber(word, count);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
}

function unknownNumber(word: string, count: number): DiagnosticsError {
  return DiagnosticsError.of("init_unknown_number", "Unknown number", {
    detail: `${JSON.stringify(word)} is neither a number from 1 to ${String(count)} nor a range of them.`,
    hint: "Answer all, none, or numbers, as in 1,3-5.",
  });
}
