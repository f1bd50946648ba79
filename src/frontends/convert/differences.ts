import type { Block, Configuration } from "../../core/config/block.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** Notes about parts of a YAML configuration with another meaning, or none, in Terraform. */
export function differencesInTerraform({ blocks, checks = [], limits, service, team }: Configuration): readonly Diagnostic[] {
  const filtered = blocks.filter(({ fanOut = [], prune }) => !prune && fanOut.some((part) => part.filtered));
  const emptied = blocks.filter(({ fanOut = [], allowEmpty }) => !allowEmpty && fanOut.some(({ values }) => values.kind !== "list"));
  const listed = blocks.filter(({ fanOut = [] }) => fanOut.some(({ file }) => file));
  const kept = blocks.filter(({ arguments: { protect } }) => protect?.kind === "literal" && protect.value === true);
  return [
    ...blockNote(
      filtered,
      "Terraform destroys instances that leave a filter",
      "Terraform destroys the instances whose campaign no longer matches the filter; outreach keeps them, and Terraform cannot import kept instances.",
      "If outreach plan keeps instances, list their campaigns, or set prune: true to delete them. Then apply and convert again. Later, check the destroys of each plan before you apply it.",
    ),
    ...blockNote(
      emptied,
      "Terraform accepts an empty fan-out",
      "If a filter finds nothing, Terraform plans no instance and reports no error.",
      "Check the destroys of each plan before you apply it.",
    ),
    ...blockNote(
      kept,
      "prevent_destroy is stricter than protect",
      "With prevent_destroy, Terraform refuses every replace. protect allows the replace for a changed secret.",
      "To apply a new secret, remove prevent_destroy for that apply.",
    ),
    ...blockNote(
      listed,
      "The addresses of a file become literal values",
      "The output contains the addresses from the file in emails_from.",
      "Add further addresses there.",
    ),
    ...(Object.keys(limits).length === 0
      ? []
      : [keyNote("limits", "Terraform does not limit the changes of an apply.", "Check the numbers of each plan before you apply it.")]),
    ...(checks.every(({ severity }) => severity !== "error")
      ? []
      : [keyNote("checks.severity", "In Terraform, a failed check is always a warning.", "For an error, add a precondition to a resource.")]),
    ...(team === undefined ? [] : [keyNote("teams", `The output is for the team ${team}.`, "Convert each team, and keep it in a folder of its own.")]),
    ...(service.rateShare === undefined
      ? []
      : [keyNote("service.rate_share", "The provider uses the whole rate limit.", "Apply when nobody else uses the key.")]),
    ...(service.baseUrl
      ? [
          keyNote(
            "service.base_url",
            "In Terraform, the provider's base_url overrides OUTREACH_BASE_URL. In outreach it is the other way round.",
            "To set the URL with the environment, remove base_url from the provider.",
          ),
        ]
      : []),
  ];
}

function blockNote(blocks: readonly Block[], summary: string, detail: string, hint: string): readonly Diagnostic[] {
  if (blocks.length === 0) return [];
  const names = blocks.map(({ type, name }) => `${type}.${name}`).join(", ");
  return [{ code: "convert_difference", severity: "note", summary, detail: `${detail} Affected: ${names}.`, hint }];
}

function keyNote(key: string, detail: string, hint: string): Diagnostic {
  return { code: "convert_difference", severity: "note", summary: `${key} differs in Terraform`, detail, hint };
}
