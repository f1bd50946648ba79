import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/catalog.ts";

/** The event catalogue as a page of the docs. */
export function eventsReference(): string {
  const categories = [...new Set(EVENT_TYPES.map(({ category }) => category))];
  const sections = categories.flatMap((category) => [
    `## ${category}`,
    "",
    "| type | sent when |",
    "|---|---|",
    ...EVENT_TYPES.filter((type) => type.category === category).map(({ name, description }) => `| \`${name}\` | ${description} |`),
    "",
  ]);
  const removed = REMOVED_EVENT_TYPES.map(({ name, note }) => `| \`${name}\` | ${note} |`);
  return [
    "# Event types",
    "",
    "The values of a webhook's `type`. Without `type`, a webhook receives all events. This page is generated from the event catalogue.",
    "",
    ...sections,
    "## Removed",
    "",
    "| type | instead |",
    "|---|---|",
    ...removed,
    "",
  ].join("\n");
}

/** The event catalogue as documented constants for CDK users. */
export function eventTypeConstants(): string {
  return [
    "// made from the event catalogue",
    "",
    "/** The values of a webhook's `type`. */",
    "export class EventType {",
    ...EVENT_TYPES.map(({ name, category, description }) => `  /** ${category}: ${description} */\n  public static readonly ${name} = "${name}";`),
    "",
    "  private constructor() {}",
    "}",
    "",
  ].join("\n");
}
