import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { formatLogLine } from "../../sandbox/format-log-line.ts";
import { startSandbox } from "../../sandbox/server.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Runs the local copy of the service on 127.0.0.1 until it is interrupted. Keys are printed: they open nothing but this sandbox. */
export async function sandboxCommand(terminal: Terminal, { port }: { readonly port: number }): Promise<ExitCode> {
  const sandbox = await startSandbox({
    port,
    clock: { now: () => terminal.clock.now(), sleep: (ms, signal) => terminal.clock.sleep(ms, signal ?? terminal.stop) },
    random: () => uniform(terminal.random.bytes(4)),
    onRequest: (request) => terminal.out(`${formatLogLine(request)}\n`),
  }).catch((error: unknown) => {
    throw portTaken(error, port);
  });
  const { baseUrl, keys } = sandbox;
  terminal.out(
    [
      `The sandbox serves ${baseUrl} until you press Ctrl-C. What it holds is lost then.`,
      "",
      "In another terminal:",
      "",
      `  export OUTREACH_BASE_URL=${baseUrl}`,
      `  export OUTREACH_API_KEY=${keys.good}`,
      "  outreach plan",
      "",
      `Other keys to try: ${keys.otherTeam} (another team), ${keys.blocked} (blocked user), ${keys.wrong} (unknown).`,
      "",
      "",
    ].join("\n"),
  );
  if (!terminal.stop.aborted) await new Promise((resolve) => terminal.stop.addEventListener("abort", resolve, { once: true }));
  await sandbox.close();
  terminal.err("The sandbox is stopped.\n");
  return 0;
}

/** A number from 0 to less than 1. */
function uniform(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0) / 256 ** bytes.length;
}

function portTaken(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new DiagnosticsError([
    { code: "port_taken", severity: "error", summary: "The port is taken", detail: `Something listens on port ${String(port)} already.`, hint: "Give another one with --port, or --port 0 for any free one." },
  ]);
}
