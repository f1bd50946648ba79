import { type ConfigurationOutline, outlineShape } from "../../core/model/configuration-outline.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { OutputValue } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import {
  anyFlag,
  anyNumber,
  anyText,
  anyValue,
  anyWord,
  fields,
  listOf,
  maybe,
  orNull,
  recordOf,
} from "../../core/model/shape.ts";
import { type Value, canonicalJson, isUnknown } from "../../core/model/value.ts";
import type { PlanOptions as PlanChoices } from "../../core/plan/plan-context.ts";
import { choicesShape, diagnosticShape, planShape } from "../../core/plan/plan-shape.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { digest, keyedDigest } from "../../core/state/checksum.ts";
import { type StateDocument, UnreadableState, checksumOf, lastChange } from "../../core/state/document.ts";
import { outputShape } from "../../core/state/record-shapes.ts";
import { encryptedWithoutKey } from "../../core/state/encryption/encryption-errors.ts";
import { type Envelope, parseEnvelope } from "../../core/state/encryption/envelope-format.ts";
import { configurationName, placeName, stageName } from "../configuration/configuration-name.ts";
import { loadSettings } from "../configuration/load-configuration.ts";
import type { OperationContext, SettledConfiguration } from "../context.ts";
import type { OperationOptions } from "../options.ts";
import type { Planned } from "../plan.ts";
import { shownOnly } from "../redacted-plan.ts";
import { outlineOf } from "./configuration-outline.ts";
import { type PlanBasis, basisOf } from "./plan-differences.ts";
import type { OpenRun, RunOptions } from "../open-run.ts";
import { openEncryption } from "../state/state-place.ts";

/**
 * A saved plan, and what it was made with: an apply compares that with what its own job says, and takes no place from a
 * plan. It contains no secret, only fingerprints.
 */
export interface SavedPlan {
  readonly planFile: 1;
  /** False for a plan without secrets, which is never encrypted and cannot be applied. */
  readonly withSecrets: boolean;
  readonly version: string;
  /** A first plan creates lineage and salt: its apply requires that no state exists yet. */
  readonly lineage: string;
  /** That of the last write other than a recheck, as is `journalSeq`. */
  readonly serial: number;
  /** The last event of the state or its journal: any later run but a recheck makes the plan stale, however it ended. */
  readonly journalSeq: number;
  readonly salt: string;
  readonly isFirst: boolean;
  readonly baseUrl: string;
  /** The resolved inputs, as digests. */
  readonly basis: PlanBasis;
  /** The place of the state. */
  readonly state: string;
  /** The name of the configuration in reports. */
  readonly configuration: string;
  /** The place of the state in reports; null for the default one. */
  readonly stage: string | null;
  /** The team that it was made for. */
  readonly team?: string;
  /** The values of variables that were set from outside and are not sensitive. */
  readonly variables: { readonly [name: string]: Value };
  readonly outline: ConfigurationOutline;
  /** The recorded outputs: the plan contains only those that change. */
  readonly outputs: readonly OutputValue[];
  readonly choices: PlanChoices;
  /** What the plan said that is not part of it. */
  readonly messages: readonly Diagnostic[];
  readonly plan: Plan;
  /** A digest of everything else under the plan key of the state. Absent where no state exists yet, and without secrets. */
  readonly seal?: string;
}

const digests = recordOf(anyText);

const savedPlanShape = fields({
  withSecrets: anyFlag,
  version: anyText,
  lineage: anyWord,
  serial: anyNumber,
  journalSeq: anyNumber,
  salt: anyWord,
  isFirst: anyFlag,
  baseUrl: anyText,
  basis: fields({ declarations: digests, statements: anyText, variables: digests }),
  state: anyText,
  configuration: anyText,
  stage: orNull(anyText),
  team: maybe(anyText),
  variables: recordOf(anyValue),
  outline: outlineShape,
  outputs: listOf(outputShape),
  choices: choicesShape,
  messages: listOf(diagnosticShape),
  plan: planShape,
  seal: maybe(anyText),
});

/** What is saved. */
export interface PlanToSave {
  readonly run: OpenRun;
  readonly planned: Planned;
  /** The path of the configuration, as the user names it. */
  readonly config: string;
}

/** The bytes of a plan, encrypted if the state is. A configuration that nobody has reviewed must not choose a key, so a plan without secrets is not. */
export async function encodePlan({ run, planned, config }: PlanToSave): Promise<Uint8Array> {
  const { context, open, loaded, ports, store } = run;
  const { withSecrets } = loaded;
  const { lineage, salt, planKey } = open.document;
  const { serial, journalSeq } = lastChange(open.document);
  const { team } = loaded.configuration;
  const isFirst = open.version === null;
  const content: SavedPlan = {
    planFile: 1,
    withSecrets,
    version: context.version,
    lineage,
    serial,
    journalSeq,
    salt,
    isFirst,
    baseUrl: ports.service.baseUrl,
    basis: await basisOf(run, planned),
    state: placeName(context, store),
    configuration: configurationName(context, config, team),
    stage: stageName(context, store, loaded.configuration),
    ...(team === undefined ? {} : { team }),
    variables: givenVariables(loaded),
    outline: outlineOf(run, planned),
    outputs: planned.document.outputs,
    choices: planned.options,
    messages: planned.messages,
    plan: withSecrets ? planned.plan : shownOnly(planned.plan, context.redactor.redact),
  };
  const saved = isFirst || !withSecrets ? content : { ...content, seal: keyedDigest(planKey, canonicalJson(content)) };
  const bytes = new TextEncoder().encode(`${JSON.stringify({ ...saved, checksum: checksumOf(saved) })}\n`);
  return (withSecrets ? await store.encryption?.seal(bytes, { kind: "plan" }) : null) ?? bytes;
}

/** Whether a plan is as it was made, and with this state: who cannot read the state cannot make or change one. */
export function isSealed({ seal, ...content }: SavedPlan, { planKey }: StateDocument): boolean {
  return seal !== undefined && digest(seal) === digest(keyedDigest(planKey, canonicalJson(content)));
}

/** What messages call a plan, and how the user gets another one. */
export interface PlanNames {
  readonly path: string;
  readonly again: string;
}

type ReadOptions = OperationOptions & Pick<RunOptions, "loaded">;

export interface ReadPlan {
  readonly saved: SavedPlan;
  readonly isEncrypted: boolean;
}

/**
 * Throws `plan_file_unreadable` for anything but a whole plan of a known format. The configuration of the options has the key
 * of an encrypted one: a plan cannot say where its key is. What is read may come from anybody.
 */
export async function decodePlan(
  context: OperationContext,
  bytes: Uint8Array,
  { path, again, ...options }: ReadOptions & PlanNames,
): Promise<ReadPlan> {
  const envelope = parseEnvelope(bytes);
  const plain = envelope ? await decrypted(context, { bytes, envelope, path }, options) : bytes;
  if (plain === null)
    throw unreadable(`The content of ${path} does not match its seal: the file was changed or truncated.`, again);
  const parsed = parsedPlan(plain);
  // The file may be the configuration: a new plan would overwrite it.
  if (parsed === null)
    throw unreadable(
      `${path} is not a plan saved by outreach plan --out.`,
      "Name a saved plan. To name a configuration, pass -c PATH.",
    );
  const { checksum: stored, ...saved } = parsed;
  if (saved.planFile !== 1) throw unreadable(`${path} was saved by another version of outreach.`, again);
  if (stored !== checksumOf(saved))
    throw unreadable(`The checksum of ${path} does not match: the file was changed or truncated.`, again);
  // Anybody can compute a checksum.
  if (!savedPlanShape(saved) || !hasKnownTypes(saved, context.catalog))
    throw unreadable(`The content of ${path} is not what a plan has there: another program wrote it.`, again);
  return { saved, isEncrypted: envelope !== null };
}

/** Throws `plan_without_secrets` for a plan that can only be shown. */
export function assertApplicable({ withSecrets }: SavedPlan, path: string): void {
  if (!withSecrets)
    throw DiagnosticsError.of("plan_without_secrets", "This plan cannot be applied", {
      detail: `${path} was made with --no-secrets, so its secrets are unknown.`,
      hint: "Where the configuration is trusted, make a plan without that option and apply it.",
    });
}

function hasKnownTypes(
  { plan: { steps, drift, undecided }, outline: { blocks, data } }: SavedPlan,
  { resources, dataSources }: Catalog,
): boolean {
  const known = new Set(resources.map(({ type }) => type));
  const read = new Set(dataSources.map(({ type }) => type));
  const declared = blocks.every(({ mode, type }) => (mode === "data" ? read : known).has(type));
  return (
    declared &&
    data.every(({ type }) => read.has(type)) &&
    [...steps, ...drift, ...undecided].every(({ type }) => known.has(type))
  );
}

/** Null if it was changed. */
async function decrypted(
  context: OperationContext,
  { bytes, envelope, path }: { readonly bytes: Uint8Array; readonly envelope: Envelope; readonly path: string },
  { runKeyCommand = false, loaded: before, ...options }: ReadOptions,
): Promise<Uint8Array | null> {
  const reading = { runsCommands: runKeyCommand, ...options, secrets: true };
  const loaded = before?.value ?? (await loadSettings(context, reading, "state"));
  const encryption = await openEncryption(context, loaded, { runKeyCommand });
  if (encryption === null) {
    const { id } = (envelope.key as Partial<Envelope["key"]> | undefined) ?? {};
    throw new DiagnosticsError([{ ...encryptedWithoutKey(path, id), summary: "The plan is encrypted" }]);
  }
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

/** The values of variables that were set from outside and are not sensitive. */
export function givenVariables({ configuration, variables }: SettledConfiguration): SavedPlan["variables"] {
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
  return DiagnosticsError.of("plan_file_unreadable", "Cannot read the plan", { detail, hint });
}
