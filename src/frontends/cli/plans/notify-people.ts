import type { Notice } from "../../../core/model/notice.ts";
import { failureOf } from "../../../operations/known-failure.ts";
import { sendNotices } from "../../../operations/notify/send-notices.ts";
import type { ConfigurationOptions } from "../../../operations/options.ts";
import { failureNotice } from "../../../output/content/notices.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import type { View } from "../screen/view.ts";

/** Sends notices. A failure is a warning. */
export async function sendNotifications(
  context: CommandContext,
  options: ConfigurationOptions,
  notices: readonly Notice[],
): Promise<void> {
  const { warnings } = await sendNotices(context, options, { notices });
  if (warnings.length > 0) printDiagnostics(context, warnings);
}

/** Work that passes what it finds to `notify`. */
type NotifyingWork = (view: View, notify: (notices: readonly Notice[]) => void) => Promise<ExitCode>;

/** In a CI job, sends the work's findings, and how it failed. Elsewhere, a person sees them. */
export function notifyingInCi(
  context: CommandContext,
  options: ConfigurationOptions,
  work: NotifyingWork,
): (view: View) => Promise<ExitCode> {
  if ((context.environment["CI"] ?? "") === "") return (view) => work(view, () => undefined);
  return async (view) => {
    const notices: Notice[] = [];
    try {
      return await work(view, (found) => void notices.push(...found));
    } catch (error) {
      const known = failureOf(error);
      if (known) notices.push(failureNotice(known.diagnostics, known.status));
      throw error;
    } finally {
      const { warnings } = await sendNotices(context, options, { notices });
      if (warnings.length > 0) view.diagnostics(warnings);
    }
  };
}
