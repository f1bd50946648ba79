import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { encodeState } from "../../../../core/state/document.ts";
import { escapedJson } from "../../../../output/json/escaped-json.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { openReadyStore, readRecords } from "../../../../operations/state/records.ts";

/** Prints the whole state document for `state push`, or nothing: a copy with masked emails would be useless. */
export const definition: CommandDefinition<CommandOptions> = {
  description: "prints the whole state document",
  example: { purpose: "for a copy", lines: ["outreach state pull --show-emails > copy.json"] },
  declare: withStatePath,
  run: async (context, { options }) => {
    const store = await openReadyStore(context, options);
    if ((await store.read(context.stop)) === null) return 0;
    const { open } = await readRecords(context, options);
    const text = escapedJson(new TextDecoder().decode(encodeState(open.document)));
    if (context.hidesEmails.out && context.personal.mask(text) !== text)
      throw DiagnosticsError.of("pull_masked", "The state contains email addresses of leads", {
        detail:
          "Emails are masked unless output is a terminal, and a state with masked emails cannot be pushed again. Nothing was printed.",
        hint: "To print the whole document, pass --show-emails, and protect it as personal data.",
      });
    // A copy with masks could not be pushed again. The state has no secrets, but URLs with sensitive variables.
    context.streams.stdout.write(text);
    return 0;
  },
};
