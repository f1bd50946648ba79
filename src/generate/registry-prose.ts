import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../service/events/catalog.ts";
import { code, markdownTable } from "./markdown.ts";

/** Markdown, and the example below `examples/terraform` that it ends with, where it has one. */
export interface ProseSection {
  readonly text: string;
  readonly example?: string;
}

export const PROVIDER_INTRODUCTION = `The provider manages webhooks and lead unsubscriptions of the outreach automation service, and reads its campaigns, schedules, warm-up settings and webhooks.

Everything can be tried without an account, on a local copy of the service: [the guide](guides/terraform.md) begins there. This page and those below
\`docs/resources\`, \`docs/data-sources\`, \`docs/functions\`, \`docs/actions\` and \`docs/list-resources\` are about the provider. All about the \`outreach\`
command, which needs no Terraform, is in [docs/README.md](README.md).`;

/** What stands on the provider's page below its schema. */
export const INDEX_SECTIONS: readonly ProseSection[] = [
  {
    text: `## Environment variables

| variable | what it says |
|---|---|
| \`OUTREACH_BASE_URL\` | The address of the service's API, where \`base_url\` is absent. |
| \`OUTREACH_API_KEY\` | The API key, where \`api_key\` is absent. |
| \`OUTREACH_JOURNAL\` | The folder that tells what was sent: [see below](#after-a-crash). \`outreach-journal\` in Terraform's data folder (\`.terraform\`) when it is not set. |
| \`OUTREACH_TIMEOUT\` | How long one request may take: \`30s\`. |
| \`OUTREACH_SETTLE\` | How long a new webhook may take to appear in the service's list: \`10s\`; \`60s\` after a request without an answer. |

The address must be https, but for loopback hosts. The provider never falls back to another address: without one it stops.`,
  },
  {
    text: `## Installing

The provider is in no public registry yet. \`outreach provider install\` installs it into a folder, and prints the CLI configuration that makes
\`terraform init\` take it from there, without a network. [The guide](guides/terraform.md#install-the-provider) shows it.

It runs with Terraform 1.3 and later, and speaks version 6 of the provider protocol, so that OpenTofu can use it too. Some parts need a newer one:

| part | Terraform |
|---|---|
| \`import\` blocks | 1.5 |
| functions | 1.8 |
| \`secret_wo\` | 1.11 |
| resource identity | 1.12 |
| list resources, actions | 1.14 |

It is tested with Terraform 1.11. What that version does not speak is tested with a client of the protocol; other versions and OpenTofu were not run.`,
  },
  {
    text: `## Several teams

A key belongs to a team. For another team, or another address, configure the provider once more:`,
    example: "provider/aliases.tf",
  },
  {
    text: `## Rate limit

The service takes 20 requests in 2 seconds for each key. The provider keeps to it, also together with other processes of the same user on the same
machine, so \`-parallelism\` does not matter. All webhooks are refreshed with one list, however many there are.`,
  },
  {
    text: `## After a crash

The service cannot be asked twice to create the same webhook: it would make two. So the provider writes down what it is about to send, and what came of
it, in a folder of its own: the journal. After a crash the next apply finds there what Terraform has not recorded, looks it up in the service's list,
and goes on with it instead of creating a second one. [The guide](guides/terraform.md#recover-from-a-crash) tells what you see then.

Keep the folder between runs, also in CI, and give each root module its own. It holds no secret, but it can hold addresses of leads.`,
  },
];

const EVENT_TYPES_SECTION = [
  "## Event types",
  "",
  "The values of `type`. In expressions, `provider::outreach::event_types()` lists them.",
  "",
  ...markdownTable(
    ["type", "sent when"],
    EVENT_TYPES.map(({ name, description }) => [code(name), description]),
  ),
  "",
  `No longer taken: ${REMOVED_EVENT_TYPES.map(({ name, note }) => `${code(name)} (${note})`).join(", ")}.`,
].join("\n");

/** What stands on a resource's page below its schema. */
export const RESOURCE_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_webhook: [
    {
      text: `## Secrets

The service puts the secret into each event, and never shows it again. There are two ways to give it:

- \`secret\` is masked in Terraform's output, but it is in Terraform's state, and in saved plans. Protect both.
- \`secret_wo\` is in no plan and no state. Terraform cannot see that it has changed: change \`secret_wo_version\` together with it.

Giving both is an error.`,
      example: "resources/outreach_webhook/write-only.tf",
    },
    {
      text: `## Replacement

The service cannot change a webhook. So every change replaces it, but for \`allow_duplicate\`, which is only recorded. By default Terraform deletes
the old webhook first, and no event is delivered until the new one is there. With \`create_before_destroy\`, as in the first example, the new one
comes first: for a moment both deliver, so the receiver must take either secret, and may get an event twice.

\`secret\`, \`secret_wo\`, \`is_first\` and \`automation_id\` are never shown by the service, \`type\` and \`campaign_id\` not always. What is not shown
is never taken for a change: the recorded value stands. URLs that differ in spelling only, such as a final slash behind the host, are the same.

A webhook that somebody has deleted is created again with the next apply.`,
    },
    {
      text: `## Identical webhooks

When a webhook with the same \`target_url\`, \`type\` and \`campaign_id\` is there already, and nothing says that Terraform manages it, a create stops: else each
event would be delivered twice. The message holds an \`import\` block to copy. \`allow_duplicate = true\` creates another one all the same.`,
    },
    {
      text: `## After a crash

When an answer is lost, the provider waits until the service's list can be believed, and looks there. What it finds it records; what is not there it
creates once more. Where the list does not tell either, the apply fails, and Terraform records the webhook without an id, as tainted. The next plan or
apply looks again before it does anything. [The guide](../guides/terraform.md#recover-from-a-crash) shows the ways out.`,
    },
    { text: EVENT_TYPES_SECTION },
  ],
  outreach_lead_unsubscription: [
    {
      text: `## Once, and never again

Nothing can undo an unsubscription, read it back, or list it. So each is sent once, and recorded in the state; it is never refreshed. Destroying the
resource sends nothing: it is forgotten, with a warning. If it is declared again, it is sent again; so it is under another name or key, unless
a \`moved\` block tells where it comes from. What is declared twice is sent once in an apply.

The addresses of leads are personal data. They are in Terraform's state and output; keep both where such data may lie.

The state is the only record of what was sent. Where it was lost, import the unsubscriptions before you apply.`,
    },
    {
      text: `## When an answer is lost

The request is sent again, at most twice: an unsubscription cannot happen twice. If there is still no answer, it is recorded with the outcome
\`unconfirmed\` and a warning, and it is not sent again by itself. To send it again, run \`terraform apply -replace=ADDRESS\`.`,
    },
  ],
};

/** What an import of a type takes, and what follows it. */
export const IMPORT_SECTIONS: { readonly [type: string]: { readonly before: string; readonly after: string } } = {
  outreach_webhook: {
    before: "The id is the service's. `outreach_webhooks` lists all of them.",
    after: `What the service does not show can follow the id, as in the last line. What is not given stays unknown: the first apply after the import
records what the configuration says about it, in place and without a request, and from then on nothing changes. The secret is assumed to be the
right one; to be sure, run \`terraform apply -replace=ADDRESS\`.`,
  },
  outreach_lead_unsubscription: {
    before: "The id is made of the campaign and the address: `CAMPAIGN_ID/EMAIL`. It is recorded as done, and nothing is sent.",
    after: "",
  },
};

/** What stands on an action's page below its schema. */
export const ACTION_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_campaign_export: [
    {
      text: `## Use

\`terraform apply -invoke=action.outreach_campaign_export.q3\` invokes it by itself. A resource can trigger it, too, with an \`action_trigger\` in its
\`lifecycle\`. When the answer is lost, the action fails and is not tried again: that could start a second export.`,
    },
  ],
};

/** What stands on a list resource's page below its schema. */
export const LIST_SECTIONS: { readonly [type: string]: readonly ProseSection[] } = {
  outreach_webhook: [
    {
      text: `## Use

Put the block into a file that ends with \`.tfquery.hcl\`. \`terraform query\` prints what it finds;
\`terraform query -generate-config-out=found.tf\` also writes \`resource\` and \`import\` blocks for it. A value that the service does not show
matches no filter.`,
    },
  ],
};
