import type { Argument, Configuration } from "../core/config/block.ts";
import type { ConfigurationOutline } from "../core/model/configuration-outline.ts";
import type { Evaluation } from "../core/model/declaration.ts";
import type { Attribute } from "../core/model/attribute.ts";
import { getOrMake } from "../core/model/maps.ts";
import { leadsTo } from "../core/model/parse-url.ts";
import type { Catalog } from "../core/model/definition.ts";
import type { Diagnostic } from "../core/model/diagnostic.ts";
import { type Attributes, type Value, textsIn } from "../core/model/value.ts";
import { emailsIn } from "../core/secrets/email-like.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { PersonalMask } from "../core/secrets/personal-mask.ts";
import type { StateDocument } from "../core/state/document.ts";
import { cleanedEmail, isEmail } from "../service/api/email-address.ts";
import type { OperationContext } from "./context.ts";

/** Masks emails with the salt of this state from now on, and adds its emails to the mask. */
export function learnState(context: OperationContext, { salt, instances, pending }: StateDocument): void {
  const { personal, catalog } = context;
  personal.useSalt(salt);
  const names = personalNames(catalog);
  const recorded = [
    ...instances,
    ...pending.flatMap((event) => ("record" in event && event.record ? [event.record] : [])),
  ];
  showHosts(
    context,
    instances.flatMap(({ attributes, returned, deposed = [], masked = [] }) =>
      [attributes, returned, ...deposed.map((old) => old.attributes)].map((side) => ({ attributes: side, masked })),
    ),
  );
  personal.add(textsOfAll(recorded, names, ({ attributes }) => attributes));
  personal.add(textsOfAll(recorded, names, ({ returned }) => returned));
  personal.add(
    pending.flatMap((event) =>
      event.kind === "intent"
        ? [event.key, event.planned ?? {}].flatMap((side) => textsOf(side, names.get(event.type)))
        : [],
    ),
  );
}

/** Masks emails with the salt of a saved plan, which is that of its state, and adds its emails to the mask. */
export function learnPlan(
  context: OperationContext,
  salt: string,
  { plan, outline }: { readonly plan: Plan; readonly outline: ConfigurationOutline },
): void {
  const { personal, catalog } = context;
  personal.useSalt(salt);
  const names = personalNames(catalog);
  learnPlanned(context, plan);
  personal.add(
    plan.steps.flatMap((step) =>
      ["before" in step ? step.before : {}, "after" in step ? step.after : {}].flatMap((side) =>
        textsOf(side, names.get(step.type)),
      ),
    ),
  );
  // The plan may leave out the people of a variable.
  personal.add(
    outline.variables.flatMap(({ value = null, default: fallback = null }) =>
      emailsIn(JSON.stringify([value, fallback])),
    ),
  );
}

/** Adds the emails in the names that others gave to the mask, and shows the hosts of URLs. */
export function learnPlanned(
  context: OperationContext,
  { names = {}, steps = [], drift = [] }: Partial<Pick<Plan, "names" | "steps" | "drift">>,
): void {
  for (const name of Object.values(names)) context.personal.add(emailsIn(name));
  showHosts(context, [...steps, ...drift].flatMap(sidesOf));
}

function sidesOf(change: Plan["steps"][number] | Plan["drift"][number]): readonly Shown[] {
  const sides = [
    ...("before" in change ? [change.before] : []),
    ...("after" in change && change.after ? [change.after] : []),
    ...("returned" in change ? [change.returned] : []),
  ];
  return sides.map((attributes) => ({ attributes, masked: change.masked }));
}

interface Shown {
  readonly attributes: Attributes;
  /** The names of attributes that were made from something sensitive. */
  readonly masked?: readonly string[];
}

/** Shows the hosts of URLs, whatever the secrets are: users must see where events go. Of a sensitive URL, nothing else is shown. */
export function showHosts({ redactor }: OperationContext, objects: Iterable<Shown>): void {
  const seen = new Set<string>();
  for (const { attributes, masked = [] } of objects)
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value !== "string" || !BEGINS_AS_URL.test(value)) continue;
      // Thousands of URLs lead to a few hosts.
      const [origin = value] = ORIGIN.exec(value) ?? [];
      if (seen.has(origin) && !masked.includes(name)) continue;
      seen.add(origin);
      const to = leadsTo(value);
      if (!to) continue;
      redactor.show(to.host);
      if (masked.includes(name)) redactor.hideUrl(value);
    }
}

const BEGINS_AS_URL = /^[\sh]/i;
/** What of a URL decides about its host. */
const ORIGIN = /^https?:\/\/[^/?#\\]+/i;

/** Adds the emails in addresses and ids of the command line to the mask: nothing else may contain them. */
export function learnWords(words: readonly string[], { maskLine }: Pick<PersonalMask, "maskLine">): void {
  for (const word of words) if (word.includes("@")) maskLine(word);
}

/** Adds the personal data of the declarations to the mask. */
export function learnDeclarations(evaluation: Evaluation, context: OperationContext): Evaluation {
  const names = personalNames(context.catalog);
  showHosts(context, evaluation.declarations);
  context.personal.add(textsOfAll(evaluation.declarations, names, ({ attributes }) => attributes));
  return evaluation;
}

/** Whether a block declares objects with personal data. */
export function declaresPersonalData({ blocks }: Configuration, catalog: Catalog): boolean {
  const names = personalNames(catalog);
  return blocks.some(({ type }) => (names.get(type)?.size ?? 0) > 0);
}

/** Every text in the place of personal data, valid or not. */
export function personalTexts(
  { blocks, imports, moved, removed, removals = [] }: Configuration,
  catalog: Catalog,
): readonly string[] {
  const names = personalNames(catalog);
  const addresses = [
    ...imports.map(({ to }) => to),
    ...moved.flatMap(({ from, to }) => [from, to]),
    ...removed.map(({ from }) => from),
  ];
  const said = [
    ...addresses,
    ...removals.map(({ reason }) => reason),
    ...imports.flatMap(({ id }) => textsOfArgument(id)),
  ];
  const declared = blocks.flatMap(({ type, arguments: given, fanOut = [] }) => {
    return [...(names.get(type) ?? [])].flatMap(([name, personal]) => {
      const written = [given[name], ...fanOut.flatMap(({ attribute, values }) => (attribute === name ? [values] : []))];
      return written
        .flatMap((argument) => (argument ? textsOfArgument(argument) : []))
        .flatMap((text) => inAllForms(text, personal));
    });
  });
  return [...declared, ...said.flatMap((text) => emailsIn(text, WORD))];
}

/** A word within an address or an id of ours. */
const WORD = /[^\s"/[\]]+/gu;

/** The diagnostic with its line masked, including emails that the mask does not know yet. The caret keeps its target. */
export function hidingEmails(diagnostic: Diagnostic, { maskLine }: PersonalMask): Diagnostic {
  const { place } = diagnostic;
  if (place?.text === undefined) return diagnostic;
  const text = maskLine(place.text);
  if (text === place.text) return diagnostic;
  const caret = place.caret ?? place.column ?? 1;
  const before = maskLine(place.text.slice(0, caret - 1));
  return { ...diagnostic, place: { ...place, text, caret: Math.min(before.length, text.length) + 1 } };
}

/** The names of the attributes that hold personal data, by type. */
function personalNames({ resources }: Catalog): ReadonlyMap<string, PersonalAttributes> {
  return new Map(
    resources.map(({ type, schema }) => [
      type,
      new Map(Object.entries(schema).filter(([, { personal }]) => personal === true)),
    ]),
  );
}

type PersonalAttributes = ReadonlyMap<string, Attribute>;

/** The texts of many objects. A person on a list is in one for each campaign: a value is read once. */
function textsOfAll<T extends { readonly type: string }>(
  objects: readonly T[],
  names: ReadonlyMap<string, PersonalAttributes>,
  attributesOf: (object: T) => Attributes,
): readonly string[] {
  const read = new Map<Attribute, Set<Value | undefined>>();
  const texts: string[] = [];
  for (const object of objects) {
    for (const [name, attribute] of names.get(object.type) ?? []) {
      const value = attributesOf(object)[name];
      const before = getOrMake(read, attribute, () => new Set());
      if (before.has(value)) continue;
      before.add(value);
      texts.push(...textsIn(value ?? null).flatMap((text) => inAllForms(text, attribute)));
    }
  }
  return texts;
}

function textsOf(attributes: Attributes, personal: PersonalAttributes = new Map()): readonly string[] {
  return [...personal].flatMap(([name, attribute]) =>
    textsIn(attributes[name] ?? null).flatMap((text) => inAllForms(text, attribute)),
  );
}

/** A text as it is written, as the key of an address has it, and as a message suggests it. */
function inAllForms(text: string, { canonical }: Attribute): readonly string[] {
  const forms = [text, canonical?.(text), isEmail(text) ? text : cleanedEmail(text)];
  return [...new Set(forms.filter((form) => typeof form === "string"))];
}

function textsOfArgument(argument: Argument): readonly string[] {
  if (argument.kind === "list") return argument.items.flatMap(textsOfArgument);
  if (argument.kind === "object") return argument.entries.flat().flatMap(textsOfArgument);
  if (argument.kind === "template") return argument.text.includes("@") ? [argument.text] : [];
  return argument.kind === "literal" ? textsIn(argument.value) : [];
}
