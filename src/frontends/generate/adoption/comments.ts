import type { AnyResource } from "../../../core/model/definition.ts";
import type { AdoptionInput, LeftOut, LiveWebhook, WebhookBlock } from "./live-webhook.ts";

interface Head extends Pick<AdoptionInput, "isTruncated"> {
  readonly definition: AnyResource;
  readonly webhooks: readonly LiveWebhook[];
  readonly imports: number;
}

/** What the file is, what to check, and what it cannot contain. */
export function headComment({ definition, webhooks, imports, isTruncated }: Head): readonly string[] {
  const hidden = hiddenAttributes(definition, webhooks);
  return [
    `Written by outreach generate from the live webhooks.`,
    imports > 0
      ? `outreach plan must show ${String(imports)} to import, and nothing to add or destroy. After the apply, you can remove imports.`
      : "",
    ...(isTruncated
      ? ["", "The service's list may be truncated: there may be webhooks that are not in this file."]
      : []),
    "",
    "The service does not return these values, so this file cannot contain them. Declare them before the first apply: later, adding one replaces the webhook.",
    "- secret: if a webhook has one, declare its source, as in secret: { env: CRM_HOOK_SECRET }.",
    ...hidden.map((name) => `- ${name}: the list shows it for no webhook. Add it where it is set.`),
  ].filter((line, index, lines) => line !== "" || (index > 0 && lines[index - 1] !== ""));
}

/** The attributes that the list shows only of some services, and for none of these webhooks: they are absent here, which does not mean that they are null. */
function hiddenAttributes({ schema }: AnyResource, webhooks: readonly LiveWebhook[]): readonly string[] {
  if (webhooks.length === 0) return [];
  return Object.keys(schema).filter(
    (name) =>
      schema[name]?.observed === "when-present" && webhooks.every(({ attributes }) => attributes[name] === undefined),
  );
}

/** What a reader must know about one block. */
export function blockComment(
  definition: AnyResource,
  { webhook }: WebhookBlock,
  all: readonly LiveWebhook[],
): readonly string[] {
  const { attributes, duplicates, differing } = webhook;
  const hidden = hiddenAttributes(definition, all);
  const unseen = definition.identity.filter((name) => attributes[name] === undefined && !hidden.includes(name));
  const unknown = definition.identity.filter((name) => attributes[name] === undefined);
  const others = duplicates.length > MAX_DUPLICATES ? `${String(duplicates.length)} others` : duplicates.join(", ");
  return [
    ...unseen.map((name) => `The list does not show its ${name}. Add it if it is set.`),
    ...(duplicates.length > 0
      ? [
          `Identical to ${others}${differing.length > 0 ? `, except for ${differing.join(", ")}` : ""}${unknown.length > 0 ? `, as far as the list shows: not its ${unknown.join(", ")}` : ""}. Each event may be delivered more than once.`,
        ]
      : []),
  ];
}

const MAX_DUPLICATES = 3;

/** The webhooks that have no block. */
export function tailComment(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return [];
  return ["Not declared:", ...leftOut.map(({ id, why }) => `- ${id}: ${why.slice(0, MAX_REASON)}`)];
}

const MAX_REASON = 300;
