import type { Clock } from "../../core/model/ports.ts";

/** After this time without a further object, Terraform has shown its state, or waits for an answer of this process. */
const NO_FURTHER_OBJECT_MS = 250;

/** Waits until Terraform shows no further object. */
export async function untilQuiet(shown: { readonly size: number }, { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<void> {
  for (let before = -1; before !== shown.size;) {
    before = shown.size;
    await clock.sleep(NO_FURTHER_OBJECT_MS, signal);
  }
}
