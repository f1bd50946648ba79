import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FakePooler } from "./fake-pooler.ts";

const FOLDERS = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"];
/** The program, as Debian installs it; null where it is not installed. */
export const PGBOUNCER =
  FOLDERS.map((folder) => path.join(folder, "pgbouncer")).find((file) => existsSync(file)) ?? null;
const NOBODY = 65_534;
const POLL_MS = 20;

/** PgBouncer with its own defaults, in front of a PostgreSQL server. */
export async function startPgBouncer(
  url: string,
  mode: "transaction" | "session",
): Promise<Pick<FakePooler, "port" | "close">> {
  const { hostname, port: target, username, password, pathname } = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = path.join(folder, "pgbouncer.ini");
  const server = `host=${hostname} port=${target} user=${username} password=${password}`;
  await writeFile(
    file,
    `[databases]\n${pathname.slice(1)} = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${String(port)}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n`,
  );
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const pooler = spawn(PGBOUNCER ?? "pgbouncer", [file], { ...owner, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  pooler.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  while (!log.includes("process up")) {
    if (pooler.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    port,
    close: async () => {
      const ended = once(pooler, "exit");
      pooler.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
