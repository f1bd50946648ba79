import { Option } from "commander";
import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import type { DeliverySettings } from "../../../../sandbox/delivery/delivery-settings.ts";
import { formatDeliveryLine } from "../../../../sandbox/delivery/format-delivery-line.ts";
import { formatLogLine } from "../../../../sandbox/format-log-line.ts";
import { type SandboxProfile, parseProfile } from "../../../../sandbox/profiles.ts";
import { type SandboxSeed, parseSandboxSeedText } from "../../../../sandbox/seed.ts";
import { type Sandbox, startSandbox } from "../../../../sandbox/server.ts";
import type { Ports } from "../../../../operations/context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { parsePort } from "../../program/command-options.ts";

interface SandboxOptions {
  readonly port: number;
  readonly seed?: string;
  readonly profile?: string;
  readonly deliver?: DeliverySettings["hosts"];
}

/** Runs the local copy of the service on 127.0.0.1 until an interrupt. Prints its keys, which are valid only for this sandbox. */
export const definition: CommandDefinition<SandboxOptions> = {
  description: "runs a local copy of the service to try things out; sandbox trigger makes it deliver events",
  example: { lines: ["outreach sandbox --port 4010"] },
  declare: (command) =>
    command
      .addOption(
        new Option("--port <number>", "the port to listen on; 0 for any free one").default(4010).argParser(parsePort),
      )
      .option("--seed <file>", "the initial contents of the service, as JSON")
      .option(
        "--profile <words>",
        "the kind of service, documented (the default) or published, and the behaviour of its webhook list, as in published,cap=25",
      )
      .addOption(
        new Option(
          "--deliver <hosts>",
          "the hosts that receive events: this machine (the default), any host, or none",
        ).choices(["loopback", "any", "none"]),
      ),
  run: async (context, { options }) => {
    const seed = options.seed === undefined ? null : await readSeed(context, options.seed);
    const sandbox = await startSandbox({
      port: options.port,
      clock: { now: () => context.clock.now(), sleep: (ms, signal) => context.clock.sleep(ms, signal ?? context.stop) },
      random: () => uniform(context.random.bytes(4)),
      onRequest: (request) => context.out(`${formatLogLine(request)}\n`),
      onDelivery: (delivery) => context.out(`${formatDeliveryLine(delivery)}\n`),
      ...(options.profile === undefined ? {} : profileOf(options.profile)),
      ...(options.deliver === undefined ? {} : { delivery: { hosts: options.deliver } }),
      ...(seed ? { seed } : {}),
    }).catch((error: unknown) => {
      throw portTaken(error, options.port);
    });
    context.out(`${context.asCalled(startMessage(sandbox, options.profile ?? "documented"))}\n`);
    if (!context.stop.aborted)
      await new Promise((resolve) => context.stop.addEventListener("abort", resolve, { once: true }));
    await sandbox.close();
    context.err("The sandbox has stopped.\n");
    return 0;
  },
};

/** A number from 0 to less than 1. */
function uniform(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0) / 256 ** bytes.length;
}

async function readSeed({ files, folder }: Ports, path: string): Promise<SandboxSeed> {
  const bytes = await files.read(resolvePath(folder, path), { followLinks: true });
  if (bytes === null) throw new DiagnosticsError([problem("No seed file", `The file ${path} does not exist.`)]);
  const { seed, errors } = parseSandboxSeedText(new TextDecoder().decode(bytes));
  if (seed === null || errors.length > 0)
    throw new DiagnosticsError(errors.map((error) => problem("Invalid seed", `${path}: ${error}.`)));
  return seed;
}

function profileOf(text: string): SandboxProfile {
  const { profile, errors } = parseProfile(text);
  if (errors.length > 0) throw new DiagnosticsError(errors.map((error) => problem("Invalid profile", `${error}.`)));
  return profile;
}

function portTaken(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  const hint = "Choose another port with --port, or any free one with --port 0.";
  return DiagnosticsError.of("sandbox_invalid", "Port in use", {
    detail: `Another program listens on port ${String(port)}.`,
    hint,
  });
}

function problem(summary: string, detail: string): Diagnostic {
  return errorOf("sandbox_invalid", summary, { detail });
}

/**
 * The text to print when a sandbox has started: its profile as it was chosen, its address, its keys and their purposes, and a first
 * command to copy. Ends without a line break.
 */
export function startMessage(sandbox: Sandbox, profile: string): string {
  const { baseUrl, controlUrl } = sandbox;
  const names = new Map(sandbox.records("keys").map((record) => [record.key, record.name]));
  const keys = [...names].map(([key, name]) => `  ${name.padEnd(12)}  ${key}`);
  const good = sandbox.keys.good;
  return [
    "The sandbox is a local copy of the service. It keeps everything in memory.",
    "",
    `  base URL      ${baseUrl}`,
    `  control API   ${controlUrl}`,
    `  profile       ${profile}`,
    "",
    "API keys:",
    ...keys,
    "",
    "Try, in another terminal:",
    "",
    `  export OUTREACH_BASE_URL=${baseUrl} OUTREACH_API_KEY=${/^[\w.-]+$/.test(good) ? good : `'${good.replaceAll("'", "'\\''")}'`}`,
    "  outreach plan",
    "  outreach sandbox trigger emailsReplied  # delivers an event to the webhooks that match it",
    "",
    "Ctrl-C stops it. Requests:",
  ].join("\n");
}
