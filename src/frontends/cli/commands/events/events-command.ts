import { jsonText } from "../../../../output/json/escaped-json.ts";
import { tableText } from "../../../../output/text/table.ts";
import { REMOVED_EVENT_TYPES } from "../../../../service/events/event-catalog.ts";
import { listEvents } from "../../../../service/events/event-list.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import type { CommandOptions } from "../../program/command-options.ts";

export const definition: CommandDefinition<CommandOptions> = {
  description: "lists the event types that a webhook can receive",
  example: { lines: ["outreach events"] },
  declare: (command) => void command.option("--json", "print JSON, with the fields of each event's payload", false),
  run: ({ out }, { options: { json } }) => {
    const events = listEvents();
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
    out(`\nRemoved from the service:\n${REMOVED_EVENT_TYPES.map(({ name, note }) => `- ${name}: ${note}\n`).join("")}`);
    return Promise.resolve(0);
  },
};
