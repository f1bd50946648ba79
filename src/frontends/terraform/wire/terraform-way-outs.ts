import { shellWord } from "../../../core/model/shell-word.ts";
import type { WayOut } from "../../../core/model/way-out.ts";

/** The ways out of a diagnostic, a paragraph each; null without any. */
export function wayOutText(ways: readonly WayOut[]): string | null {
  const paragraphs = ways.flatMap((way) => terraformWayOut(way) ?? []);
  return paragraphs.length === 0 ? null : paragraphs.join("\n\n");
}

/** A way out in Terraform's syntax. The provider does not learn addresses, so users fill in `NAME`. Null for what only the reconciler has. */
function terraformWayOut(way: WayOut): string | null {
  switch (way.kind) {
    case "import":
      if (way.isUndeclared)
        return `Declare it at an address of its own to import it:\n\n  ${importBlock(way, way.ids[0] ?? "ID")}`;
      return `${way.ids.length > 1 ? "Import one of them" : "Import it"}, with the address of this resource:\n\n  ${importBlock(way, way.ids[0] ?? "ID")}`;
    case "allow-duplicate":
      if (way.isLive) return "To keep both, set allow_duplicate = true.";
      return way.addresses.length > 1
        ? "To keep both, set allow_duplicate = true in both."
        : "To create another one, set allow_duplicate = true.";
    case "distinguish":
      return `Give it a ${way.attribute} of its own, for example with a query parameter: "https://…?event=NAME", or "…?event=\${each.key}" with for_each. Or set mark = true in the provider block.`;
    case "set-exclusive":
      return "If the service allows one webhook per target URL, set unique_target_url = true in the provider: plans then stop before they send.";
    case "delete-first":
      return `If it is the old one of this resource, change ${way.attribute} too, for example with a query parameter: "https://…?v=2". Or remove create_before_destroy from its lifecycle: Terraform then deletes it first. Or set mark = true in the provider block.`;
    case "delete-foreign":
      return `If nobody needs ${way.id}, delete it in the service.`;
    case "remove-elsewhere":
      return "If another resource, another workspace or the outreach command manages it, remove it there first (`state rm`).";
    case "retry":
      return `Send it again: terraform apply -replace=${addressOf(way)}`;
    case "replace":
      return `To be sure, replace it: terraform apply -replace=${addressOf(way)}`;
    case "remove-record":
      return `Remove it from the state: terraform state rm ${addressOf(way)}`;
    case "check-list":
      return "Run outreach doctor: it checks whether the service truncates its list.";
    case "check-key":
      return "Check api_key (or OUTREACH_API_KEY).";
    case "set-variable":
      return `Set TF_VAR_${way.name ?? "NAME"}.`;
    case "set-attribute":
      return `${way.purpose === undefined ? "Set" : `${way.purpose}, set`} ${way.attribute} = ${JSON.stringify(way.value)}.`;
    case "unlock":
      return `If that run is certainly over, remove its lock: outreach force-unlock ${shellWord(way.id)}`;
    case "release-creates":
      return `If that run is certainly over, release its creates: outreach force-unlock ${shellWord(way.id)}`;
    case "plan":
      return "Run terraform plan.";
    case "apply":
      return "Run terraform apply again.";
    default:
      return null;
  }
}

export function importBlock({ type }: { readonly type: string }, id: string): string {
  return `import {\n    to = ${type}.NAME\n    id = ${JSON.stringify(id)}\n  }`;
}

function addressOf({ address, type }: { readonly address: string | null; readonly type: string }): string {
  return address ?? `${type}.NAME`;
}
