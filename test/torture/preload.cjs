/**
 * Loaded with `node --require` before the program. Finds every boundary: the moment before and after a request, and before, within and
 * after each change of a file. Appends one line of fixed length for each to the trace, so that the processes of one run count together.
 * At boundary OUTREACH_TORTURE_AT, it sends the signals of OUTREACH_TORTURE_SIGNAL.
 */
const fs = process.getBuiltinModule("node:fs");
const files = process.getBuiltinModule("node:fs/promises");
const http = process.getBuiltinModule("node:http");
const https = process.getBuiltinModule("node:https");
const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");
const net = process.getBuiltinModule("node:net");
const path = process.getBuiltinModule("node:path");

const [LINE_BYTES, LABEL_BYTES] = [64, 54];
const { fstatSync, writeSync } = fs;
const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
const CHANGES = O_APPEND | O_CREAT | O_RDWR | O_TRUNC | O_WRONLY;
const {
  OUTREACH_TORTURE_TRACE: traceFile,
  OUTREACH_TORTURE_AT: at = "0",
  OUTREACH_TORTURE_SIGNAL: signal = "KILL",
} = process.env;
const trace = fs.openSync(traceFile, "a");
const parent = process.ppid;

/** The processes that a signal reaches: this one, its parent (terraform), or the process group of the parent. */
const SIGNALS = {
  KILL: [() => process.kill(process.pid, "SIGKILL")],
  TERM: [() => process.kill(process.pid, "SIGTERM")],
  // The second interrupt comes at the next boundary.
  "INT-INT": [() => process.kill(process.pid, "SIGINT"), () => process.kill(process.pid, "SIGINT")],
  "KILL-terraform": [() => process.kill(parent, "SIGKILL")],
  "KILL-both": [() => (process.kill(parent, "SIGKILL"), process.kill(process.pid, "SIGKILL"))],
  "INT-INT-group": [() => process.kill(-parent, "SIGINT"), () => process.kill(-parent, "SIGINT")],
};
const strikes = SIGNALS[signal];

function boundary(label) {
  writeSync(
    trace,
    `${label.slice(0, LABEL_BYTES).padEnd(LABEL_BYTES)}${String(process.pid).padStart(LINE_BYTES - LABEL_BYTES - 1)}\n`,
  );
  const number = fstatSync(trace).size / LINE_BYTES;
  strikes[number - Number(at)]?.();
}

const named = (file) => path.basename(String(file)).replaceAll(/[\da-f]{8}-[\da-f-]{27}|[\da-f]{32,}/g, "ID");
const changes = (flags = "r") => (typeof flags === "string" ? /[wa+]/.test(flags) : (flags & CHANGES) !== 0);

async function around(label, work) {
  boundary(`before ${label}`);
  try {
    return await work();
  } finally {
    boundary(`after ${label}`);
  }
}

for (const name of [
  "appendFile",
  "copyFile",
  "link",
  "mkdir",
  "rename",
  "rm",
  "rmdir",
  "symlink",
  "truncate",
  "unlink",
  "writeFile",
]) {
  const original = files[name];
  files[name] = (...given) => around(`${name} ${named(given.at(name === "rename" ? 1 : 0))}`, () => original(...given));
}

/** The name of each file that is or was open, by its descriptor. */
const names = new Map();
const { open } = files;
files.open = async (file, flags, ...given) => {
  const work = () => open(file, flags, ...given);
  return watched(changes(flags) ? await around(`open ${named(file)}`, work) : await work(), named(file));
};

/** A write has a boundary in its middle: half of the bytes are there. */
function watched(handle, name) {
  for (const method of ["appendFile", "writeFile"]) {
    const original = handle[method].bind(handle);
    handle[method] = (given, ...rest) =>
      around(`${method} ${name}`, async () => {
        const bytes = Buffer.from(given);
        const half = Math.floor(bytes.length / 2);
        await original(bytes.subarray(0, half), ...rest);
        boundary(`within ${method} ${name}`);
        await original(bytes.subarray(half), ...rest);
      });
  }
  const truncate = handle.truncate.bind(handle);
  handle.truncate = (...given) => around(`truncate ${name}`, () => truncate(...given));
  names.set(handle.fd, name);
  return handle;
}

for (const name of ["fdatasync", "fsync"]) {
  const original = fs[name];
  fs[name] = (fd, done) => {
    boundary(`before ${name} ${names.get(fd)}`);
    original(fd, (error) => {
      boundary(`after ${name} ${names.get(fd)}`);
      done(error);
    });
  };
}

// Between two synchronous calls nothing else happens, so the moment after each is enough.
for (const name of ["mkdirSync", "openSync", "renameSync", "rmSync", "unlinkSync", "writeFileSync"]) {
  const original = fs[name];
  fs[name] = (...given) => {
    const result = original(...given);
    if (name !== "openSync" || changes(given[1]))
      boundary(`after ${name} ${typeof given[0] === "string" ? named(given[0]) : ""}`);
    return result;
  };
}

for (const module of [http, https]) {
  const { request } = module;
  module.request = (...given) => {
    const { pathname } = new URL(String(given[0]));
    const label = `${given[1]?.method ?? "GET"} ${named(pathname)}`;
    boundary(`before ${label}`);
    const outgoing = request(...given);
    outgoing.on("finish", () => boundary(`sent ${label}`));
    outgoing.on("response", () => boundary(`answered ${label}`));
    return outgoing;
  };
}

/** The sockets of PostgreSQL. Those of requests are watched above. */
const asked = new WeakSet();
const { write } = net.Socket.prototype;
net.Socket.prototype.write = function writeWatched(...given) {
  const isWatched = process.env.OUTREACH_TORTURE_SOCKETS === "1" && !this._httpMessage && this.remotePort !== undefined;
  if (!isWatched) return write.apply(this, given);
  if (!asked.has(this)) this.prependListener("data", () => boundary("answered query"));
  asked.add(this);
  boundary("before query");
  const result = write.apply(this, given);
  boundary("sent query");
  return result;
};

syncBuiltinESMExports();
