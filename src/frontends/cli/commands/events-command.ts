import { DiagnosticsError, nearest } from "../../../core/model/diagnostic.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import { tableText } from "../../../output/text/table.ts";
import { REMOVED_EVENT_TYPES } from "../../../service/events/event-catalog.ts";
import { EVENT_CATEGORIES, listEvents } from "../../../service/events/event-list.ts";
import type { CommandDefinition } from "../program/command-definition.ts";

interface EventsOptions {
  readonly category?: string;
  readonly json: boolean;
}

export const eventsCommand: CommandDefinition<EventsOptions> = {
  name: "events",
  description: "lists the event types that a webhook can receive",
  example: { lines: ["outreach events --category email"] },
  declare: (command) =>
    void command
      .option("--category <category>", "only this category, as in Email or SMS, in upper or lower case")
      .option("--json", "print JSON, with the fields of each event's payload", false),
  run: ({ out }, { options: { category, json } }) => {
    const events = listEvents(category === undefined ? undefined : categoryNamed(category));
    if (json) {
      const types = events.map(({ name, category: of, description, about, group, fields }) => ({
        type: name,
        category: of,
        description,
        about,
        group,
        fields,
      }));
      out(`${jsonText(types, { indented: true })}\n`);
      return Promise.resolve(0);
    }
    out(
      tableText(
        ["type", "category", "sent when"],
        events.map(({ name, category: of, description }) => ({ type: name, category: of, "sent when": description })),
      ),
    );
    if (category === undefined)
      out(
        `\nRemoved from the service:\n${REMOVED_EVENT_TYPES.map(({ name, note }) => `- ${name}: ${note}\n`).join("")}`,
      );
    return Promise.resolve(0);
  },
};

/** The category with this name, in upper or lower case. Throws if there is none. */
function categoryNamed(typed: string): string {
  const found = EVENT_CATEGORIES.find((category) => category.toLowerCase() === typed.trim().toLowerCase());
  if (found !== undefined) return found;
  const meant = nearest(typed, EVENT_CATEGORIES) ?? onlyOneWith(typed);
  throw DiagnosticsError.of("event_category_unknown", "Unknown category", {
    detail: `No category of event types is named ${JSON.stringify(typed)}. The categories are ${EVENT_CATEGORIES.join(", ")}.`,
    hint:
      meant === null
        ? "To list the event types of all categories, run: outreach events"
        : `Did you mean ${meant}? Run: outreach events --category ${quoted(meant)}`,
  });
}

/** The category with a word that begins so, as network in Professional network; null if there is none, or more than one. */
function onlyOneWith(typed: string): string | null {
  const isMeant = (word: string): boolean => word.startsWith(typed.trim().toLowerCase());
  const [found, another] = EVENT_CATEGORIES.filter((category) => category.toLowerCase().split(" ").some(isMeant));
  return another === undefined ? (found ?? null) : null;
}

function quoted(word: string): string {
  return word.includes(" ") ? `"${word}"` : word;
}
