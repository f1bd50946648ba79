// The receiver with Hono. Start it with: npx tsx receiver-hono.ts
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handle } from "./handle-events.mjs";

const { PORT = "3000" } = process.env;

const app = new Hono();
// The raw request: the handler reads the body itself.
app.post("/hooks/outreach", (context) => handle(context.req.raw));

// On loopback, behind a proxy with https: events carry personal data, and the secret.
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(PORT) }, ({ port }) =>
  console.log(`Listening on port ${port}`),
);

// Answers the requests in progress before it stops.
process.on("SIGTERM", () => server.close(() => process.exit()));
