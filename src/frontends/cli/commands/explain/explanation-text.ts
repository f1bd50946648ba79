import { describeSource } from "../../../../core/model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../../core/model/definition.ts";
import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import { type Explanation, type SeenLive, unobservedNames } from "../../../../core/plan/explain-steps.ts";
import { diagnosticText, whereText } from "../../../../output/content/diagnostic-text.ts";
import type { Paint } from "../../../../output/content/paint.ts";
import { titleOf } from "../../../../output/content/describe-step.ts";
import { widthOf } from "../../../../output/text/plan-text.ts";
import { hiddenText, nameText, valueText } from "../../../../output/content/value-text.ts";
import { visible } from "../../../../core/model/visible.ts";

interface ExplanationTextContext {
  readonly catalog: Catalog;
  readonly paint: Paint;
  readonly state: string;
  readonly arranged: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
}

/** An explanation for people: declared, recorded, live, the decision and its reasons. */
export function explanationText(explanation: Explanation, context: ExplanationTextContext): string {
  const { paint, arranged, catalog } = context;
  const definition = resourceOf(catalog, explanation.type);
  const found = [...explanation.diagnostics, ...explanation.blockers];
  const sections = [
    `${paint("bold", `# ${visible(explanation.address)}`)} ${decisionTitle(explanation, definition)}\n`,
    section("Declared", declaredLines(explanation, definition), paint),
    section("Recorded", recordedLines(explanation, definition, context.state), paint),
    section("Live", liveLines(explanation, definition), paint),
    section(
      "Why",
      explanation.reasons.map(({ detail }) => `- ${visible(detail)}`),
      paint,
    ),
    section("Apply", [visible(explanation.effect)], paint),
    ...arranged(found).map((diagnostic) => diagnosticText(diagnostic, paint)),
  ];
  return sections.join("\n");
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return `${paint("bold", `${title}:`)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function decisionTitle({ steps, isUndecided, diagnostics, blockers }: Explanation, definition: AnyResource): string {
  if (isUndecided) return "is undecided";
  // The current object comes last, behind the older ones of its address.
  const step = steps.at(-1);
  if (step) return titleOf(step, definition);
  return [...diagnostics, ...blockers].some(({ severity }) => severity === "error")
    ? "is blocked"
    : "is not part of the plan";
}

function declaredLines({ declaration, names }: Explanation, { schema }: AnyResource): readonly string[] {
  if (declaration === null) return ["no"];
  const { attributes, secrets, masked, locate } = declaration;
  const place = locate([]);
  const sources = Object.entries(secrets).map(([name, source]) => [name, `from ${describeSource(source)}`] as const);
  const shown = { ...attributeTexts(attributes, schema, { masked, names }), ...Object.fromEntries(sources) };
  return [visible(`in ${place ? whereText(place) : "the configuration"}`), ...table(shown)];
}

function recordedLines(
  { address, instance, names }: Explanation,
  { schema }: AnyResource,
  state: string,
): readonly string[] {
  if (instance === null) return [visible(`no, not in ${state}`)];
  const { attributes, masked = [], recordedAtMs, deposed = [] } = instance;
  const at = instance.address === address ? "" : `, as ${instance.address}`;
  return [
    visible(`in ${state}${at}, since ${isoTime(recordedAtMs)}`),
    ...table(attributeTexts(attributes, schema, { masked, names })),
    ...deposed.map(({ id }) => `older object to delete: ${visible(id)}`),
  ];
}

function liveLines(
  { live, instance, declaration, names, steps }: Explanation,
  { schema, plural }: AnyResource,
): readonly string[] {
  if (live === null) return [`unknown: the service does not list ${plural}`];
  const masked = [...(declaration?.masked ?? []), ...(instance?.masked ?? []), ...steps.flatMap((step) => step.masked)];
  return [...objectLines(live, { schema, masked, names, recordedId: instance?.id ?? null }), ...identicalLines(live)];
}

function objectLines(
  { object, complete }: SeenLive,
  {
    schema,
    recordedId,
    ...shown
  }: Shown & { readonly schema: AnyResource["schema"]; readonly recordedId: string | null },
): readonly string[] {
  if (!object)
    return [
      recordedId === null
        ? "no object of this address is known"
        : `no: the list does not show ${recordedId}${complete ? "" : ", and it may be truncated"}`,
    ];
  const unseen = unobservedNames(schema, object);
  return [
    `yes, as ${visible(object.id)}`,
    ...table(attributeTexts(object.attributes, schema, shown)),
    ...(unseen.length === 0 ? [] : [`not returned: ${unseen.join(", ")}`]),
  ];
}

function identicalLines({ identical }: SeenLive): readonly string[] {
  return identical.length === 0
    ? []
    : [visible(`identical, and not managed: ${identical.map(({ id }) => id).join(", ")}`)];
}

type Shown = Pick<Explanation, "names"> & { readonly masked: readonly string[] };

/** The text of each attribute with a value. */
function attributeTexts(
  attributes: Attributes,
  schema: AnyResource["schema"],
  { masked, names: known }: Shown,
): { readonly [name: string]: string } {
  const names = Object.keys(schema).filter((name) => (attributes[name] ?? null) !== null);
  return Object.fromEntries(
    names.map((name) => {
      const value = attributes[name] ?? null;
      if (schema[name]?.sensitive === true || masked.includes(name)) return [name, hiddenText(value)];
      const named =
        schema[name]?.refersTo && typeof value === "string" && Object.hasOwn(known, value) ? known[value] : undefined;
      return [name, named === undefined ? valueText(value) : `${valueText(value)} # ${nameText(named)}`];
    }),
  );
}

function table(texts: { readonly [name: string]: string }): readonly string[] {
  const width = widthOf(Object.keys(texts));
  return Object.entries(texts).map(([name, text]) => `${name.padEnd(width)} = ${visible(text)}`);
}
