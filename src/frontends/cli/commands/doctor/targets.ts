import type { RunPorts } from "../../../../core/apply/run/run-ports.ts";
import type { Declaration } from "../../../../core/model/declaration.ts";
import { type HostPattern, matchesHost } from "./host-pattern.ts";
import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { followed } from "../../../../core/model/relocate.ts";
import { isSecretDigest } from "../../../../core/model/value.ts";
import { PLAIN_OPTIONS } from "../../../../core/plan/plan-context.ts";
import { WEBHOOK } from "../../../generate/adoption/live-webhook.ts";
import { withMark } from "../../../../service/api/url-mark.ts";
import type { OpenRun } from "../../../../operations/open-run.ts";
import { planWith } from "../../../../operations/plan.ts";

/** A receiver that gets events: the URL of a webhook as it was last applied, and its secret. */
export interface Target {
  readonly address: string;
  readonly url: URL;
  /** Null for a webhook without a secret. */
  readonly secret: string | null;
}

/** Why a webhook's receiver gets no event. */
export type SkipReason =
  | "host_not_allowed"
  | "apply_first"
  | "not_declared"
  | "secret_unknown"
  | "missing"
  | "undecided";

/** A receiver that gets no event. */
export interface LeftOut {
  readonly address: string;
  readonly url: URL;
  readonly why:
    | { readonly result: "skipped"; readonly reason: SkipReason }
    | { readonly result: "failed"; readonly reason: "secret_unavailable" };
  /** More about it, as a sentence. */
  readonly detail: string | null;
}

/** The webhooks of a state. */
export function webhooksIn(
  instances: readonly RecordedInstance[],
): readonly { readonly instance: RecordedInstance; readonly url: URL }[] {
  return instances.flatMap((instance) => {
    const { target_url: url } = instance.attributes;
    if (instance.type !== WEBHOOK || instance.id === null || typeof url !== "string") return [];
    return [{ instance, url: new URL(instance.mark === undefined ? url : withMark(url, instance.mark)) }];
  });
}

/** Finds, with reads alone, who gets an event. A secret is resolved only for an allowed host, and only where it is the applied one. */
export async function findTargets(run: OpenRun, allow: readonly HostPattern[]): Promise<readonly (Target | LeftOut)[]> {
  const planned = await planWith(run, { options: { ...PLAIN_OPTIONS, refreshOnly: true }, withSecrets: false });
  const { declarations, document, plan, statements } = planned;
  // The run ended before it has evaluated anything.
  if (planned.live.size === 0 && hasErrors(plan.diagnostics)) throw new DiagnosticsError(plan.diagnostics);
  const declared = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  const missing = new Set(plan.drift.flatMap(({ address, after }) => (after === null ? [address] : [])));
  const undecided = new Set(plan.undecided.map(({ address }) => address));
  const found: (Target | LeftOut)[] = [];
  for (const { instance, url } of webhooksIn(document.instances)) {
    const { address } = instance;
    const skip = (reason: SkipReason): LeftOut => ({ address, url, why: { result: "skipped", reason }, detail: null });
    const declaration = declared.get(followed(address, statements.moved));
    if (!matchesHost(url, allow)) found.push(skip("host_not_allowed"));
    else if (undecided.has(address)) found.push(skip("undecided"));
    else if (missing.has(address)) found.push(skip("missing"));
    else found.push(await targetOf(instance, { url, declaration, salt: document.salt, ports: run.ports, skip }));
  }
  return found;
}

interface Found {
  readonly url: URL;
  readonly declaration: Declaration | undefined;
  readonly salt: string;
  readonly ports: Pick<RunPorts, "reveal" | "fingerprint">;
  readonly skip: (reason: SkipReason) => LeftOut;
}

async function targetOf(
  { address, attributes, unapplied, unobserved }: RecordedInstance,
  found: Found,
): Promise<Target | LeftOut> {
  const { url, declaration, salt, ports, skip } = found;
  const { secret: recorded = null } = attributes;
  const source = declaration?.secrets["secret"] ?? null;
  if (!isSecretDigest(recorded)) {
    if (source !== null) return skip("apply_first");
    // A bare import recorded it: the service never shows whether a webhook has a secret.
    return unapplied && unobserved.includes("secret") ? skip("secret_unknown") : { address, url, secret: null };
  }
  if (!declaration) return skip("not_declared");
  if (source === null) return skip("apply_first");
  const revealed = await ports.reveal(source);
  if (!("value" in revealed))
    return { address, url, why: { result: "failed", reason: "secret_unavailable" }, detail: revealed.detail };
  return (await ports.fingerprint(salt, revealed.value)) === recorded.$secret
    ? { address, url, secret: revealed.value }
    : skip("apply_first");
}
