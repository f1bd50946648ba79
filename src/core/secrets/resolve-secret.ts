import { capitalised } from "../model/words.ts";
import { spawn } from "node:child_process";
import { type SecretSource, describeSource } from "../model/declaration.ts";
import type { FileSystem } from "../model/ports.ts";
import { realPathInside } from "../model/real-path-inside.ts";

export interface SecretPorts {
  readonly files: FileSystem;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The base of relative paths. Files must be inside it. */
  readonly folder: string;
  /** Variables that commands must not see: the API key's, every variable of an `env` reference, and those that set sensitive variables. */
  readonly hiddenFromCommands: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The secret, or the problem: cause in `detail`, way out in `hint`. */
export type ResolvedSecret = { readonly value: string } | { readonly detail: string; readonly hint: string };

const MAX_BYTES = 1024 * 1024;
const COMMAND_TIMEOUT_MS = 60_000;

/**
 * Reads a secret of at most 1 MB. An environment variable is used unchanged; one final newline of a file or of a
 * command's output is removed. An empty secret is a problem.
 */
export async function resolveSecret(source: SecretSource, ports: SecretPorts): Promise<ResolvedSecret> {
  const resolved = await readSource(source, ports);
  if ("value" in resolved && resolved.value === "")
    return { detail: `${capitalised(describeSource(source))} is empty.`, hint: "Set it to a value: an empty secret protects nothing." };
  return resolved;
}

function readSource(source: SecretSource, ports: SecretPorts): Promise<ResolvedSecret> | ResolvedSecret {
  switch (source.kind) {
    case "env": {
      const value = ports.environment[source.name];
      return value === undefined
        ? { detail: `The environment variable ${source.name} is not set.`, hint: `Set ${source.name} and run the command again.` }
        : { value };
    }
    case "file":
      return readSecretFile(source.path, ports);
    case "command":
      return runCommand(source.command, ports);
    case "value":
      return { value: source.value };
  }
}

async function readSecretFile(path: string, { files, folder }: SecretPorts): Promise<ResolvedSecret> {
  const full = path.startsWith("/") ? path : `${folder}/${path}`;
  try {
    const real = await realPathInside(files, folder, full);
    if (real === null) return { detail: `The file ${path} is outside the configuration's folder.`, hint: "Move it into that folder, or use env or command." };
    if ((await files.kind(real)) !== "file") return { detail: `${path} is not a regular file.`, hint: "Use a regular file." };
    const bytes = await files.read(real, { maxBytes: MAX_BYTES });
    if (bytes === null) return { detail: `The file ${path} does not exist.`, hint: "Create it, or correct the path." };
    return decode(bytes, `The file ${path}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      return { detail: `The file ${path} does not exist.`, hint: "Create it, or correct the path, which is relative to the configuration." };
    if (code === "EFBIG") return { detail: `The file ${path} is larger than 1 MB.`, hint: "Check the path: secrets are short." };
    return { detail: `The file ${path} cannot be read (${String(code)}).`, hint: "Check its permissions." };
  }
}

function runCommand(command: readonly string[], { environment, folder, hiddenFromCommands, signal }: SecretPorts): Promise<ResolvedSecret> {
  const [program = "", ...args] = command;
  const env = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== undefined && !hiddenFromCommands.has(name)));
  const what = `The command ${JSON.stringify(program)}`;
  const notStarted = (error: NodeJS.ErrnoException): ResolvedSecret => ({
    detail: `${what} failed to start: ${error.code === "ENOENT" ? "the program does not exist" : error.message}.`,
    hint: "Check that the program is installed and on the PATH.",
  });
  return new Promise<ResolvedSecret>((resolve) => {
    // spawn's own timeout keeps this process alive if the program cannot be started.
    const timeout = AbortSignal.timeout(COMMAND_TIMEOUT_MS);
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"], signal: AbortSignal.any([signal, timeout]) });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on("error", (error) => {
      if (timeout.aborted)
        resolve({ detail: `${what} did not finish within ${String(COMMAND_TIMEOUT_MS / 1000)} s.`, hint: "Run it by hand: it may be waiting for input." });
      else resolve(notStarted(error));
    });
    child.on("close", (status, killedBy) => {
      if (size > MAX_BYTES) resolve({ detail: `${what} wrote more than 1 MB.`, hint: "Check the command: secrets are short." });
      else if (status !== 0)
        resolve({
          detail: `${what} failed (${status === null ? String(killedBy) : `exit ${String(status)}`}).`,
          hint: "Read its messages above, or run it by hand to see the cause.",
        });
      else resolve(decode(Buffer.concat(chunks), `${what}'s output`));
    });
  }).catch(notStarted);
}

function decode(bytes: Uint8Array, what: string): ResolvedSecret {
  try {
    const value = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
    if (!value.startsWith("\uFEFF")) return { value };
    return { detail: `${what} starts with a byte order mark, which would be a part of the secret.`, hint: "Save it as UTF-8 without a byte order mark (BOM)." };
  } catch {
    return { detail: `${what} is not UTF-8 text.`, hint: "A secret is sent as JSON text: encode it, for example as base64." };
  }
}
