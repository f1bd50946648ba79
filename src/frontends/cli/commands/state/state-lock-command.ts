import { jsonText } from "../../../../output/json/escaped-json.ts";
import { visible } from "../../../../core/model/visible.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { openReadyStore } from "../../../../operations/state/records.ts";

/** Shows the lock of the state. A lock is no error. */
export const definition: CommandDefinition<CommandOptions> = {
  description: "shows who holds the lock of the state",
  example: { lines: ["outreach state lock"] },
  declare: (command) =>
    withStatePath(command).option("--json", "print JSON: id, who, operation and since; null without a lock", false),
  run: async (context, { options }) => {
    const store = await openReadyStore(context, options);
    const held = await store.heldLock(context.stop);
    const { id, who, operation, since, holder } = held ?? { id: "", who: "", operation: "", since: null, holder: "" };
    if (options.json) context.out(`${jsonText(held && { id, who, operation, since }, { indented: true })}\n`);
    else
      context.out(
        held
          ? `${store.name} is locked by ${visible(holder)}.\nLock id: ${visible(id)}\n`
          : `${store.name} is not locked.\n`,
      );
    return 0;
  },
};
