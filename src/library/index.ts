export type { ConfigurationInput, Guard, Options, PlanOptions, ProgressEvent } from "./library-options.ts";
export { type PlannedResult, apply, applySaved, drift, explain, generate, plan } from "./operations.ts";
export type {
  AddressExplanation,
  ApplyResult,
  DriftResult,
  ExplainResult,
  GenerateResult,
  Message,
  PlanResult,
  PlannedChanges,
  Result,
} from "./results.ts";
export { type Sandbox, type SandboxOptions, type SandboxWebhook, startSandbox } from "./sandbox.ts";
