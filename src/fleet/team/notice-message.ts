import { canonicalJson, type Value } from "../../core/model/value.ts";
import type { Notice, NoticeEvent } from "../../core/model/notice.ts";
import { digest } from "../../core/state/checksum.ts";

/** A notice as it leaves this machine: without secrets, and with masked emails. */
export interface Message {
  readonly version: 1;
  readonly event: NoticeEvent;
  /** The same for the same finding of the same configuration and team: for tools that show each thing once. */
  readonly key: string;
  readonly configuration: string;
  readonly team: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly summary: string;
  /** What it is about, one thing a line; those beyond the first ones are counted. */
  readonly lines: readonly string[];
}

const MAX_LINES = 20;
const MAX_LINE = 500;
const KEY_LENGTH = 16;

/** `shown` masks a text. */
export function messageOf(
  notice: Notice,
  { shown, ...about }: Pick<Message, "configuration" | "team" | "at"> & { readonly shown: (text: string) => string },
): Message {
  const { event, summary, lines, facts } = notice;
  // Each of these finds other people.
  const unique = event === "rechecked" ? [about.at] : [];
  const key = digest(canonicalJson([event, about.configuration, about.team, facts.map(shown), unique] as Value)).slice(
    0,
    KEY_LENGTH,
  );
  const more = lines.length > MAX_LINES ? [`… and ${String(lines.length - MAX_LINES)} more`] : [];
  const cut = (text: string): string => (text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text);
  return {
    version: 1,
    event,
    key,
    ...about,
    summary: shown(summary),
    lines: [...lines.slice(0, MAX_LINES).map((line) => cut(shown(line))), ...more],
  };
}

export type MessageFormat = "json" | "slack" | "teams";

/** The body of a request. Texts of others are plain in all of them: nothing in them is markup. */
export const BODIES: { readonly [format in MessageFormat]: (message: Message) => object } = {
  json: (message) => message,
  slack: (message) => {
    const [title, ...rest] = textLines(message);
    const section = (text: string): object => ({
      type: "section",
      text: { type: "plain_text", text: text.slice(0, MAX_SLACK), emoji: false },
    });
    return {
      text: (title ?? "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
      blocks: [section([title, ...rest].join("\n"))],
    };
  },
  teams: (message) => {
    const [title = "", ...rest] = textLines(message);
    const line = (text: string, isTitle: boolean): object => ({
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text, ...(isTitle ? { weight: "Bolder" } : {}) }],
    });
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [line(title, true), ...rest.map((text) => line(text, false))],
    };
    return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
  },
};

/** Slack refuses a longer text. */
const MAX_SLACK = 3000;

function textLines({ configuration, team, summary, lines }: Message): readonly string[] {
  return [`${configuration}${team === null ? "" : ` (${team})`}: ${summary}`, ...lines];
}
