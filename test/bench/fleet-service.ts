import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A service in a process of its own, which keeps a list for each key and answers after 5 ms. */
export interface FleetService {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): void;
}

/** A team's number in its key, which a header may have in base64. */
const TEAM = `(header) => Number(/t(\\d{5})/.exec(header + Buffer.from(header.split(" ").at(-1), "base64"))?.[1])`;

/** The sandbox would take a core for itself: this does no more than the controllers need. */
const SERVICE = `const lists = new Map();
const teamOf = ${TEAM};
let made = 0;
const server = require("node:http").createServer((request, response) => {
  let body = "";
  if (teamOf(request.headers.authorization ?? "") < Number(process.argv[1])) return;
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

/** `hanging`: it never answers the first teams, so many of them. */
export async function startFleetService(hanging = 0): Promise<FleetService> {
  const service = spawn(process.execPath, ["-e", SERVICE, String(hanging)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    baseUrl: `http://127.0.0.1:${String(await portOf(service))}`,
    pid: service.pid ?? 0,
    stop: () => void service.kill(),
  };
}

async function portOf(service: ChildProcess): Promise<number> {
  const [port] = (await once(service, "message")) as [number];
  return port;
}
