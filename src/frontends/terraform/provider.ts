import type { ProviderDefinition } from "./generated/tfplugin6.ts";
import type { Handlers } from "./plugin/grpc.ts";
import { actionHandlers } from "./rpc/invoke-action.ts";
import { applyHandlers } from "./rpc/apply-resource-change.ts";
import { configureHandlers } from "./rpc/configure-provider.ts";
import { dataSourceHandlers } from "./rpc/data-source.ts";
import { functionHandlers } from "./rpc/call-function.ts";
import { identityHandlers, withIdentity } from "./rpc/resource-identity.ts";
import { importHandlers } from "./rpc/import-resource-state.ts";
import { listHandlers } from "./rpc/list-resource.ts";
import { metadataHandlers } from "./rpc/get-provider-schema.ts";
import { planHandlers } from "./rpc/plan-resource-change.ts";
import { readHandlers } from "./rpc/read-resource.ts";
import { validateHandlers } from "./rpc/validate-resource-config.ts";
import { openSession } from "./provider-session.ts";
import type { Services } from "./services.ts";

/**
 * The provider behind the protocol. It converts requests, calls the planner, create and delete that every frontend shares,
 * and converts the results back. Its functions return problems as diagnostics and do not throw.
 */
export function createProvider(services: Services): Handlers<typeof ProviderDefinition> {
  const session = openSession(services);
  const { catalog } = services;
  return {
    ...metadataHandlers(catalog),
    ...identityHandlers(catalog),
    ...functionHandlers(catalog),
    ...configureHandlers(session),
    ...validateHandlers(catalog),
    ...dataSourceHandlers(session),
    ...listHandlers(session),
    ...actionHandlers(session),
    ...withIdentity(catalog, {
      ...readHandlers(session),
      ...planHandlers(session),
      ...applyHandlers(session),
      ...importHandlers(session),
    }),
  };
}
