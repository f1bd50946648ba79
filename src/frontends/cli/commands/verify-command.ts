import { InvalidArgumentError, type Command } from "commander";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { type HostPattern, parseHostPattern } from "../../../core/model/host-pattern.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { type ReceiverCheck, receiverHosts, verifyReceivers } from "../../../operations/verify/verify.ts";
import {
  answerText,
  isProven,
  receiversSummary,
  receiverText,
  verifyingText,
} from "../../../output/content/receiver-text.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import { diagnosticJson } from "../../../output/json/diagnostic-json.ts";
import { tableText } from "../../../output/text/table.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type JsonOptions, type StateOptions, withState } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { showProgress } from "../screen/progress-line.ts";

/** Options of the commands that send events to receivers. */
export interface AllowOptions {
  readonly allow: readonly HostPattern[];
}

/** Adds --allow, which names the hosts that get events. */
export function withAllow(command: Command): Command {
  return command.option(
    "--allow <host>",
    "send events to this host: HOST, HOST:PORT, or *.DOMAIN for all hosts below a domain; repeatable",
    collectHost,
    [],
  );
}

export function collectHost(text: string, before: readonly HostPattern[]): readonly HostPattern[] {
  const pattern = parseHostPattern(text);
  if (!pattern)
    throw new InvalidArgumentError("Use a host as in crm.example.com, crm.example.com:8443 or *.example.com.");
  return [...before, pattern];
}

/** Sends synthetic events to receivers, and prints what they answer. */
export const verifyCommand: CommandDefinition<AllowOptions & JsonOptions & StateOptions> = {
  name: "verify",
  description:
    "sends a synthetic event to the receiver of each applied webhook, and one with a wrong secret that it must refuse",
  example: {
    purpose: "for a nightly job",
    lines: ["outreach verify --allow crm.example.com", "outreach verify --allow '*.example.com' --json"],
  },
  declare: (command) => withAllow(withState(command)).option("--json", "print one JSON object", false),
  forTeams: { json: "document" },
  run: async (context, { options }) => {
    const { receivers, diagnostics } = await verifyAllowed(context, options, "verify");
    const summary = receiversSummary(receivers);
    context.summarize(summary);
    if (options.json)
      context.out(
        `${jsonText({ receivers: receivers.map(receiverJson), diagnostics: diagnostics.map(diagnosticJson) }, { indented: true })}\n`,
      );
    else {
      printDiagnostics(context, diagnostics);
      const rows = receivers.map((one) => ({
        address: one.address,
        result: receiverText(one),
        receiver: answerText(one),
      }));
      context.out(`${rows.length === 0 ? "" : `${tableText(["address", "result", "receiver"], rows)}\n`}${summary}\n`);
    }
    return isProven(receivers) ? 0 : 1;
  },
};

function receiverJson(one: ReceiverCheck) {
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

/** Sends nothing unless the user has named hosts. `command`: the command line to which the hosts are to be added. */
export async function verifyAllowed(
  context: CommandContext,
  options: AllowOptions & StateOptions,
  command: string,
): Promise<{ readonly receivers: readonly ReceiverCheck[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (options.allow.length > 0) return verifyAndShow(context, options);
  const { hosts, hidden } = await receiverHosts(context, options);
  const words = [
    `outreach ${command} ${context.given}`.trim(),
    ...hosts.map((host) => `--allow ${shellWord(host)}`),
  ].join(" ");
  const unnamed =
    hidden === 0
      ? ""
      : ` ${String(hidden)} more ${hidden === 1 ? "webhook has its URL" : "webhooks have their URLs"} from a sensitive variable.`;
  throw DiagnosticsError.of("verify_not_allowed", "No host is allowed", {
    detail: `${command} sends the secret of a webhook to its receiver, so it needs to know which hosts may get one. Nothing was sent.${unnamed}`,
    hint: hosts.length === 0 ? "Pass --allow HOST." : `Remove the hosts that are not yours, and run: ${words}`,
  });
}

/** Progress is shown once events are sent, and not while the state is read. */
async function verifyAndShow(
  context: CommandContext,
  options: AllowOptions & StateOptions,
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
