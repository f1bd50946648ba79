import type { ManagedWebhook } from "./managed-webhook.ts";
import { removedInHcl } from "./hcl-from-state.ts";

/** Where the webhooks are, and where they go. */
export interface Handover {
  /** The tool and the form of the configuration that has them. */
  readonly from: "yaml" | "stack" | "terraform";
  readonly to: "yaml" | "hcl";
  readonly webhooks: readonly ManagedWebhook[];
}

/** Whether another tool takes over, which imports the webhooks into a state of its own. */
export function changesTool({ from, to }: Pick<Handover, "from" | "to">): boolean {
  return (from === "terraform") !== (to === "hcl");
}

/** What the user does with the generated configuration, in order: no webhook is created again, and none ever has two owners. */
export function handoverText({ from, to, webhooks }: Handover): string {
  const count = String(webhooks.length);
  const [here, there] = [commands(from === "terraform"), commands(to === "hcl")];
  if (!changesTool({ from, to }))
    return `The state stays, so nothing is imported or released. Replace the old declarations with these, and keep the place of the state. Then ${there.plan} must print 0 to add and 0 to destroy.\n`;
  return [
    `Nothing was sent. ${here.name} still has the webhooks. To hand them to ${there.name}:`,
    "",
    `1. ${here.plan} prints "No changes". Otherwise apply first, and generate again.`,
    `2. ${there.plan} prints ${count} to import, 0 to add, 0 to destroy. Otherwise stop. A change is only recorded: it sends nothing.`,
    `3. In the configuration that ${here.name} applies, replace the webhooks, and the outputs that refer to them, with the statements below. Then run ${here.apply}: it forgets ${count}, and destroys 0.`,
    `4. ${there.apply}. After that, you can remove the imports.`,
    "",
    removedText(from, [...new Set(webhooks.map(({ from: block }) => block))]),
  ].join("\n");
}

interface Commands {
  readonly name: string;
  readonly plan: string;
  readonly apply: string;
}

function commands(isTerraform: boolean): Commands {
  return isTerraform
    ? { name: "Terraform", plan: "terraform plan", apply: "terraform apply" }
    : { name: "outreach", plan: "outreach plan", apply: "outreach apply" };
}

/** The statements that let blocks go, in the form of the configuration that has them. */
function removedText(form: Handover["from"], blocks: readonly string[]): string {
  if (form === "terraform") return blocks.map(removedInHcl).join("\n");
  const lines =
    form === "yaml"
      ? ["removed:", ...blocks.map((from) => `  - { from: ${from}, destroy: false }`)]
      : [
          'this.addOverride("removed", [',
          ...blocks.map((from) => `  { from: "${from}", lifecycle: { destroy: false } },`),
          "]);",
        ];
  return `${lines.join("\n")}\n`;
}
