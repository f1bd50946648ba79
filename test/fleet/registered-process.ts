// A process of the fleet that registers, begins with a team, and then waits for its end: node registered-process.ts URL ID TEAM
import { openFleetDatabase } from "../../src/fleet/database/fleet-database.ts";
import { pgFleetStore } from "../../src/fleet/database/fleet-store.ts";
import { openQueue } from "../../src/fleet/queue.ts";
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
openQueue({
  database,
  process: id,
  concurrency: 1,
  clock: nodeClock,
  log: () => undefined,
  handle: async () => {
    await store.beginRun(team);
    process.stdout.write("begun\n");
    await new Promise(() => undefined);
  },
});
