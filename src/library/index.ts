export type { ConfigurationInput, Options, PlanOptions, ProgressEvent, SandboxOptions } from "./library-options.ts";
export type { GuardName as Guard } from "../operations/guards.ts";
export { apply, applySaved, drift, explain, generate, plan } from "./operations.ts";
export type {
  AddressExplanation,
  ApplyResult,
  DriftResult,
  ExplainResult,
  GenerateResult,
  Message,
  PlanResult,
  PlannedChanges,
  PlannedResult,
  Result,
} from "./results.ts";
export { type Sandbox, type SandboxWebhook, startSandbox } from "./sandbox.ts";
