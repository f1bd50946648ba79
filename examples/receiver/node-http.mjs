// @ts-check
// A receiver with Node alone. Start it with: node node-http.mjs
import { createServer } from "node:http";
import { eventHandler, memoryStore } from "outreach-as-code/events";

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

/**
 * The service waits for the answer until this returns. Put slow work into a queue, and return.
 *
 * @param {import("outreach-as-code/events").OutreachEvent} event
 */
function handleEvent(event) {
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

const server = createServer((request, response) => {
  // Each webhook has its own query, which says nothing that the event does not say.
  if (request.url?.split("?", 1)[0] === "/hooks/outreach") void handle(request, response);
  else response.writeHead(404).end();
});

// On loopback, behind a proxy with https: events carry personal data, and the secret.
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`Listening on port ${typeof address === "object" ? address?.port : PORT}`);
});

// Answers the requests in progress before a new version takes over. Connections that a proxy keeps open end with their next answer.
process.on("SIGTERM", () => {
  server.close();
  server.keepAliveTimeout = 1;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
});
