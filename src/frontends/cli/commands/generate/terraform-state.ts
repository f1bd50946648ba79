import { type Diagnostic, DiagnosticsError, noteOf } from "../../../../core/model/diagnostic.ts";
import type { AnyResource } from "../../../../core/model/definition.ts";
import {
  anyAttributes,
  anyText,
  anyOf,
  anyNumber,
  fields,
  isRecord,
  listOf,
  maybe,
} from "../../../../core/model/shape.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import { countOf } from "../../../../core/model/words.ts";
import { hasHidden } from "../../../../core/model/visible.ts";
import { fileText } from "../../../yaml/file-text.ts";
import { type ManagedWebhook, declaredValues, isIdentifier, textOf } from "./managed-webhook.ts";
import { unfinished } from "./unfinished.ts";

interface Resource {
  readonly address: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly values: Attributes;
  readonly sensitive_values?: { readonly [attribute: string]: unknown };
  readonly deposed_key?: string;
  readonly tainted?: boolean;
}

interface Module {
  readonly address?: string;
  readonly resources?: readonly Resource[];
  readonly child_modules?: readonly Module[];
}

const isResource = fields({ address: anyText, mode: anyText, type: anyText, name: anyText });
const isWebhook = fields({
  index: maybe(anyOf(anyText, anyNumber)),
  values: fields({ id: anyText, target_url: anyText }),
  sensitive_values: maybe(isRecord),
});
const isModule = (value: unknown): boolean =>
  fields({ address: maybe(anyText), resources: maybe(listOf(isResource)), child_modules: maybe(listOf(isModule)) })(
    value,
  );

/** The webhooks in what `terraform show -json` prints of a state. `file` names it in messages. */
export function terraformWebhooks(
  bytes: Uint8Array,
  { file, definition }: { readonly file: string; readonly definition: AnyResource },
): { readonly webhooks: readonly ManagedWebhook[]; readonly notes: readonly Diagnostic[] } {
  const root = rootModule(bytes, file);
  const managed = resourcesIn(root).filter(({ resource }) => resource.mode === "managed");
  const found = managed.filter(({ resource }) => resource.type === definition.type);
  const problems = found.flatMap(({ resource: { address, deposed_key: deposed, tainted } }) =>
    deposed === undefined && tainted !== true
      ? []
      : [
          unfinished(
            address,
            tainted === true
              ? "is tainted: the next apply replaces it"
              : "has a deposed object that is still to be deleted",
            "terraform apply",
          ),
        ],
  );
  if (problems.length > 0) throw new DiagnosticsError(problems);
  const others = managed.filter(({ resource: { type } }) => type !== definition.type && type.startsWith(OURS)).length;
  return {
    webhooks: found.map(({ resource, module }) => webhookOf(resource, { module, definition, file })),
    notes: others === 0 ? [] : [leftThere(`${countOf(others, "other resource")} of this provider`)],
  };
}

const OURS = "outreach_";

/** What stays with the tool that lets the webhooks go. */
export function leftThere(what: string): Diagnostic {
  return noteOf("generate_others", "Only webhooks move", {
    detail: `The state also has ${what}. They stay where they are: keep them declared there.`,
  });
}

function rootModule(bytes: Uint8Array, file: string): Module {
  const read = fileText(bytes);
  if ("detail" in read) throw notShown(file, read.detail);
  const shown = parsed(read.text.replace(/^\uFEFF/, ""));
  if (!isRecord(shown)) throw notShown(file, "It is not JSON.");
  const { format_version: version, values } = shown;
  if ("lineage" in shown) throw notShown(file, "It is a state file itself.");
  if (!anyText(version)) throw notShown(file, "It has no format_version.");
  if ("resource_changes" in shown || "planned_values" in shown) throw notShown(file, "It is a plan, not a state.");
  if (!/^1\.\d+$/.test(String(version)))
    throw notShown(file, `It has the format ${JSON.stringify(version)}; this version reads 1.x.`);
  if (values === undefined) return {};
  const root = isRecord(values) ? values["root_module"] : undefined;
  if (!isModule(root)) throw notShown(file, "Its values are not those of a state.");
  return root as Module;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A file that is not what `terraform show -json` prints of a state. */
export function notShown(file: string, why: string): DiagnosticsError {
  return DiagnosticsError.of("generate_state_file", "Not the JSON of a Terraform state", {
    detail: `${file} must be what terraform show -json prints. ${why}`,
    hint: "Run terraform show -json > FILE in the folder of the configuration, without the name of a plan. For a state of outreach, pass --from-state alone, and --state for its place.",
  });
}

interface Found {
  readonly module: string;
  readonly resource: Resource;
}

function resourcesIn({ address: module = "", resources = [], child_modules: children = [] }: Module): readonly Found[] {
  return [...resources.map((resource) => ({ module, resource })), ...children.flatMap(resourcesIn)];
}

const KEYS = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g;

function webhookOf(
  resource: Resource,
  { module, definition, file }: { readonly module: string; readonly definition: AnyResource; readonly file: string },
): ManagedWebhook {
  const { address, name, index = null, values, sensitive_values: sensitive = {} } = resource;
  // Statements repeat the address as it is.
  if (!isWebhook(resource) || !anyAttributes(values) || hasHidden(address) || !isIdentifier(name))
    throw notShown(file, `${address} is not a webhook of this provider: it has another name, id or target_url.`);
  // YAML has no modules, and HCL needs one file only: their names become a part of the block's.
  const modules = [
    ...module.replaceAll(KEYS, (key) => `.${key.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`).matchAll(/[^.]+/g),
  ]
    .map(([word]) => word.replaceAll(/^-+|-+$/g, ""))
    .filter((word) => word !== "module" && word !== "");
  const block = `${module === "" ? "" : `${module}.`}${definition.type}.${name}`;
  return {
    address,
    block,
    from: block.replaceAll(KEYS, ""),
    name: [...modules, name].join("-"),
    key: index,
    id: textOf(values["id"]),
    ...declaredValues(definition, values, (attribute) => sensitive[attribute] === true),
  };
}
