import { WORD } from "../../../core/secrets/email-like.ts";
import type { CommandContext, Masks } from "../command-context.ts";

const SALT_BYTES = 16;

/**
 * Masks everything that looks like an address in texts of senders, where stdout hides addresses. The same address has the same mask during a run.
 * Remembers nothing, so that a command can run for as long as it is needed.
 */
export function emailMask({ hidesEmails, newMasks, random }: Masks & Pick<CommandContext, "newMasks" | "random">): (text: string) => string {
  const salt = Buffer.from(random.bytes(SALT_BYTES)).toString("hex");
  const masked = (address: string): string => {
    const { personal } = newMasks();
    personal.useSalt(salt);
    personal.add([address]);
    return personal.mask(address);
  };
  return (text) => (hidesEmails.out && text.includes("@") ? text.replaceAll(WORD, (word) => (word.includes("@") ? masked(word) : word)) : text);
}
