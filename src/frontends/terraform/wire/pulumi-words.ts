import { shellWord } from "../../../core/model/shell-word.ts";
import type { WayOut } from "../../../core/model/way-out.ts";
import { terraformWayOut } from "./terraform-way-outs.ts";

/** A way out in Pulumi's syntax. The provider does not learn names, so users fill in `NAME` and `URN`, which `pulumi stack --show-urns` lists. */
export function pulumiWayOut(way: WayOut): string | null {
  switch (way.kind) {
    case "import": {
      const command = importCommand(way.type, way.ids[0] ?? "ID");
      if (way.isUndeclared)
        return `Import it under a name of its own, and add the code that Pulumi prints:\n\n  ${command}`;
      return `${way.ids.length > 1 ? "Import one of them" : "Import it"}, with the name of this resource:\n\n  ${command}`;
    }
    case "distinguish":
      return `Give it a ${camelCase(way.attribute)} of its own, for example with a query parameter: "https://…?event=NAME". Or set mark to true.`;
    case "delete-first":
      return "Pulumi does not tell what a create replaces. If this update replaces it (--target-replace, pulumi state taint), set deleteBeforeReplace: true in the options of the resource: Pulumi then deletes the old one first.";
    case "remove-elsewhere":
      return "If another stack, Terraform or the outreach command manages it, remove it there first (pulumi state delete).";
    case "set-variable":
      return `Set it: pulumi config set ${way.name ?? "NAME"}`;
    case "set-attribute":
      return `${way.purpose === undefined ? "Set" : `${way.purpose}, set`} ${camelCase(way.attribute)}: ${JSON.stringify(way.value)}.`;
    default: {
      const text = terraformWayOut(way);
      return text === null ? null : pulumiText(text);
    }
  }
}

/** What the provider says in Terraform's words, and how Pulumi says it; the first rules first. */
const RULES: readonly (readonly [
  terraform: RegExp,
  pulumi: string | ((match: string, ...groups: string[]) => string),
])[] = [
  [/import \{\n\s+to = (\w+)\.\w+\n\s+id = "([^"]*)"\n\s+\}/g, (_, type, id) => importCommand(type, id)],
  [/terraform state rm \w+\.NAME/g, "pulumi state delete URN"],
  [/`?(?:terraform )?state rm`?/g, "pulumi state delete"],
  [/terraform untaint \w+\.NAME/g, "pulumi state untaint URN"],
  [/terraform apply -replace=[\w.]+/g, "pulumi up --target-replace URN"],
  [/terraform apply -target=[\w.]+/g, "pulumi up --target URN"],
  [/terraform apply -refresh-only/g, "pulumi refresh"],
  [/terraform plan without -target/g, "pulumi preview without --target"],
  [/terraform plan/g, "pulumi preview"],
  [/terraform apply/g, "pulumi up"],
  [/Terraform records it without an id, as tainted/g, "Pulumi does not record it"],
  [/, as with create_before_destroy,/g, ","],
  [/Terraform's states/g, "the states of all stacks"],
  [/Terraform's data directory/g, "the folder .terraform"],
  [/Terraform's state/g, "the state of the stack"],
  [/\b([Aa]llow)_duplicate = true/g, "$1Duplicate: true"],
  [/\bApply (again|once|there once)\b/g, "Run pulumi up $1"],
  [/\b(and|then|Otherwise) apply\b/g, "$1 run pulumi up"],
  [/\b(and) plan again\b/g, "$1 run pulumi preview again"],
  [/\b([Tt]he next|[Tt]his|[Tt]he|[Tt]hat) apply\b/g, "$1 update"],
  [/\b([Tt]his) plan\b/g, "$1 update"],
  [/\bat an address of its own\b/g, "under a name of its own"],
  [/\bat its own address\b/g, "under its own name"],
  [/\bat another address\b/g, "under another name"],
  [/\b(that) address\b/g, "$1 resource"],
  [/\bTerraform\b/g, "Pulumi"],
];

export function pulumiText(text: string): string {
  return RULES.reduce((before, [terraform, pulumi]) => before.replace(terraform, pulumi as string), text);
}

/** The bridge makes the type `outreach:index/webhook:Webhook` of `outreach_webhook`. */
function importCommand(type: string, id: string): string {
  const [provider = "", ...words] = type.split("_");
  const name = camelCase(words.join("_"));
  return `pulumi import ${provider}:index/${name}:${name.charAt(0).toUpperCase()}${name.slice(1)} NAME ${shellWord(id)}`;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
