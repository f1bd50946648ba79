import { GUARD_NAMES } from "../guards.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { camelCase } from "../../core/model/words.ts";
import type { WayOut } from "../../core/model/way-out.ts";
import { LIMIT_KEYS, SECTIONS } from "../../frontends/yaml/sections.ts";

/** What the rendering of a way depends on. */
export interface WayOutContext {
  /** The options that name configuration and state, for commands; each ends with a space. */
  readonly given: string;
  /** Whether the configuration is a synthesised stack: it has `lifecycle` and constructs in place of YAML keys, and no limits. */
  readonly isStack: boolean;
}

/** A command that can be copied, or a sentence. */
type Rendered = { readonly label: string; readonly command: string } | string;

/** The ways out of a diagnostic in the syntax of this command, a line each, the commands aligned. Null without any. */
export function wayOutText(ways: readonly WayOut[], context: WayOutContext): string | null {
  const rendered = ways.flatMap((way) => (RENDERERS[way.kind] as Renderer<WayOut>)(way, context) ?? []);
  const width = Math.max(0, ...rendered.map((one) => (typeof one === "string" ? 0 : one.label.length + 1)));
  const lines = rendered.map((one) =>
    typeof one === "string" ? one : `${`${one.label}:`.padEnd(width)} ${one.command}`,
  );
  return lines.length === 0 ? null : lines.join("\n");
}

/** Null where this command has no syntax for it. */
type Renderer<W> = (way: W, context: WayOutContext) => Rendered | readonly Rendered[] | null;

const RENDERERS: { readonly [K in WayOut["kind"]]: Renderer<Extract<WayOut, { readonly kind: K }>> } = {
  import: ({ address, ids, replacesRecord, isUndeclared }, { given, isStack }) => {
    const release = replacesRecord ? `outreach state rm ${given}${word(address)} && ` : "";
    const [id, label] = ids.length === 1 ? [shellWord(String(ids[0])), "Import it"] : ["ID", "Import one of them"];
    const way = {
      label: isUndeclared ? `Declare it as ${word(address)}, and import it` : label,
      command: `${release}outreach import ${given}${word(address)} ${id}`,
    };
    return isStack && address !== null && !replacesRecord && !isUndeclared ? [way, importedInStack(address, id)] : way;
  },
  "adopt-certain": () => "To import every certain match, run again with --adopt.",
  "allow-duplicate": ({ addresses, isLive }, { isStack }) => {
    const setting = isStack ? "allowDuplicate: true" : "allow_duplicate: true";
    if (isLive)
      return `To keep ${addresses.length > 1 ? `them, set ${setting} in each of these blocks` : `both, set ${setting}`}.`;
    return addresses.length > 1 ? `To keep both, set ${setting} in both.` : `To create another one, set ${setting}.`;
  },
  distinguish: ({ address, attribute, isReplaced }, { isStack }) => {
    const isFanOut = address?.includes("[") === true;
    const name = isStack ? camelCase(attribute) : attribute;
    const mark = isStack ? "mark: true of the provider" : "service.mark: true";
    if (isReplaced)
      return `To create the new one first, change ${name} too, for example with a query parameter: https://…?v=2 (or set ${mark})`;
    const value = isFanOut && !isStack ? "${each.key}" : "NAME";
    return `Give ${isFanOut ? "each" : "it"} a ${name} of its own, for example with a query parameter: https://…?event=${value} (or set ${mark})`;
  },
  "set-exclusive": (_, { isStack }) =>
    `If the service allows one webhook per target URL, set ${isStack ? "uniqueTargetUrl: true in the provider" : "service.unique_target_url: true"}: plans then stop before they send.`,
  // Addresses are known here, so the way is to set the rotation.
  "delete-first": () => null,
  "delete-foreign": ({ id }) => `If nobody needs ${id}, delete it in the service.`,
  "remove-elsewhere": () => "If another state manages it, remove it there first (`state rm`).",
  adopt: ({ address, id }, context) => resolving("Adopt it", address, `--adopt ${shellWord(id)}`, context),
  retry: ({ address }, context) => resolving("Retry", address, "--retry", context),
  forget: ({ address }, context) => resolving("Forget it", address, "--forget", context),
  "delete-late": ({ address, id }, context) =>
    resolving("If it is yours, let the next apply delete it", address, `--adopt ${shellWord(id)}`, context),
  dismiss: ({ address }, context) =>
    resolving("If it is not yours, dismiss this warning", address, "--forget", context),
  allow: ({ guard, limit }, { isStack }) => {
    const raise = limit === null || isStack ? "" : `, or raise limits.${LIMIT_KEYS[limit]} in the configuration`;
    const { name, condition } = GUARD_NAMES[guard];
    return `If ${condition}, run again with --allow-${name}${raise}.`;
  },
  approve: (_, { given }) => ({ label: "Approve it with a typed yes", command: `outreach apply ${given}`.trimEnd() }),
  move: ({ from, to }, { given }) => ({
    label: "To keep it, move its record",
    command: `outreach state mv ${given}${shellWord(from)} ${shellWord(to)}`,
  }),
  "declare-moved": ({ from, to }, { isStack }) =>
    isStack ? movedInStack(from, to) : `Or add to the configuration: moved: [{ from: ${from}, to: ${to} }]`,
  "remove-record": ({ address }, { given }) => ({
    label: "Remove its record",
    command: `outreach state rm ${given}${word(address)}`,
  }),
  target: ({ addresses }) =>
    `Name the whole block: ${addresses.map((address) => `--target ${word(address)}`).join(" ")}. Or omit --target.`,
  exclude: ({ addresses }) =>
    `Exclude the whole block: ${addresses.map((address) => `--exclude ${word(address)}`).join(" ")}. Or omit --exclude.`,
  untarget: (_, { given }) => ({ label: "Afterwards, plan everything", command: `outreach plan ${given}`.trimEnd() }),
  replace: ({ address }, { given }) => ({
    label: "To be sure, replace it",
    command: `outreach apply ${given}--replace ${word(address)}`,
  }),
  keep: () => "Remove it from --replace.",
  "edit-state": () => "Correct the state with outreach state mv or outreach state rm, then plan again.",
  "use-address": ({ address }) => `Did you mean ${shellWord(address)}?`,
  "list-records": (_, { given }) => ({
    label: "List the recorded addresses",
    command: `outreach state list ${given}`.trimEnd(),
  }),
  "list-live": (_, { given }) => ({
    label: "List the live webhooks",
    command: `outreach get webhooks ${given}`.trimEnd(),
  }),
  "choose-state": () => "Name another state with -c PATH or --state PATH.",
  "name-configuration": () =>
    "With --state, too, the key comes from the configuration: run the command in its folder, or pass -c PATH.",
  "replace-state": ({ file, isForced }, { given }) => ({
    label: "Restore the previous version",
    command: `outreach state push ${given}${isForced ? "--force " : ""}${shellWord(file)}`,
  }),
  "migrate-state": ({ from, isAlternative }, { given }) => ({
    label: isAlternative ? "Or move it to the configured place" : "Move it to the configured place",
    command: `outreach init --migrate-state ${given}--from ${shellWord(from)}`,
  }),
  "overwrite-state": () =>
    "If the state in the new place is not needed, run again with --force: outreach keeps a copy of it in a file.",
  "push-state": ({ file }, { given }) => ({
    label: "Store them",
    command: `outreach state push ${given}${shellWord(file)}`,
  }),
  "wait-for-lock": () => "Wait for that run to end, or let this one wait with --lock-timeout 30s.",
  unlock: ({ id, state }, { given }) => ({
    label: "If that run is certainly over, remove its lock",
    command: `outreach force-unlock ${state === undefined ? given : `${given.replace(GIVEN_STATE, "")}--state ${shellWord(state)} `}${shellWord(id)}`,
  }),
  "release-creates": ({ id }) => ({
    label: "If that run is certainly over, release its creates",
    command: `outreach force-unlock ${shellWord(id)}`,
  }),
  "set-variable": ({ name, sensitive }, { isStack }) => {
    const variable = `OUTREACH_VAR_${name ?? "NAME"}`;
    const variables = isStack ? `TF_VAR_${name ?? "NAME"} or ${variable}` : variable;
    return sensitive ? `Set ${variables}.` : `Pass --var ${name ?? "NAME"}=VALUE, or set ${variables}.`;
  },
  "set-attribute": ({ attribute, value, purpose }, { isStack }) =>
    `${purpose === undefined ? "Set" : `${purpose}, set`} ${isStack ? `${inConstruct(attribute, value)} in its construct` : `${attribute}: ${String(value)} in its block`}.`,
  "fan-out": ({ attribute }) => {
    const keys = SECTIONS.flatMap(({ fanOut = [] }) => fanOut);
    const key = keys.find((one) => one.attribute === attribute)?.key;
    if (key !== undefined) return `To create one instance for each of several values, set ${key} in the block.`;
    return `A fan-out is a block with ${[...new Set(keys.map((one) => one.key))].join(", ").replace(/, (?=\w+$)/, " or ")}.`;
  },
  "check-list": (_, { given }) => ({
    label: "Check whether the list is truncated, and record the answer",
    command: `outreach doctor ${given}`.trimEnd(),
  }),
  "check-key": () => "Check the API key: OUTREACH_API_KEY, or api_key in the configuration.",
  "write-address": ({ isKeyed }) =>
    isKeyed
      ? `Write the key in double quotes, and quote the whole address for a shell: 'outreach_webhook.audit["emailsSent"]'`
      : "Write TYPE.NAME, as in outreach_webhook.crm-replies.",
  "use-terraform": (_, { isStack }) =>
    isStack ? "Run this stack with Terraform and the outreach provider; it declares the same webhooks." : null,
  plan: (_, { given }) => ({ label: "Plan", command: `outreach plan ${given}`.trimEnd() }),
  apply: (_, { given }) => ({ label: "Apply again", command: `outreach apply ${given}`.trimEnd() }),
};

const GIVEN_STATE = /--state (?:'(?:[^']|'\\'')*'|\S+) /;

function resolving(label: string, address: string | null, how: string, { given }: WayOutContext): Rendered {
  return { label, command: `outreach resolve ${given}${word(address)} ${how}` };
}

/** A construct is imported as a whole; an instance of one needs the block. */
function importedInStack(to: string, id: string): string {
  const quoted = id === "ID" ? id : JSON.stringify(id);
  if (!to.includes("[")) return `Or call .importFrom(${quoted}) on the construct of ${to}.`;
  return `Or add to the stack: this.addOverride("import", [{ to: ${JSON.stringify(to)}, id: ${quoted} }])`;
}

/** A construct moves as a whole; an instance of one needs the block. */
function movedInStack(from: string, to: string): string {
  if (![from, to].some((address) => address.includes("[")))
    return `Or call .moveFromId(${JSON.stringify(from)}) on the construct of ${to}.`;
  return `Or add to the stack: this.addOverride("moved", [{ from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)} }])`;
}

/** An address as a word of a command line. */
function word(address: string | null): string {
  return address === null ? "ADDR" : shellWord(address);
}

/** Settings that a stack has under `lifecycle`, as its program writes them. */
function inConstruct(attribute: string, value: string | boolean): string {
  if (attribute === "protect") return `lifecycle: { preventDestroy: ${String(value)} }`;
  if (attribute === "rotation") return `lifecycle: { createBeforeDestroy: ${String(value === "create_first")} }`;
  return `${camelCase(attribute)}: ${JSON.stringify(value)}`;
}
