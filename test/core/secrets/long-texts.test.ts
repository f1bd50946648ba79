import { describe, expect, test } from "vitest";
import { shortText, printable } from "../../../src/core/model/words.ts";
import { emailsIn } from "../../../src/core/secrets/email-like.ts";
import { personalMask } from "../../../src/core/secrets/personal-mask.ts";
import { withoutCredentials } from "../../../src/core/state/backends.ts";
import { emailMask } from "../../../src/frontends/cli/commands/listen/event-lines.ts";
import { boundedText } from "../../../src/frontends/cli/commands/mcp/tool-call.ts";
import { withoutEmails } from "../../../src/frontends/terraform/wire/wire-diagnostics.ts";
import { jsonText } from "../../../src/output/json/escaped-json.ts";
import { printed } from "../../../src/output/content/paint.ts";
import { tableText } from "../../../src/output/text/table.ts";
import { valueText } from "../../../src/output/content/value-text.ts";
import { nodeKeyedDigest } from "../../../src/platform/node-digest.ts";
import { isHtml } from "../../../src/service/api/service-errors.ts";
import { checkTargetUrl } from "../../../src/service/resources/target-url.ts";
import { webhook } from "../../../src/service/resources/webhook.ts";
import { cpuCost } from "../../cpu-cost.ts";

/** Each is repeated. A pattern that starts again at each character takes minutes with one of them. */
const SUSPICIOUS = [
  "a",
  "0",
  " ",
  "\n",
  "@",
  "a@",
  "a.",
  "/",
  ":",
  "#",
  "\\",
  '"',
  "-",
  "%40",
  "\u3164",
  " at ",
  "a at ",
  " dot ",
];
const LENGTH = 300_000;

/** What handles texts that anybody may have written, before they are cut. */
const HANDLERS: { readonly [name: string]: (text: string) => unknown } = {
  "the mask of lines": (text) => personalMask(() => "07", nodeKeyedDigest).maskLine(text),
  "the mask of many texts with one beginning": (text) => {
    const mask = personalMask(() => "07", nodeKeyedDigest);
    mask.add(Array.from({ length: 200 }, (_, index) => `${"a".repeat(index + 3)}@b`));
    return mask.mask(text);
  },
  "the mask of senders' texts": (text) =>
    emailMask({
      hidesEmails: { out: true, err: true },
      newMasks: () => ({ redactor: undefined as never, personal: personalMask(() => "07", nodeKeyedDigest) }),
      random: { bytes: () => new Uint8Array(16) },
    } as never)(text),
  "the search for emails": emailsIn,
  "the mask of Terraform's messages": withoutEmails,
  "the place of a state": withoutCredentials,
  "the bound of an answer": boundedText,
  "the bound of a message": shortText,
  "a stream": (text) => printed(text, { hasCodes: true }),
  "a table": (text) => tableText(["name"], [{ name: text }]),
  "a value": (text) => valueText(text),
  JSON: (text) => jsonText({ text }),
  "an error answer": (text) => [isHtml(text), printable(text)],
  "an automation id": (text) => webhook.schema.automation_id.canonical(text),
  "a target URL": (text) => [checkTargetUrl(text), webhook.schema.target_url.canonical(`https://a.example/${text}`)],
};

describe.for(Object.entries(HANDLERS))("%s takes linear time", ([, handle]) => {
  test.for(SUSPICIOUS)("over many %j", async (character) => {
    const text = `${character.repeat(LENGTH / character.length)}!`;
    const cost = await cpuCost(() => [handle(text), handle(`https://${text}\n`)]);
    expect(cost).toBeLessThan(120);
  });
});
