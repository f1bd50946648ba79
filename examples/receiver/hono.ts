// A receiver with Hono. Start it with: npx tsx hono.ts
// In a worker, leave out serve() and process.on(), and export app as the default.
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { type OutreachEvent, eventHandler, memoryStore } from "outreach-as-code/events";

const { HOOK_SECRET = "", HOOK_SECRET_OLD, PORT = "3000" } = process.env;

const handle = eventHandler({
  // Two secrets during a rotation, so that no event is lost. Without HOOK_SECRET, the receiver does not start.
  secrets: HOOK_SECRET_OLD ? [HOOK_SECRET, HOOK_SECRET_OLD] : [HOOK_SECRET],
  // The service can deliver an event more than once. Several processes need a store that they share. The name is a part of its keys.
  store: memoryStore(),
  name: "crm",
  onEvent: handleEvent,
  onRejected: (error) => console.error(`Rejected: ${error.message}`),
});

/** The service waits for the answer until this returns. Put slow work into a queue, and return. */
function handleEvent(event: OutreachEvent): void {
  switch (event.type) {
    case "emailsReplied":
      // A third party's reply has no lead and no campaign.
      if (event.isThirdPartyReply) console.log("A third party replied");
      else console.log(`Lead ${event.leadId ?? "unknown"} replied in ${event.campaignName ?? "no campaign"}`);
      break;
    case "interested":
      console.log(`Lead ${event.leadId ?? "unknown"} is interested`);
      break;
    case "emailsUnsubscribed":
      console.log(`Lead ${event.leadId ?? "unknown"} unsubscribed`);
      break;
    default:
      // Also types that are newer than this program.
      console.log(`Ignored an event of type ${event.type}`);
  }
}

const app = new Hono();
// The raw request: the handler reads the body itself.
app.post("/hooks/outreach", (context) => handle(context.req.raw));

// On loopback, behind a proxy with https: events carry personal data, and the secret.
const address = { hostname: "127.0.0.1", port: Number(PORT) };
const server = serve({ fetch: app.fetch, ...address }, ({ port }) =>
  console.log(`Listening on port ${port}`),
) as Server;

// Answers the requests in progress before a new version takes over. Connections that a proxy keeps open end with their next answer.
process.on("SIGTERM", () => {
  server.close();
  server.keepAliveTimeout = 1;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
});
