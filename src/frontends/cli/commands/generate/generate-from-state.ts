import { DiagnosticsError, type Diagnostic } from "../../../../core/model/diagnostic.ts";
import { type AnyResource, resourceOf } from "../../../../core/model/definition.ts";
import type { OpenState } from "../../../../core/state/open-state.ts";
import { type Handover, changesTool, handoverText } from "./handover-text.ts";
import { hclFromState } from "./hcl-from-state.ts";
import { type ManagedWebhook, type Placed, recordedWebhook } from "./managed-webhook.ts";
import { leftThere, notShown, terraformWebhooks } from "./terraform-state.ts";
import { unfinished } from "./unfinished.ts";
import { yamlFromState } from "./yaml-from-state.ts";
import { WEBHOOK } from "../../../generate/adoption/live-webhook.ts";
import { yamlText } from "../../../generate/yaml-text.ts";
import { otherRecords } from "../../../../operations/adopt-live.ts";
import { readNamedFile } from "../../../../operations/configuration/named-file.ts";
import type { OperationContext, Ports } from "../../../../operations/context.ts";
import type { OperationOptions } from "../../../../operations/options.ts";
import { readRecords } from "../../../../operations/state/records.ts";

export interface FromStateOptions extends OperationOptions {
  /** The file that `terraform show -json` printed; null for the state of the configuration. */
  readonly file: string | null;
  readonly to: Handover["to"];
}

/** A configuration for the webhooks that a state has. */
export interface GeneratedFromState {
  /** Empty if the state has no webhooks. */
  readonly text: string;
  readonly webhooks: number;
  readonly imports: number;
  /** The state, by its name. */
  readonly place: string;
  /** The steps to hand the webhooks over, with the statements that let them go. */
  readonly steps: string;
  readonly notes: readonly Diagnostic[];
}

interface Source {
  readonly from: Handover["from"];
  readonly place: string;
  readonly webhooks: readonly ManagedWebhook[];
  readonly notes: readonly Diagnostic[];
}

/** Writes the webhooks of a state as YAML or HCL, with the statements of a handover. Calls no service. Throws where the state is not settled. */
export async function generateFromState(
  context: OperationContext,
  options: FromStateOptions,
): Promise<GeneratedFromState> {
  const { file, to } = options;
  const definition = resourceOf(context.catalog, WEBHOOK);
  const source = file === null ? await ownSource(context, options) : await terraformSource(context, definition, file);
  const { from, place, webhooks, notes } = source;
  if (webhooks.length === 0) return { text: "", webhooks: 0, imports: 0, place, steps: "", notes };
  const imports = changesTool({ from, to });
  const written = { definition, imports, head: headOf(source, to, imports) };
  const { text, placed } = to === "hcl" ? hclFromState(webhooks, written) : yamlOf(context, webhooks, written);
  const steps = handoverText({ from, to, webhooks });
  return { text, webhooks: webhooks.length, imports: imports ? placed.length : 0, place, steps, notes };
}

function yamlOf(
  { catalog }: OperationContext,
  webhooks: readonly ManagedWebhook[],
  written: Parameters<typeof yamlFromState>[1],
): { readonly text: string; readonly placed: readonly Placed[] } {
  const { configuration, comments, placed } = yamlFromState(webhooks, written);
  return { text: yamlText(configuration, catalog, comments), placed };
}

function headOf({ from, place, webhooks }: Source, to: Handover["to"], imports: boolean): readonly string[] {
  const plan = to === "hcl" ? "terraform plan" : "outreach plan";
  return [
    `Written by outreach generate from ${place}.`,
    `${plan} must show ${imports ? `${String(webhooks.length)} to import, and ` : ""}nothing to add or destroy.`,
    ...(to === "hcl"
      ? ["base_url and api_key come from OUTREACH_BASE_URL and OUTREACH_API_KEY, or from the provider block."]
      : []),
    ...(from === "terraform" && to === "yaml"
      ? [
          "Terraform's state has no lifecycle: declare protect and rotation where a resource has prevent_destroy or create_before_destroy.",
        ]
      : []),
    ...(from === "terraform" && to === "hcl"
      ? ["Terraform's state has no lifecycle: copy it from the old declarations."]
      : []),
  ];
}

async function terraformSource(context: Ports, definition: AnyResource, file: string): Promise<Source> {
  const bytes = await readNamedFile(context, file);
  if (bytes === null) throw notShown(file, "The file does not exist.");
  return { from: "terraform", place: file, ...terraformWebhooks(bytes, { file, definition }) };
}

async function ownSource(context: OperationContext, options: OperationOptions): Promise<Source> {
  const { store, open } = await readRecords(context, options);
  const definition = resourceOf(context.catalog, WEBHOOK);
  assertSettled(open);
  const { instances } = open.document;
  const webhooks = instances.filter(({ type }) => type === WEBHOOK);
  const others = otherRecords(context, instances);
  return {
    from: context.configurations.isStack ? "stack" : "yaml",
    place: store.name,
    webhooks: webhooks.map((one) => recordedWebhook(definition, one)),
    notes: others === null ? [] : [leftThere(others)],
  };
}

/** Throws for what only an apply of the tool that has the webhooks can finish or decide. */
function assertSettled({ pending, document }: OpenState): void {
  const open = pending.map(({ intent: { address, type } }) => [address ?? type, "has a write with an open outcome"]);
  const waiting = (document.replacing ?? []).map((address) => [address, "waits for the create of its replace"]);
  const deposed = document.instances.flatMap(({ address, deposed: old = [] }) =>
    old.length === 0 ? [] : [[address, "has a deposed object that is still to be deleted"]],
  );
  const aliased = document.instances.flatMap(({ address, type, provider }) =>
    type === WEBHOOK && provider !== "outreach" ? [[address, `belongs to the provider ${provider}`]] : [],
  );
  const problems = [...open, ...waiting, ...deposed].map(([address = "", what = ""]) =>
    unfinished(address, what, "outreach apply"),
  );
  if (problems.length > 0) throw new DiagnosticsError(problems);
  const [first] = aliased;
  if (first)
    throw DiagnosticsError.of("generate_alias", "Several configurations of the provider", {
      detail: `${first.join(" ")}. A generated configuration has one service and one key.`,
      hint: "Give the webhooks of each service a state of their own first.",
    });
}
