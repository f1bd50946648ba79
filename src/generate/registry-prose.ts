import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/event-catalog.ts";
import { code, markdownTable } from "./markdown-table.ts";

/** Markdown, and the example in `examples/terraform` that follows it, if any. */
export interface ProseSection {
  readonly text: string;
  readonly example?: string;
}

export const PROVIDER_INTRODUCTION = `The provider manages webhooks and lead unsubscriptions of the outreach automation service, and reads its campaigns, schedules, warm-up settings and webhooks.

[The guide](guides/terraform.md) starts on a local copy of the service, without an account. This page and the pages below \`docs/resources\`,
\`docs/data-sources\`, \`docs/functions\`, \`docs/actions\` and \`docs/list-resources\` describe the provider. For the \`outreach\` command, which needs no
Terraform, see [docs/README.md](README.md).`;

/** The sections of the provider's page below its schema. */
export const INDEX_SECTIONS: readonly ProseSection[] = [
  {
    text: `## Environment variables

| variable | meaning |
|---|---|
| \`OUTREACH_BASE_URL\` | Base address of the service's API, if \`base_url\` is absent. |
| \`OUTREACH_API_KEY\` | API key, if \`api_key\` is absent. |
| \`OUTREACH_JOURNAL\` | Folder of the journal, or the URL of a state store that keeps it: [see below](#recovery-from-a-crash). Default: \`outreach-journal\` in Terraform's data folder (\`.terraform\`). |
| \`OUTREACH_TIMEOUT\` | Timeout of one request. Default: \`30s\`. |
| \`OUTREACH_SETTLE\` | How long a new webhook can take to appear in the service's list. Default: \`10s\`, and \`60s\` after a request without an answer. |
| \`HTTPS_PROXY\`, \`NO_PROXY\` | Proxy for the service (\`http://USER:PASSWORD@HOST:PORT\`), and hosts to reach without it, by Terraform's rules. |
| \`NODE_EXTRA_CA_CERTS\` | PEM file with certificates of private authorities to trust. |

The address must use https, except for loopback hosts. It has no default: without it, the provider stops.`,
  },
  {
    text: `## Installation

The provider is not in a public registry yet. \`outreach provider install\` installs it into a folder, and prints the CLI configuration that
\`terraform init\` needs to find it there, without a network. See [the guide](guides/terraform.md#install-the-provider).

The provider runs with Terraform 1.3 and later. It uses version 6 of the provider protocol, which OpenTofu supports too. Some features require a newer
version:

| feature | Terraform |
|---|---|
| \`import\` blocks | 1.5 |
| functions | 1.8 |
| \`secret_wo\` | 1.11 |
| resource identity | 1.12 |
| list resources, actions | 1.14 |

The provider is tested with Terraform 1.11. A protocol client tests the newer features. OpenTofu and other Terraform versions are untested.`,
  },
  {
    text: `## Several teams

A key belongs to one team. To use another team or another address, configure the provider again with an alias:`,
    example: "provider/aliases.tf",
  },
  {
    text: `## Rate limit

The service accepts 20 requests in 2 seconds per key. The provider stays below the limit, and shares it with other processes of the same user on the same
machine. \`-parallelism\` makes no difference. One list request refreshes all webhooks.`,
  },
  {
    text: `## Recovery from a crash

A create that is sent twice can create two webhooks: the service documents no idempotency key. The provider therefore keeps a journal, in which it
records what it is about to send, and then the result. After a crash, the next apply reads the journal, and looks up in the service's list what Terraform did not record. It uses
what it finds, instead of creating a duplicate. [The guide](guides/terraform.md#recover-from-a-crash) shows the messages.

A run that was killed in another container, on another host, or before the machine restarted may still be active: the provider cannot see it. If such a run
left a create without an outcome, the provider does not create the same again until that create is certainly over: a few minutes later it looks for the
webhook in the service's list. \`outreach force-unlock ID\`, as the message shows, releases it earlier.

Keep the journal between runs, also in CI, and use one per root module. On runners whose disk does not last, set \`OUTREACH_JOURNAL\` to the URL of a state
store. It contains no secret, but it can contain addresses of leads.`,
  },
];

const EVENT_TYPES_SECTION = [
  "## Event types",
  "",
  "The values of `type`. In expressions, `provider::outreach::event_types()` returns them.",
  "",
  ...markdownTable(
    ["type", "sent when"],
    EVENT_TYPES.map(({ name, description }) => [code(name), description]),
  ),
  "",
  `Removed: ${REMOVED_EVENT_TYPES.map(({ name, note }) => `${code(name)} (${note})`).join(", ")}.`,
].join("\n");

/** The sections of a resource's page below its schema. */
export const RESOURCE_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_webhook: [
    {
      text: `## Secrets

The service adds the secret to each event, and never returns it. There are two ways to set it:

- \`secret\` is masked in Terraform's output, but stored in Terraform's state and in saved plans. Protect both.
- \`secret_wo\` is in no plan and no state. Terraform cannot detect a new value: change \`secret_wo_version\` with it.

Setting both is an error.`,
      example: "resources/outreach_webhook/write-only.tf",
    },
    {
      text: `## Replacement

The service documents no update of a webhook, so every change replaces it. The exception is \`allow_duplicate\`, which changes only the state. By default, Terraform
deletes the old webhook first, and the service delivers no event until the new one exists. With \`create_before_destroy\`, Terraform creates
the new one first. For a moment both deliver: the receiver must accept both secrets, and may receive an event twice. Change a query parameter of \`target_url\` too: where
the service allows one webhook per target URL, it refuses a second one with the same URL, and the old one stays.
[The guide](../guides/terraform.md#rotate-a-secret) has an example.

The service never returns \`secret\` and \`secret_wo\`, and does not always return \`type\`, \`campaign_id\`, \`is_first\` and \`automation_id\`. A value that it
does not return is never a change: the recorded value stands. If the first list after a create returns a different value than was sent, the
provider warns once, keeps the declared value, and reports drift only if the returned value changes later. URLs that differ only in spelling, such as a final slash after the host, are equal.

If somebody deletes a webhook, the next apply creates it again.`,
    },
    {
      text: `## Identical webhooks

If a webhook with the same \`target_url\`, \`type\` and \`campaign_id\` exists, and Terraform does not manage it, a create fails. A duplicate would deliver every
event twice. The message contains an \`import\` block to copy. To create a duplicate anyway, set \`allow_duplicate = true\`.`,
    },
    {
      text: `## Recovery from a crash

If an answer is lost, the provider waits for the service's list to catch up, and looks the webhook up there. It records what it finds. If nothing is there,
it creates the webhook again. If the list cannot decide, the apply fails, and Terraform records the webhook as tainted, without an id. The next plan or
apply looks again first. See [the guide](../guides/terraform.md#recover-from-a-crash).`,
    },
    { text: EVENT_TYPES_SECTION },
  ],
  outreach_lead_unsubscription: [
    {
      text: `## Each one is sent once

The service documents no request that undoes, reads or lists an unsubscription. The provider sends each one once, records it in the state, and never
refreshes it. If you destroy the resource, the provider forgets it with a warning, and sends nothing. If you declare it again, the provider sends it again. This includes
another name or key, unless a \`moved\` block maps the old address. Duplicate declarations are sent once per apply.

Addresses of leads are personal data. They are in Terraform's state and output; keep both where such data is allowed.

The state is the only record of what was sent. If you lose it, import the unsubscriptions before you apply.`,
    },
    {
      text: `## If an answer is lost

The provider sends the request again, at most twice. If no attempt succeeds, the provider records the outcome \`unconfirmed\` with a warning, whatever
\`on_not_found\` says, and does not send it again automatically. To send it again, run \`terraform apply -replace=ADDRESS\`.

## Unknown campaigns

A plan asks the service once for each campaign that leads are unsubscribed from. If the service does not know the campaign, the plan fails.`,
    },
  ],
};

/** What an import of a type takes, and what follows it. */
export const IMPORT_SECTIONS: { readonly [type: string]: { readonly before: string; readonly after: string } } = {
  outreach_webhook: {
    before: "The id is the service's. The data source `outreach_webhooks` lists all ids.",
    after: `The id can include values that the service does not return, as in the last line. Other values stay unknown: the apply of an
\`import\` block, or the first apply after \`terraform import\`, records the configured values in place, without a request and with a warning. The provider
assumes that they are right. To be certain, run \`terraform apply -replace=ADDRESS\`. A value that you configure later replaces the webhook.`,
  },
  outreach_lead_unsubscription: {
    before: "The id is the campaign and the email address: `CAMPAIGN_ID/EMAIL`. The import records the unsubscription as done, and sends nothing.",
    after: "",
  },
};

/** The sections of an action's page below its schema. */
export const ACTION_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_campaign_export: [
    {
      text: `## Usage

Run \`terraform apply -invoke=action.outreach_campaign_export.q3\` to invoke the action alone. A resource can trigger it with an \`action_trigger\` in its
\`lifecycle\`. If the answer is lost, the action fails, and does not retry: a retry could start a second export.`,
    },
  ],
};

/** The sections of a list resource's page below its schema. */
export const LIST_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_webhook: [
    {
      text: `## Usage

Put the block into a file that ends in \`.tfquery.hcl\`. \`terraform query\` prints the matching webhooks.
\`terraform query -generate-config-out=found.tf\` also writes \`resource\` and \`import\` blocks for them. A value that the service does not return
matches no filter.`,
    },
  ],
};
