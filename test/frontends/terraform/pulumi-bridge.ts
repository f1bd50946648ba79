import { type Json, type Kept, NO_BYTES, ProviderUnderTest, said, value, webhook } from "./provider-under-test.ts";
import { Diagnostic_Severity } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import { processesInTurn } from "./processes-in-turn.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";

/**
 * Pulumi's Terraform bridge, as the provider sees it: its calls, their order and their private state. Read in
 * pulumi-terraform-bridge at 59de6c66 (pkg/pf/tfbridge: provider_configure.go, provider_read.go, provider_diff.go,
 * provider_create.go, provider_delete.go, resource_state.go), and in pulumi/pkg v3.274.1 (resource/deploy: step.go,
 * step_generator.go). One process serves a whole operation: its refresh, its diffs and its writes. The update after a
 * preview has a process of its own.
 */
export class PulumiBridge {
  readonly provider: ProviderUnderTest;

  private constructor(provider: ProviderUnderTest) {
    this.provider = provider;
  }

  /** Configure: the bridge names itself (`terraformVersionToImpersonate`). */
  static async start(
    { baseUrl, keys }: Sandbox,
    options: { readonly folder: string; readonly pid: number },
  ): Promise<PulumiBridge> {
    const terraformVersion = "1.0.0+pulumi-terraform-bridge";
    return new PulumiBridge(
      await ProviderUnderTest.start({ baseUrl, apiKey: keys.good, terraformVersion, ...options }),
    );
  }

  /** Create: a plan without a prior object and without private state, and its apply, unless the plan has an error. */
  async create(inputs: Json) {
    const { planned, ...plan } = await this.provider.plan(null, inputs);
    if (plan.diagnostics.some(({ severity }) => severity === Diagnostic_Severity.ERROR))
      return { ...plan, state: null };
    return this.provider.apply(null, planned, { config: inputs, private: plan.private });
  }

  /** Create in a preview: the plan alone. */
  previewCreate(inputs: Json) {
    return this.provider.plan(null, inputs);
  }

  /** Diff: the state, upgraded from its JSON, is planned with its private state. A replace that was requested skips it. */
  async diff(kept: Kept, inputs: Json) {
    await this.#upgrade(kept);
    return this.provider.plan(kept, inputs);
  }

  /** The refresh of one object: a read, and a diff of it with the inputs of the last update, which shows what has drifted. */
  async refresh(kept: Kept, inputs: Json): Promise<Kept> {
    await this.#upgrade(kept);
    const read = await this.provider.read(kept);
    const diff = read.state === null ? null : await this.diff(read, inputs);
    return { ...read, said: [...read.said, ...(diff?.said ?? [])] };
  }

  /** Delete: the recorded outputs, without private state and without a plan. */
  delete({ state }: Pick<Kept, "state">) {
    return this.provider.delete({ state, private: NO_BYTES });
  }

  async deleteUnsubscription({ state }: Pick<Kept, "state">): Promise<readonly string[]> {
    const nothing = { plannedState: value(null), config: value(null), plannedPrivate: NO_BYTES };
    const { diagnostics } = await this.provider.rpc.applyResourceChange({
      typeName: "outreach_lead_unsubscription",
      priorState: value(state),
      ...nothing,
    });
    return said(diagnostics);
  }

  async #upgrade({ state }: Kept): Promise<void> {
    const rawState = { json: Buffer.from(JSON.stringify(webhook(state ?? {}))), flatmap: {} };
    await this.provider.rpc.upgradeResourceState({ typeName: "outreach_webhook", version: 0, rawState });
  }
}

/** Operations of Pulumi, such as a preview or an update, on one sandbox for each test. */
export function usePulumi() {
  const { sandbox, next } = processesInTurn();
  async function operation<T>(work: (bridge: PulumiBridge) => Promise<T>): Promise<T> {
    const bridge = await PulumiBridge.start(sandbox(), next());
    try {
      return await work(bridge);
    } finally {
      await bridge.provider.shutdown();
    }
  }
  return { sandbox, operation };
}
