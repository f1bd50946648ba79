import type { Installed } from "../frontends/terraform/installed-provider.ts";
import { startTortureSandbox } from "./sandbox.ts";
import { PROVIDER_SCENARIOS } from "./provider-scenarios.ts";
import { prepareProvider } from "./provider-target.ts";
import type { Lane } from "./target.ts";

/** Each scenario under the real terraform: `provider/create`. */
export const PROVIDER_IDS: readonly string[] = PROVIDER_SCENARIOS.map(({ name }) => `provider/${name}`);

/** A sandbox for many kills of the provider and of terraform. */
export async function openProviderLane(install: () => Promise<Installed>): Promise<Lane> {
  const [sandbox, installed] = await Promise.all([startTortureSandbox(), install()]);
  return {
    prepare: async (id) => {
      const scenario = PROVIDER_SCENARIOS.find(({ name }) => id === `provider/${name}`);
      if (!scenario) throw new Error(`${id} does not exist`);
      return prepareProvider(scenario, { sandbox, installed });
    },
    close: () => sandbox.close(),
  };
}
