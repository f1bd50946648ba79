// A process of the fleet that registers, begins with a team, and then waits for its end: node registered-process.ts URL ID TEAM
import { openFleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { pgFleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";

const [url = "", id = "", team = ""] = process.argv.slice(2);
const ports = { clock: nodeClock, files: nodeFiles() };
const { value: server } = pgServer(url, {});
if (!server) throw new Error("no server");
const database = await openFleetDatabase(server, ports);
const store = pgFleetStore(database, { id, host: "host", pid: process.pid, version: "1.0.0" }, ports);
await store.register(new AbortController().signal);
await store.adopt({ digest: "a", commit: null, teams: [{ name: team, digest: "1" }] }, "start");
const runs = await store.beginRuns({ runs: 1, failing: 1 });
process.stdout.write(`began ${String(runs.length)}\n`);
await new Promise(() => setInterval(() => undefined, 1000));
