import type { Declaration } from "../../../src/core/model/declaration.ts";
import { unmarked } from "../marks.ts";
import { COPIED_TYPE, type Hook } from "../service.ts";
import type { World } from "../world.ts";
import { type Found, type Recorded, managedIds } from "./parse.ts";
import type { Judged, RunReport } from "./report.ts";

export interface Rest {
  readonly last: RunReport;
  readonly found: Found;
  /** Everything that the last run said. */
  readonly said: string;
}

/** A run without trouble may end with these errors for ever: a user has to decide. */
const DECISIONS_OF_USERS = new Set([
  "unmanaged_duplicate",
  "outcome_unconfirmed",
  "exclusive_twice",
  "exclusive_taken",
  "exclusive_create_first",
]);

/** One live webhook for each declaration, or a reported undecided outcome; nothing of ours that is neither managed nor reported. */
export function problemsAtRest(
  { service, judge: memory }: World,
  { last, found, said }: Rest,
  { declarations, removals, secretOf, marks }: Judged,
): readonly string[] {
  const broken = [...found.problems];
  // A lost unsubscription is answered 404 for ever: each approved run sends it again, until a person settles it.
  const isSentAgain =
    (last.approved || last.plan?.waiting !== undefined) && last.said.some(({ code }) => code === "outcome_unconfirmed");
  if (last.wrote && !isSentAgain) broken.push("a converged plan writes");
  const managed = managedIds(found);
  for (const { id, isOurs } of service.hooks) {
    if (isOurs && !managed.has(id) && !said.includes(id))
      broken.push(`${id} is ours, not managed, and the last run does not name it`);
  }
  const left = found.open.find(({ address }) => address?.startsWith("outreach_webhook."));
  const isReplaced = service.hooks.some(
    ({ targetUrl, type }) => type === COPIED_TYPE && unmarked(targetUrl).mark === left?.mark,
  );
  if (marks && last.exit === 3 && left && !isReplaced)
    broken.push(`the ${left.op} of ${String(left.address)} stays undecided, although its mark decides it`);
  if (last.exit === 3)
    return [...broken, ...(/outcome_|undecided/.test(said) ? [] : ["exit 3 that names no undecided outcome"])];
  if (last.exit === "died") return [...broken, "a process died in a run without trouble"];
  if (last.exit === 1) {
    const isUsers = last.said.some(({ severity, code }) => severity === "error" && DECISIONS_OF_USERS.has(code));
    return isUsers ? broken : [...broken, `exit 1: ${last.said.map(({ code }) => code).join(", ")}`];
  }
  if (found.open.length > 0) broken.push("an outcome is open, and the exit code is 0");
  for (const id of removals)
    if (service.hooks.some((hook) => hook.id === id))
      broken.push(`${id} is removed by the configuration, and still live`);
  for (const declaration of declarations) {
    const record = found.records.get(declaration.address);
    if (record)
      broken.push(
        ...(declaration.type === "outreach_webhook"
          ? webhookProblems(declaration, record)
          : leadProblems(declaration, record)),
      );
    else broken.push(`${declaration.address} is declared, and not recorded`);
  }
  const wanted = new Set(declarations.map(({ address }) => address));
  for (const { address, deposed } of found.records.values()) {
    // What was unsubscribed stays known.
    if (!wanted.has(address) && !address.startsWith("outreach_lead_unsubscription."))
      broken.push(`${address} is recorded, and not declared`);
    if (deposed.length > 0) broken.push(`${address} still has ${deposed.join(", ")} to delete`);
  }
  return broken;

  function webhookProblems({ address, attributes, secrets }: Declaration, { id }: Recorded): readonly string[] {
    const listed = service.hooks.find((one) => one.id === id);
    const hook = listed && { ...listed, targetUrl: unmarked(listed.targetUrl).url };
    if (!hook) return [`${address} is recorded as ${String(id)}, which is not live`];
    const names = memory.adopted.has(hook.id) ? listedNames(hook) : IDENTITY;
    const differs = names.filter((name) => hook[name] !== (attributes[NAMES[name]] ?? null));
    const problems = differs.map((name) => `${address}: ${name} of ${hook.id} is ${String(hook[name])}`);
    if (memory.adopted.has(hook.id)) return problems;
    return hook.isOurs
      ? [...problems, ...secretProblems(address, hook, secrets["secret"])]
      : [...problems, `${address}: ${hook.id} is somebody else's`];
  }

  /** What a list shows of it: all that can be asked of a webhook that was adopted. It never shows that something is not set. */
  function listedNames(hook: Hook): readonly (typeof IDENTITY)[number][] {
    return service.setup.isPoor === true ? ["targetUrl"] : IDENTITY.filter((name) => hook[name] !== null);
  }

  function secretProblems(
    address: string,
    { id, secret }: Hook,
    source: Declaration["secrets"][string] | undefined,
  ): readonly string[] {
    const wantedSecret = source?.kind === "env" ? (secretOf[source.name] ?? null) : null;
    return secret === wantedSecret ? [] : [`${address}: ${id} has another secret than the declared one`];
  }

  function leadProblems({ address, attributes }: Declaration, { attributes: recorded }: Recorded): readonly string[] {
    const lead = `${String(attributes["campaign_id"])}/${String(attributes["email"])}`;
    const { outcome } = recorded;
    if (outcome === "unsubscribed")
      return service.leads.includes(lead) ? [`${address} is recorded as unsubscribed, and still subscribed`] : [];
    if (outcome === "not_found") return [];
    return outcome === "unconfirmed" && last.said.some((one) => one.address === address)
      ? []
      : [`${address} is ${String(outcome)}, and the last run does not say so`];
  }
}

const IDENTITY = ["targetUrl", "type", "campaignId"] as const;
const NAMES = { targetUrl: "target_url", type: "type", campaignId: "campaign_id" } as const;
