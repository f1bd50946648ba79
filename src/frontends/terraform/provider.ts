import type { ProviderDefinition } from "./generated/tfplugin6.ts";
import type { Handlers } from "./routes.ts";
import { actionHandlers } from "./rpc/action.ts";
import { applyHandlers } from "./rpc/apply.ts";
import { configureHandlers } from "./rpc/configure.ts";
import { dataHandlers } from "./rpc/data.ts";
import { functionHandlers } from "./rpc/functions.ts";
import { identityHandlers, withIdentity } from "./rpc/identity.ts";
import { importHandlers } from "./rpc/import.ts";
import { listHandlers } from "./rpc/list.ts";
import { metadataHandlers } from "./rpc/metadata.ts";
import { planHandlers } from "./rpc/plan.ts";
import { readHandlers } from "./rpc/read.ts";
import { validateHandlers } from "./rpc/validate.ts";
import type { Services } from "./services.ts";
import { openSession } from "./session.ts";

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
    ...dataHandlers(session),
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
