import type {
  DynamicValue,
  PlanResourceChange_Request,
  PlanResourceChange_Response,
  ProviderDefinition,
  ReadResource_Request,
  ReadResource_Response,
} from "./generated/tfplugin6.ts";
import type { Handlers } from "./plugin/grpc.ts";
import { openSession } from "./provider-session.ts";
import { applyResourceChange } from "./rpc/apply-resource-change.ts";
import { callFunction, wireFunctions } from "./rpc/call-function.ts";
import { configureProvider, stopProvider, validateProviderConfig } from "./rpc/configure-provider.ts";
import { readDataSource, validateDataResourceConfig } from "./rpc/data-source.ts";
import { CAPABILITIES, metadataOf, schemasOf } from "./rpc/get-provider-schema.ts";
import { openConfigGenerator } from "./rpc/generate-resource-config.ts";
import { importResourceState } from "./rpc/import-resource-state.ts";
import { invokeAction, validateAction } from "./rpc/invoke-action.ts";
import { listResource, validateListResourceConfig } from "./rpc/list-resource.ts";
import { moveResourceState } from "./rpc/move-resource-state.ts";
import { planResourceChange } from "./rpc/plan-resource-change.ts";
import { readResource, upgradeResourceState } from "./rpc/read-resource.ts";
import { identities, identitySchemasOf, importId, upgradeResourceIdentity } from "./rpc/resource-identity.ts";
import { validateResourceConfig } from "./rpc/validate-resource-config.ts";
import type { Services } from "./services.ts";
import { answering, mapAnswer } from "./wire/wire-diagnostics.ts";

/**
 * The provider behind the protocol. It converts requests, calls the planner, create and delete that every frontend shares,
 * and converts the results back. Its functions return problems as diagnostics and do not throw.
 */
export function createProvider(services: Services): Handlers<typeof ProviderDefinition> {
  const session = openSession(services);
  const { catalog } = services;
  const identityIn = identities(catalog);
  const identified =
    <Q extends { readonly typeName: string }, A extends { newState?: DynamicValue | undefined }>(
      answer: (request: Q) => A | Promise<A>,
    ) =>
    (request: Q) =>
      mapAnswer(answer(request), (one) => ({ ...one, newIdentity: identityIn(request.typeName, one.newState) }));
  const nothing = () => ({});
  const read = answering<ReadResource_Request, ReadResource_Response>(
    (request) => readResource(session, request),
    ({ currentState, private: stored }) => ({ newState: currentState, private: stored }),
  );
  const generator = openConfigGenerator(session);
  const plan = answering<PlanResourceChange_Request, PlanResourceChange_Response>(
    (request) => {
      const warnings = generator.takeWarnings(request.typeName);
      const planned = planResourceChange(session, request);
      return warnings.length === 0
        ? planned
        : mapAnswer(planned, (one) => ({ ...one, diagnostics: [...one.diagnostics, ...warnings] }));
    },
    ({ priorPrivate }) => ({ plannedState: undefined, requiresReplace: [], plannedPrivate: priorPrivate }),
  );
  return {
    getMetadata: () => ({ ...metadataOf(catalog), diagnostics: [], serverCapabilities: CAPABILITIES }),
    getProviderSchema: () => ({ ...schemasOf(catalog), diagnostics: [], serverCapabilities: CAPABILITIES }),
    getResourceIdentitySchemas: () => ({ identitySchemas: identitySchemasOf(catalog), diagnostics: [] }),
    getFunctions: () => ({ functions: wireFunctions(catalog.functions ?? []), diagnostics: [] }),
    callFunction: (request) => callFunction(catalog, request),
    validateProviderConfig: answering((request) => validateProviderConfig(services, request), nothing),
    configureProvider: answering((request) => configureProvider(session, request), nothing),
    stopProvider: () => stopProvider(session),
    validateResourceConfig: answering((request) => validateResourceConfig(catalog, request), nothing),
    validateDataResourceConfig: answering((request) => validateDataResourceConfig(catalog, request), nothing),
    validateListResourceConfig: answering((request) => validateListResourceConfig(catalog, request), nothing),
    validateActionConfig: answering(({ typeName, config }) => validateAction(catalog, typeName, config), nothing),
    upgradeResourceIdentity: answering((request) => upgradeResourceIdentity(catalog, request), nothing),
    upgradeResourceState: answering((request) => upgradeResourceState(session, request), nothing),
    readDataSource: answering((request) => readDataSource(session, request), nothing),
    readResource: identified(read),
    planResourceChange: (request) =>
      mapAnswer(plan(request), (planned) => ({
        ...planned,
        plannedIdentity: identityIn(request.typeName, planned.plannedState),
      })),
    applyResourceChange: identified((request) => applyResourceChange(session, request)),
    importResourceState: answering(
      async (request) => {
        const { importedResources, diagnostics } = await importResourceState(session, {
          ...request,
          id: importId(catalog, request),
        });
        return {
          importedResources: importedResources.map((one) => ({
            ...one,
            identity: identityIn(one.typeName, one.state),
          })),
          diagnostics,
        };
      },
      () => ({ importedResources: [] }),
    ),
    moveResourceState: answering(
      (request) => moveResourceState(catalog, request),
      () => ({ targetState: undefined, targetPrivate: new Uint8Array() }),
    ),
    generateResourceConfig: answering(generator.generate, nothing),
    listResource: (request) => listResource(session, request),
    planAction: answering(({ actionType, config }) => validateAction(catalog, actionType, config), nothing),
    invokeAction: (request) => invokeAction(session, request),
  };
}
