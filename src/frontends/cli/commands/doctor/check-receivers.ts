import { InvalidArgumentError, type Command } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { type HostPattern, parseHostPattern } from "./host-pattern.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import { type ReceiverCheck, receiverHosts, verifyReceivers } from "./verify.ts";
import { receiverText, verifyingText } from "./receiver-text.ts";
import type { CommandContext } from "../../command-context.ts";
import type { CommandOptions } from "../../program/command-options.ts";
import { showProgress } from "../../screen/progress-line.ts";

export interface ReceiversOptions {
  readonly receivers: boolean;
  readonly allow: readonly HostPattern[];
}

/** Adds --receivers, and --allow, which names the hosts that get events. */
export function withReceivers(command: Command): Command {
  return command
    .option(
      "--receivers",
      "also send a synthetic event to the receiver of each applied webhook, and one with a wrong secret that it must refuse",
      false,
    )
    .option(
      "--allow <host>",
      "with --receivers: send events to this host: HOST, HOST:PORT, or *.DOMAIN for all hosts below a domain; repeatable",
      collectHost,
      [],
    );
}

function collectHost(text: string, before: readonly HostPattern[]): readonly HostPattern[] {
  const pattern = parseHostPattern(text);
  if (!pattern)
    throw new InvalidArgumentError("Use a host as in crm.example.com, crm.example.com:8443 or *.example.com.");
  return [...before, pattern];
}

/** The result of one address, as `doctor --json` prints it. */
export function receiverJson(one: ReceiverCheck) {
  const { address, host, result, reason, status, ms, wrongSecretStatus } = one;
  return {
    address,
    host,
    result,
    reason,
    message: receiverText(one),
    status,
    wrong_secret_status: wrongSecretStatus,
    ms,
  };
}

/** Null without --receivers. Sends nothing unless the user has named hosts. */
export async function checkReceivers(
  context: CommandContext,
  options: ReceiversOptions & CommandOptions,
): Promise<Awaited<ReturnType<typeof verifyReceivers>> | null> {
  if (!options.receivers && options.allow.length > 0)
    throw DiagnosticsError.of("options_conflict", "Conflicting options", {
      detail: "--allow names the hosts that doctor --receivers sends events to. Nothing was sent.",
      hint: "Add --receivers, or leave out --allow.",
    });
  if (!options.receivers) return null;
  if (options.allow.length > 0) return verifyAndShow(context, options);
  const hosts = await receiverHosts(context, options);
  const words = [
    `outreach doctor --receivers ${context.given}`.trim(),
    ...hosts.map((host) => `--allow ${shellWord(host)}`),
  ].join(" ");
  throw DiagnosticsError.of("verify_not_allowed", "No host is allowed", {
    detail:
      "doctor --receivers sends the secret of a webhook to its receiver, so it needs to know which hosts may get one. Nothing was sent.",
    hint: hosts.length === 0 ? "Pass --allow HOST." : `Remove the hosts that are not yours, and run: ${words}`,
  });
}

/** Progress is shown once events are sent, and not while the state is read. */
async function verifyAndShow(
  context: CommandContext,
  options: ReceiversOptions & CommandOptions,
): ReturnType<typeof verifyReceivers> {
  let [now, shown] = [{ done: 0, total: 0 }, null as ReturnType<typeof showProgress> | null];
  const report = (done: number, total: number): void => {
    now = { done, total };
    if (total > 0) shown ??= showProgress(context, (isLive, elapsed) => verifyingText({ ...now, elapsed }, isLive));
  };
  try {
    return await verifyReceivers(context, { ...options, report });
  } finally {
    await shown?.end();
  }
}
