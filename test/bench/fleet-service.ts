import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A service in a process of its own, which keeps a list for each key and answers after 5 ms. */
export interface FleetService {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): void;
}

/** The sandbox would take a core for itself: this does no more than the controllers need. */
const SERVICE = `const lists = new Map();
let made = 0;
const server = require("node:http").createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => setTimeout(() => {
    const key = request.headers.authorization;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    if (request.method === "POST") list.push({ _id: "hoo_" + ++made, ...JSON.parse(body) });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.method === "POST" ? list.at(-1) : list));
  }, 5));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));`;

export async function startFleetService(): Promise<FleetService> {
  const service = spawn(process.execPath, ["-e", SERVICE], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return { baseUrl: `http://127.0.0.1:${String(await portOf(service))}`, pid: service.pid ?? 0, stop: () => void service.kill() };
}

async function portOf(service: ChildProcess): Promise<number> {
  const [port] = (await once(service, "message")) as [number];
  return port;
}
