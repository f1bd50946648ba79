import { capitalised } from "../model/words.ts";
import { type CommandPorts, commandName, commandOutput } from "./command-output.ts";
import { type SecretSource, describeSource } from "../model/declaration.ts";
import type { FileSystem } from "../model/ports.ts";
import { realPathInside } from "../model/real-path-inside.ts";

/** Relative paths start from `folder`, and files must be inside it. */
export interface SecretPorts extends CommandPorts {
  readonly files: FileSystem;
}

/** The secret, or the problem: cause in `detail`, way out in `hint`. Without a code, the secret is not available. */
export type ResolvedSecret =
  | { readonly value: string }
  | { readonly detail: string; readonly hint: string; readonly code?: string; readonly summary?: string };

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a secret of at most 1 MB. An environment variable is used unchanged; one final newline of a file or of a
 * command's output is removed. An empty secret is a problem.
 */
export async function resolveSecret(source: SecretSource, ports: SecretPorts): Promise<ResolvedSecret> {
  const resolved = await readSource(source, ports);
  if ("value" in resolved && resolved.value === "")
    return {
      detail: `${capitalised(describeSource(source))} is empty.`,
      hint: "Set it to a value: an empty secret protects nothing.",
    };
  return resolved;
}

function readSource(source: SecretSource, ports: SecretPorts): Promise<ResolvedSecret> | ResolvedSecret {
  switch (source.kind) {
    case "env": {
      const value = ports.environment[source.name];
      // Every object has a function called toString.
      return typeof value === "string"
        ? { value }
        : {
            detail: `The environment variable ${source.name} is not set.`,
            hint: `Set ${source.name} and run the command again.`,
          };
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
    if (real === null)
      return {
        detail: `The file ${path} is outside the configuration's folder.`,
        hint: "Move it into that folder, or use env or command.",
      };
    if ((await files.kind(real)) !== "file")
      return { detail: `${path} is not a regular file.`, hint: "Use a regular file." };
    const bytes = await files.read(real, { maxBytes: MAX_BYTES });
    if (bytes === null) return { detail: `The file ${path} does not exist.`, hint: "Create it, or correct the path." };
    return decode(bytes, `The file ${path}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      return {
        detail: `The file ${path} does not exist.`,
        hint: "Create it, or correct the path, which is relative to the configuration.",
      };
    if (code === "EFBIG")
      return { detail: `The file ${path} is larger than 1 MB.`, hint: "Check the path: secrets are short." };
    return { detail: `The file ${path} cannot be read (${String(code)}).`, hint: "Check its permissions." };
  }
}

async function runCommand(command: readonly string[], ports: SecretPorts): Promise<ResolvedSecret> {
  const output = await commandOutput(command, ports, {
    bytes: MAX_BYTES,
    words: "1 MB",
    hint: "Check the command: secrets are short.",
  });
  return "bytes" in output ? decode(output.bytes, `${capitalised(commandName(command))}'s output`) : output;
}

function decode(bytes: Uint8Array, what: string): ResolvedSecret {
  try {
    const value = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
    if (!value.startsWith("\uFEFF")) return { value };
    return {
      detail: `${what} starts with a byte order mark, which would be a part of the secret.`,
      hint: "Save it as UTF-8 without a byte order mark (BOM).",
    };
  } catch {
    return {
      detail: `${what} is not UTF-8 text.`,
      hint: "A secret is sent as JSON text: encode it, for example as base64.",
    };
  }
}
