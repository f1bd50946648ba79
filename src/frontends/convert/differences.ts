import type { Block, Configuration } from "../../core/config/block.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** What a YAML configuration says that means something else in Terraform, or nothing. */
export function differencesInTerraform({ blocks, limits, service }: Configuration): readonly Diagnostic[] {
  const filtered = blocks.filter(({ fanOut = [], prune }) => !prune && fanOut.some((part) => part.filtered));
  const emptied = blocks.filter(({ fanOut = [], allowEmpty }) => !allowEmpty && fanOut.some(({ values }) => values.kind !== "list"));
  const listed = blocks.filter(({ fanOut = [] }) => fanOut.some(({ file }) => file));
  const kept = blocks.filter(({ arguments: { protect } }) => protect?.kind === "literal" && protect.value === true);
  return [
    ...told(
      filtered,
      "What leaves a filter is destroyed",
      "Terraform destroys the instances whose campaign no longer matches the filter; outreach keeps them, and Terraform cannot import what is kept so.",
      "Where outreach plan says that it keeps some, name their campaigns, or set prune: true to have them deleted; apply, and convert again. Later look at the destroys of a plan before you apply it.",
    ),
    ...told(
      emptied,
      "An empty fan-out is no mistake",
      "Where a filter finds nothing, Terraform has no instance, and says nothing.",
      "Look at the destroys of a plan before you apply it.",
    ),
    ...told(
      kept,
      "prevent_destroy is stricter than protect",
      "Terraform refuses every replace of what it must not destroy; protect lets a changed secret through.",
      "Take prevent_destroy out for as long as it takes to apply a new secret.",
    ),
    ...told(
      listed,
      "The addresses of a file are written out",
      "What emails_from names was read, and stands in what is printed.",
      "Add further addresses there.",
    ),
    ...(Object.keys(limits).length === 0
      ? []
      : [unsaid("limits", "Terraform has no limit on how much an apply may do.", "Look at the numbers of a plan before you apply it.")]),
    ...(service.rateShare === undefined
      ? []
      : [unsaid("service.rate_share", "The provider takes all of the rate limit.", "Apply when nobody else needs the key.")]),
    ...(service.baseUrl
      ? [
          unsaid(
            "service.base_url",
            "In Terraform the base_url of the provider wins over OUTREACH_BASE_URL, not the other way round.",
            "Take base_url out of the provider where the environment is to say it.",
          ),
        ]
      : []),
  ];
}

function told(blocks: readonly Block[], summary: string, detail: string, hint: string): readonly Diagnostic[] {
  if (blocks.length === 0) return [];
  const names = blocks.map(({ type, name }) => `${type}.${name}`).join(", ");
  return [{ code: "convert_difference", severity: "note", summary, detail: `${detail} This concerns ${names}.`, hint }];
}

function unsaid(key: string, detail: string, hint: string): Diagnostic {
  return { code: "convert_difference", severity: "note", summary: `${key} is not the same in Terraform`, detail, hint };
}
