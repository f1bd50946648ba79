import type { Catalog } from "../../../core/model/definition.ts";
import type { OutputValue } from "../../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { anyFlag, anyNumber, anyText, anyValue, fields, listOf, maybe, orNull, recordOf } from "../../../core/model/shape.ts";
import { type Value, canonicalJson, isUnknown } from "../../../core/model/value.ts";
import type { PlanOptions as PlanChoices } from "../../../core/plan/plan-context.ts";
import { choicesShape, diagnosticShape, planShape } from "../../../core/plan/plan-shape.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { checksum } from "../../../core/state/checksum.ts";
import { UnreadableState, checksumOf } from "../../../core/state/document.ts";
import { outputShape } from "../../../core/state/record-shapes.ts";
import { encryptedWithoutKey } from "../../../core/state/encryption/encryption-errors.ts";
import { type Envelope, parseEnvelope } from "../../../core/state/encryption/envelope-format.ts";
import type { Environment, Product, WorkingFolder } from "../command-context.ts";
import { configurationName } from "../configuration/configuration-name.ts";
import { type LoadContext, loadSection } from "../configuration/load-configuration.ts";
import { type ConfigOptions, DEFAULT_CONFIG, type PlanOptions } from "../program/options.ts";
import type { ShownRun } from "./plan-and-show.ts";
import { type PlanBasis, basisOf } from "./plan-differences.ts";
import type { Session } from "./session.ts";
import { type StoreContext, openEncryption } from "./state-place.ts";

/** A saved plan, and the state and service that it is bound to. It contains no secret, only fingerprints. */
export interface SavedPlan {
  readonly planFile: 4;
  readonly version: string;
  /** A first plan creates lineage and salt: its apply requires that no state exists yet. */
  readonly lineage: string;
  readonly serial: number;
  /** The last event of the state or its journal: any later run makes the plan stale, however it ended. */
  readonly journalSeq: number;
  readonly salt: string;
  readonly isFirst: boolean;
  readonly baseUrl: string;
  /** The resolved inputs, as digests. */
  readonly basis: PlanBasis;
  /** The options of the plan, for the apply. */
  readonly config: string;
  readonly state: string | null;
  /** The name of the configuration in reports. */
  readonly configuration: string;
  /** The team that it was made for. */
  readonly team?: string;
  /** The values of variables that were set from outside and are not sensitive. */
  readonly variables: { readonly [name: string]: Value };
  /** The recorded outputs: the plan contains only those that change. */
  readonly outputs: readonly OutputValue[];
  readonly choices: PlanChoices;
  readonly allowServiceChange: boolean;
  /** False for a plan without secrets, which cannot be applied. */
  readonly withSecrets: boolean;
  /** What the plan said that is not part of it. */
  readonly messages: readonly Diagnostic[];
  readonly plan: Plan;
}

const digests = recordOf(anyText);

const savedPlanShape = fields({
  version: anyText,
  lineage: anyText,
  serial: anyNumber,
  journalSeq: anyNumber,
  salt: anyText,
  isFirst: anyFlag,
  baseUrl: anyText,
  basis: fields({ declarations: digests, statements: anyText, variables: digests }),
  config: anyText,
  state: orNull(anyText),
  configuration: anyText,
  team: maybe(anyText),
  variables: recordOf(anyValue),
  outputs: listOf(outputShape),
  choices: choicesShape,
  allowServiceChange: anyFlag,
  withSecrets: anyFlag,
  messages: listOf(diagnosticShape),
  plan: planShape,
});

/** What is saved. */
export interface PlanToSave {
  readonly session: Session;
  readonly planned: ShownRun;
  readonly choices: PlanChoices;
  readonly options: Pick<PlanOptions, "allowServiceChange" | "config" | "secrets" | "state">;
}

/** The bytes of a plan, encrypted if the state is. */
export async function encodePlan(context: Environment & Product & WorkingFolder, { session, planned, choices, options }: PlanToSave): Promise<Uint8Array> {
  const { open, loaded, ports } = session;
  const { lineage, serial, journalSeq, salt } = open.document;
  const { team } = loaded.configuration;
  const saved: SavedPlan = {
    planFile: 4,
    version: context.version,
    lineage,
    serial,
    journalSeq,
    salt,
    isFirst: open.version === null,
    baseUrl: ports.service.baseUrl,
    basis: await basisOf(session, planned),
    config: options.config,
    state: options.state ?? null,
    configuration: configurationName(context, options.config, team),
    ...(team === undefined ? {} : { team }),
    variables: givenVariables(loaded),
    outputs: planned.document.outputs,
    choices,
    allowServiceChange: options.allowServiceChange,
    withSecrets: options.secrets,
    messages: planned.messages,
    plan: planned.plan,
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify({ ...saved, checksum: checksum(canonicalJson(saved)) })}\n`);
  const sealed = await session.store.encryption?.seal(bytes, { kind: "plan", config: options.config, ...(team === undefined ? {} : { team }) });
  return sealed ?? bytes;
}

/** What messages call a plan, and how the user gets another one. */
export interface PlanNames {
  readonly path: string;
  readonly again: string;
}

export interface ReadPlanOptions extends ConfigOptions {
  /** False with `--no-secrets`: no command runs for the key of an encrypted plan. */
  readonly secrets?: boolean;
}

/** Throws `plan_file_unreadable` for anything but a whole plan of a known format. The configuration has the key of an encrypted one. */
export async function decodePlan(
  context: LoadContext & StoreContext,
  bytes: Uint8Array,
  { path, again, ...options }: ReadPlanOptions & PlanNames,
): Promise<SavedPlan> {
  const envelope = parseEnvelope(bytes);
  const plain = envelope ? await decrypted(context, { bytes, envelope, path }, options) : bytes;
  if (plain === null) throw unreadable(`The content of ${path} does not match its seal: the file was changed or truncated.`, again);
  const parsed = parsedPlan(plain);
  // The file may be the configuration: a new plan would overwrite it.
  if (parsed === null) throw unreadable(`${path} is not a plan saved by outreach plan --out.`, "Name a saved plan. To name a configuration, pass -c PATH.");
  const { checksum: stored, ...saved } = parsed;
  if (saved.planFile !== 4) throw unreadable(`${path} was saved by another version of outreach.`, again);
  if (stored !== checksumOf(saved)) throw unreadable(`The checksum of ${path} does not match: the file was changed or truncated.`, again);
  // A checksum does not help where a program has written both.
  if (!savedPlanShape(saved) || !hasKnownTypes(saved.plan, context.catalog))
    throw unreadable(`The content of ${path} is not what a plan has there: another program wrote it.`, again);
  return saved;
}

function hasKnownTypes({ steps, drift, undecided }: Plan, { resources }: Catalog): boolean {
  const known = new Set(resources.map(({ type }) => type));
  return [...steps, ...drift, ...undecided].every(({ type }) => known.has(type));
}

/** Null if it was changed. The plan itself names its configuration, unless the user names another. */
async function decrypted(
  context: LoadContext & StoreContext,
  { bytes, envelope, path }: { readonly bytes: Uint8Array; readonly envelope: Envelope; readonly path: string },
  options: ReadPlanOptions,
): Promise<Uint8Array | null> {
  const { config, key, team } = envelope;
  const named = {
    ...options,
    ...(options.config === DEFAULT_CONFIG && typeof config === "string" ? { config } : {}),
    ...(options.team.length === 0 && typeof team === "string" ? { team: [team] } : {}),
  };
  const { value: loaded } = await loadSection(context, named, "state");
  const encryption = await openEncryption(context, { loaded, trusted: options.secrets ?? true });
  if (encryption === null)
    throw new DiagnosticsError([{ ...encryptedWithoutKey(path, (key as Partial<Envelope["key"]> | undefined)?.id), summary: "The plan is encrypted" }]);
  try {
    return (await encryption.open(bytes, "plan", path)).bytes;
  } catch (error) {
    if (error instanceof UnreadableState) return null;
    throw error;
  }
}

function parsedPlan(bytes: Uint8Array): (SavedPlan & { readonly checksum?: unknown }) | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof parsed === "object" && parsed !== null && "planFile" in parsed ? (parsed as SavedPlan) : null;
  } catch {
    return null;
  }
}

function givenVariables({ configuration, variables }: Session["loaded"]): SavedPlan["variables"] {
  return Object.fromEntries(
    configuration.variables.flatMap(({ name, default: fallback, type }) => {
      const { value, sensitive } = variables.get(name) ?? { value: null, sensitive: true };
      if (sensitive || isUnknown(value) || canonicalJson(value) === canonicalJson(fallback)) return [];
      // A value for a variable of type any is an expression.
      return [[name, type === "any" && typeof value === "string" ? literalText(value) : value]];
    }),
  );
}

/** A value as a Terraform expression, as `--var` takes it. */
export function literalText(value: Value): string {
  return JSON.stringify(value).replaceAll(/([$%])\{/g, "$1$1{");
}

export function unreadable(detail: string, hint: string): DiagnosticsError {
  const diagnostic: Diagnostic = { code: "plan_file_unreadable", severity: "error", summary: "Cannot read the plan", detail, hint };
  return new DiagnosticsError([diagnostic]);
}
