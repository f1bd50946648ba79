import { eventTags, openApiWebhooks } from "./openapi-events.ts";
import { DOCUMENTED_ERRORS, openApiPaths, RATE_LIMIT_HEADERS, SHARED_RESPONSES } from "./openapi-paths.ts";
import { openApiSchemas } from "./openapi-schemas.ts";

/**
 * The service's API as an OpenAPI 3.1 document: exactly what its specification shows. `x-not-shown` says in a sentence or two
 * what the specification leaves open. The same call gives the same document.
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
            description: "The base address, with the path prefix of the API and without a final slash.",
            "x-not-shown": "The host and the path prefix: the default is a placeholder.",
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: "Webhooks", description: "Callbacks for events of leads and campaigns." },
      { name: "Campaigns", description: "Campaigns with their schedules, exports and leads." },
      { name: "Warm-up", description: "The warm-up of mailboxes." },
      ...eventTags(),
    ],
    paths: openApiPaths(),
    webhooks: openApiWebhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "basic",
          description:
            "The login is empty, and the password is the API key of a user of the team: encode a colon followed by the key. A user's integration settings show the keys.",
        },
      },
      headers: RATE_LIMIT_HEADERS,
      examples: Object.fromEntries(Object.entries(DOCUMENTED_ERRORS).map(([name, { message, summary }]) => [name, { summary, value: message }])),
      responses: SHARED_RESPONSES,
      schemas: openApiSchemas(),
    },
  };
}

const DESCRIPTION = `Every request is for the team of the API key's user, and sees only the objects of that team.

- **Rate limit**: 20 requests in 2 seconds per API key, across all routes.
- **Errors** are a bare message, as plain text or as a JSON string.
- **Ids** are strings with a prefix for their kind, such as \`cam_\` for a campaign. **Times** are ISO 8601 in UTC.
- **Events** go to the URL of each matching webhook: \`webhooks\` has an entry for each type, and the operation that adds a webhook has them as its callback.

\`x-not-shown\` marks what the service's specification does not define. A client must accept any answer there.`;

const WHOLE_API_NOT_SHOWN = [
  "Operations beyond those in this document.",
  "The operation that reads an export's status by its id: its path, and the shape of its answer with the URL of the CSV file.",
  "The operation that reads a user, with the ids of the mailboxes.",
  "Operations that change whether a lead is paused, other ways to remove or unsubscribe a lead, and whole lead and contact records.",
  "How a campaign passes from one status to another.",
  "Which fields an answer always has. This document requires the fields that the specification lists without mentioning their absence.",
  "The status of an answer over the rate limit, and whether the window is fixed or sliding.",
  "Limits on the number of webhooks and on the size of payloads and exports.",
  "How to select another version of an operation, except for the list of campaigns, and when anything is deprecated.",
];
