import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { visible } from "../../../../output/text/visible.ts";
import { type Replayed, replayEvents, replayedFiles } from "../../../listen/replay-events.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { resolvePath } from "../../configuration/read-configuration.ts";
import { receiverUrl } from "../../events/forward-targets.ts";
import { REFERENCE_FORMS, revealReferences } from "../../events/secret-references.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { lazyWeb } from "../../session/lazy-web.ts";

interface ReplayOptions {
  readonly to: string;
  readonly secret?: string;
}

export const listenReplayCommand: CommandDefinition<ReplayOptions, readonly [files: readonly string[]]> = {
  name: "replay",
  description: "sends saved events to a receiver again, in order",
  example: { lines: ["outreach listen replay events --to http://localhost:3000/hooks --secret env:CRM_HOOK_SECRET"] },
  declare: (command) =>
    command
      .argument("<file...>", "saved events, or folders of them")
      .requiredOption("--to <url>", "the receiver: a URL, or a port of this machine")
      .option("--secret <reference>", `the secret to put into the events, as ${REFERENCE_FORMS}`),
  run: (context, { options, operands: [files] }) => replay(context, files, options),
};

/** Exits with 1 if a receiver does not accept one of the events. */
async function replay(context: CommandContext, given: readonly string[], options: ReplayOptions): Promise<ExitCode> {
  const to = receiverUrl("--to", options.to);
  if ("problem" in to) throw new DiagnosticsError([to.problem]);
  const [secret = null] = await revealReferences(context, options.secret === undefined ? [] : [options.secret]);
  const { files, folder, clock, stop } = context;
  const paths = await replayedFiles(
    files,
    given.map((file) => resolvePath(folder, file)),
  );
  const { send } = await lazyWeb(context)();
  let [sent, failed] = [0, 0];
  for await (const replayed of replayEvents(paths, { url: to.url, secret }, { files, send, clock, signal: stop })) {
    const isAccepted = replayed.status !== null && replayed.status >= 200 && replayed.status < 300;
    sent++;
    failed += Number(!isAccepted);
    context.out(replayedLine(replayed, folder));
  }
  context.out(`Sent ${String(sent)} ${sent === 1 ? "event" : "events"}${failed === 0 ? "" : `, ${String(failed)} failed`}.\n`);
  return failed > 0 || sent < paths.length || sent === 0 ? 1 : 0;
}

function replayedLine({ file, type, status, problem, durationMs }: Replayed, folder: string): string {
  const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const outcome = status === null ? visible(problem ?? "") : `${String(status)} (${String(durationMs)} ms)`;
  return `${[visible(name), visible(type).slice(0, 100), outcome].filter((part) => part !== "").join("  ")}\n`;
}
