import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { formatLogLine } from "../../../sandbox/format-log-line.ts";
import { type ListProfile, parseListProfile } from "../../../sandbox/list-profile.ts";
import { type SandboxSeed, parseSandboxSeedText } from "../../../sandbox/seed.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { startMessage } from "../../../sandbox/start-message.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";

export interface SandboxCommandOptions {
  readonly port: number;
  readonly seed?: string;
  readonly profile: string;
}

/** Runs the local copy of the service on 127.0.0.1 until it is interrupted. Its keys are printed: they open nothing but this sandbox. */
export async function sandboxCommand(context: CommandContext, options: SandboxCommandOptions): Promise<ExitCode> {
  const seed = options.seed === undefined ? null : await readSeed(context, options.seed);
  const sandbox = await startSandbox({
    port: options.port,
    clock: { now: () => context.clock.now(), sleep: (ms, signal) => context.clock.sleep(ms, signal ?? context.stop) },
    random: () => uniform(context.random.bytes(4)),
    onRequest: (request) => context.out(`${formatLogLine(request)}\n`),
    profile: profileOf(options.profile),
    ...(seed ? { seed } : {}),
  }).catch((error: unknown) => {
    throw portTaken(error, options.port);
  });
  context.out(`${startMessage(sandbox)}\n`);
  if (!context.stop.aborted) await new Promise((resolve) => context.stop.addEventListener("abort", resolve, { once: true }));
  await sandbox.close();
  context.err("The sandbox is stopped.\n");
  return 0;
}

/** A number from 0 to less than 1. */
function uniform(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0) / 256 ** bytes.length;
}

async function readSeed({ files, folder }: CommandContext, path: string): Promise<SandboxSeed> {
  const bytes = await files.read(resolvePath(folder, path), { followLinks: true });
  if (bytes === null) throw new DiagnosticsError([problem("No seed file", `There is no file ${path}.`)]);
  const { seed, errors } = parseSandboxSeedText(new TextDecoder().decode(bytes));
  if (seed === null || errors.length > 0) throw new DiagnosticsError(errors.map((error) => problem("Invalid seed", `${path}: ${error}.`)));
  return seed;
}

function profileOf(text: string): ListProfile {
  const { profile, errors } = parseListProfile(text);
  if (errors.length > 0) throw new DiagnosticsError(errors.map((error) => problem("Invalid list profile", `${error}.`)));
  return profile;
}

function portTaken(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new DiagnosticsError([
    {
      ...problem("The port is taken", `Something listens on port ${String(port)} already.`),
      hint: "Give another one with --port, or --port 0 for any free one.",
    },
  ]);
}

function problem(summary: string, detail: string): Diagnostic {
  return { code: "sandbox_invalid", severity: "error", summary, detail };
}
