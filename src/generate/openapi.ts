import { DOCUMENTED_ERRORS, openApiPaths, RATE_LIMIT_HEADERS, SHARED_RESPONSES } from "./openapi-paths.ts";
import { openApiSchemas } from "./openapi-schemas.ts";

/**
 * The service's API as an OpenAPI 3.1 document: all that its specification shows and nothing else. `x-not-shown` stands
 * where it leaves something open, with a sentence (or several) on what that is. The same call makes the same document.
 */
export function serviceOpenApi(): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Outreach automation service",
      version: "1.0.0",
      summary: "Webhooks, campaigns and mailbox warm-up of a service for multi-channel sales outreach.",
      description: DESCRIPTION,
    },
    "x-not-shown": WHOLE_API_NOT_SHOWN,
    servers: [
      {
        url: "{baseUrl}",
        description: "The service's own host for its API.",
        variables: {
          baseUrl: {
            default: "https://outreach.example/api",
            description: "The base address. It ends in the path that all paths of the API begin with, without a slash after it.",
            "x-not-shown": "The host and that path: the default is a placeholder.",
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: "Webhooks", description: "Callbacks for what happens to leads and campaigns." },
      { name: "Campaigns", description: "Campaigns with their schedules, exports and leads." },
      { name: "Warm-up", description: "The warm-up of mailboxes." },
    ],
    paths: openApiPaths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "basic",
          description:
            "The login is empty and the password is the API key of a user of the team, so that what is encoded is a colon followed by the key. Keys are found in a user's integration settings.",
        },
      },
      headers: RATE_LIMIT_HEADERS,
      examples: Object.fromEntries(Object.entries(DOCUMENTED_ERRORS).map(([name, { message, summary }]) => [name, { summary, value: message }])),
      responses: SHARED_RESPONSES,
      schemas: openApiSchemas(),
    },
  };
}

const DESCRIPTION = `Every request is made for the team of the API key's user, and sees what belongs to that team.

- **Rate limit**: 20 requests in 2 seconds for each API key, on all routes together.
- **Errors** are a bare message, as plain text or as a JSON string.
- **Ids** are strings that begin with the kind of thing they name, such as \`cam_\` for a campaign. **Times** are ISO 8601 in UTC.
- **Events** are sent to the address of each webhook that asks for them; see the callback of adding a webhook.

\`x-not-shown\` marks what the service's specification leaves open. A client should bear with any answer there.`;

const WHOLE_API_NOT_SHOWN = [
  "Operations beyond those in this document.",
  "The operation that reads an export's status, which takes the export's id: its path and the shape of its answer, with the field that holds the address of the CSV file once the status is `done`.",
  "The operation that reads a user, which the ids of mailboxes come from.",
  "Operations that change whether a lead is paused, other ways to remove or unsubscribe a lead, and whole lead and contact records.",
  "How a campaign passes from one status to another.",
  "Which fields an answer always has. Here those are required that the specification lists without a word about their absence.",
  "The status of an answer that the rate limit refuses, and whether its window is fixed or slides.",
  "Limits on the number of webhooks and on the size of payloads and exports.",
  "How another version of an operation would be chosen, except for the list of campaigns, and when anything will be deprecated.",
];
