import { plain } from "../../../output/content/paint.ts";
import { runEventText } from "./run-event-text.ts";
import type { CommandContext } from "../command-context.ts";

/**
 * A context for a part of what a program does for long: it asks nothing, prints only messages, hides the emails of leads, and
 * has masks of its own, which end with it.
 */
export function quietContext(context: CommandContext, { signal, atEnd }: { readonly signal: AbortSignal } & Pick<CommandContext, "atEnd">): CommandContext {
  const masks = context.newMasks();
  const shown = (text: string): void => context.err(masks.personal.mask(masks.redactor.redact(text)));
  return {
    ...context,
    ...masks,
    hidesEmails: { out: true, err: true },
    form: { isStack: false },
    out: () => undefined,
    progress: () => undefined,
    summarize: () => undefined,
    isOneScreen: false,
    err: shown,
    notice: shown,
    notify: (event) => shown(runEventText(event, context.clock.now())),
    isLive: false,
    paint: plain,
    paintErrors: plain,
    columns: null,
    input: () => Promise.resolve(new Uint8Array()),
    ask: null,
    cannotAsk: "nobody is asked here",
    stop: signal,
    atEnd,
  };
}
