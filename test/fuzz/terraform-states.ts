import * as fc from "fast-check";
import { type Json, jsonText, mutatedJson, mutatedText } from "./arbitraries.ts";
import { diskWith, expectSound, run } from "./product.ts";
import { target } from "./target.ts";

const WEBHOOK = { mode: "managed", type: "outreach_webhook", provider_name: "registry.example/x/outreach" };

/** What `terraform show -json` prints of a state, with all that `generate` reads of it. */
const SHOWN: Json = {
  format_version: "1.0",
  terraform_version: "1.11.0",
  values: {
    root_module: {
      resources: [
        {
          ...WEBHOOK,
          address: 'outreach_webhook.a["emailsSent/cam_000001"]',
          name: "a",
          index: "emailsSent/cam_000001",
          values: {
            id: "hoo_000001",
            target_url: "https://a.example/emailsSent?c=cam_000001",
            type: "emailsSent",
            campaign_id: "cam_000001",
            automation_id: 'x ${y} %{z} "\\',
            secret: "a-secret-of-a-state",
            is_first: true,
          },
          sensitive_values: { secret: true, target_url: true },
        },
        {
          ...WEBHOOK,
          address: "outreach_webhook.b[0]",
          name: "b",
          index: 0,
          values: { id: "hoo_000002", target_url: "https://b.example", secret_wo_version: 1 },
        },
      ],
      child_modules: [
        {
          address: 'module.hooks["x.y"]',
          resources: [
            {
              ...WEBHOOK,
              address: 'module.hooks["x.y"].outreach_webhook.c',
              name: "c",
              values: { id: "hoo_000003", target_url: "https://c.example" },
              deposed_key: "1a2b3c4d",
              tainted: true,
            },
          ],
        },
      ],
    },
  },
};

export const TERRAFORM_STATES = target({
  name: "terraform-states",
  share: 4,
  cases: fc.record({
    text: fc.oneof(
      { weight: 8, arbitrary: jsonText(mutatedJson([SHOWN, without(SHOWN)])) },
      { weight: 2, arbitrary: mutatedText([JSON.stringify(SHOWN)], ["{", "}", "[", "]", ",", '"', "\u0000"]) },
    ),
    to: fc.constantFrom("yaml", "hcl"),
  }),
  run: async ({ text, to }) =>
    expectSound(
      await run(await diskWith({ "shown.json": text }), ["generate", "--from-state", "shown.json", "--to", to]),
    ),
});

/** The same, with nothing to refuse. */
function without(shown: Json): Json {
  return JSON.parse(JSON.stringify(shown).replaceAll(/,"(?:deposed_key|tainted)":(?:"\w+"|true)/g, "")) as Json;
}
