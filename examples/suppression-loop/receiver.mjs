// @ts-check
// The receiver with Node alone. Start it with: node receiver.mjs
import { createServer } from "node:http";
import { handle } from "./handle-events.mjs";

const { PORT = "3000" } = process.env;

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

// Answers the requests in progress before it stops.
process.on("SIGTERM", () => server.close(() => process.exit()));
