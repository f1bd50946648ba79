import ts from "typescript-5.9";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { WayOut } from "../../core/model/way-out.ts";
import { type SourceProgram, nodesOf, openSources } from "./source-program.ts";
import { SourceTexts, withStandIns } from "./source-texts.ts";
import {
  type Bound,
  type Env,
  type Form,
  NOTHING_BOUND,
  SourceValues,
  functionAround,
  keyOf,
} from "./source-values.ts";

/** What the sources say at one place that makes a diagnostic, in every form. */
export interface SourceDiagnostic {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  readonly summary: string;
  readonly details: readonly string[];
  readonly hints: readonly string[];
  readonly ways: readonly WayOut[];
  /** `FILE:LINE` of the source. */
  readonly place: string;
}

const SEVERITIES = new Map<string, Diagnostic["severity"]>(
  Object.entries({
    errorOf: "error",
    "DiagnosticsError.of": "error",
    warningOf: "warning",
    noteOf: "note",
  }),
);

/** Where the sources make a diagnostic: the parts of it that they write there. */
interface Site {
  readonly node: ts.Node;
  readonly severities: readonly Diagnostic["severity"][];
  readonly code: ts.Expression;
  readonly summary: ts.Expression | null;
  readonly said: ts.Expression;
}

/** Every diagnostic of the sources, in the order of the files. */
export function collectDiagnostics(): readonly SourceDiagnostic[] {
  const program = openSources();
  const collector = new Collector(program);
  return program.files.flatMap((file) => nodesOf(file).flatMap((node) => collector.at(node)));
}

const MAX_CALLERS = 3;

class Collector {
  readonly #program: SourceProgram;
  readonly #values: SourceValues;
  readonly #texts: SourceTexts;

  constructor(program: SourceProgram) {
    this.#program = program;
    this.#values = new SourceValues(program);
    this.#texts = new SourceTexts(this.#values);
  }

  at(node: ts.Node): readonly SourceDiagnostic[] {
    const site = this.#callSite(node) ?? objectSite(node);
    if (!site) return [];
    this.#values.metUnbound();
    const alone = this.#read(site, NOTHING_BOUND);
    if (!this.#values.metUnbound()) return alone;
    return this.#callersOf(node, MAX_CALLERS).flatMap((env) => this.#read(site, env));
  }

  #callSite(node: ts.Node): Site | null {
    if (!ts.isCallExpression(node)) return null;
    const names = this.#values.valuesOf({ node: node.expression, env: NOTHING_BOUND }).map((one) => one.node.getText());
    const severities = [node.expression.getText(), ...names].flatMap((name) => SEVERITIES.get(name) ?? []);
    const [code, summary, said] = node.arguments;
    return severities.length > 0 && code && summary && said
      ? { node, severities: [...new Set(severities)], code, summary, said }
      : null;
  }

  /** What the parameters around a node stand for: one for each call of the function, and of the functions around those calls. */
  #callersOf(node: ts.Node, depth: number): readonly Env[] {
    const around = functionAround(node);
    if (!around || depth === 0) return [NOTHING_BOUND];
    const declaration = ts.isArrowFunction(around) || ts.isFunctionExpression(around) ? around.parent : around;
    const calls = this.#program.callsOf(declaration as ts.Declaration);
    const outer = ts.isFunctionDeclaration(around) ? [NOTHING_BOUND] : this.#callersOf(around, depth);
    if (calls.length === 0) return outer;
    return calls.flatMap((call) =>
      this.#callersOf(call, depth - 1).map((env) =>
        this.#values.bind(around, call.arguments, { env, around: outer[0] ?? NOTHING_BOUND }),
      ),
    );
  }

  #read({ node, severities, code, summary, said }: Site, env: Env): readonly SourceDiagnostic[] {
    const file = node.getSourceFile();
    const place = `${file.fileName.replace(/^.*\/src\//, "src/")}:${String(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
    const codes = this.#texts.textsOf({ node: code, env });
    return this.#values.formsOf({ node: said, env }).flatMap((form) => {
      const summaries = summary
        ? this.#texts.textsOf({ node: summary, env }).map(({ text }) => text)
        : this.#in(form, "summary");
      const known = severities.length > 0 ? severities : severitiesOf(this.#in(form, "severity"));
      const [details, hints, ways] = [this.#in(form, "detail"), this.#in(form, "hint"), this.#waysIn(form)];
      return codes.flatMap(({ text }, index) => {
        // As many as there are codes: these depend on the same condition.
        const own = <T>(values: readonly T[]): readonly T[] =>
          values.length === codes.length ? values.slice(index, index + 1) : values;
        const all = { code: text, details: own(details), hints: own(hints), ways, place };
        return known.flatMap((severity) =>
          (summaries.length === 0 ? [""] : own(summaries)).map((one) => ({ ...all, severity, summary: one })),
        );
      });
    });
  }

  #in(form: Form, name: string): readonly string[] {
    const value = form.get(name);
    const texts = value ? this.#texts.textsOf(value) : [];
    return texts.map(({ text }) => text);
  }

  #waysIn(form: Form): readonly WayOut[] {
    const ways = form.get("ways");
    if (!ways) return [];
    return this.#values
      .elementsOf(ways)
      .flatMap((element) => this.#values.formsOf(element).map((one) => this.#wayIn(one)));
  }

  /** A way out with words in capitals in place of the values of a run. */
  #wayIn(way: Form): WayOut {
    const given = [...way].map(([name, value]) => [name, this.#plain(value, name)] as const);
    return { ...EXAMPLE, ...Object.fromEntries(given) } as unknown as WayOut;
  }

  #plain(value: Bound, name: string): unknown {
    const [first = value] = this.#values.valuesOf(value);
    if (Object.hasOwn(EXAMPLE, name)) return EXAMPLE[name as keyof typeof EXAMPLE];
    if (first.node.kind === ts.SyntaxKind.TrueKeyword) return true;
    const [text] = this.#texts.textsOf(value);
    return text && (text.isKnown || /^(?:attribute|value)$/.test(name)) ? withStandIns(text.text) : null;
  }
}

function severitiesOf(texts: readonly string[]): readonly Diagnostic["severity"][] {
  const found = texts.flatMap((one): readonly Diagnostic["severity"][] =>
    one === "error" || one === "warning" || one === "note" ? [one] : [],
  );
  return found.length === 0 ? ["error"] : found;
}

/** What stands for the values of a run in a way out. */
const EXAMPLE = {
  address: "ADDRESS",
  type: "TYPE",
  ids: ["ID"],
  id: "ID",
  addresses: ["ADDRESS"],
  from: "FROM",
  to: "TO",
  file: "FILE",
  name: "NAME",
};

/** An object that is a diagnostic, or the most of one: it has a code, and a summary or what it spreads. */
function objectSite(node: ts.Node): Site | null {
  if (!ts.isObjectLiteralExpression(node)) return null;
  const named = new Map(node.properties.flatMap((one) => (one.name ? [[keyOf(one.name), one] as const] : [])));
  const code = named.get("code");
  const isSpread = node.properties.some((one) => ts.isSpreadAssignment(one));
  if (!code || named.has("kind") || !(named.has("summary") || (isSpread && named.has("severity")))) return null;
  if (!ts.isPropertyAssignment(code)) return null;
  return { node, severities: [], code: code.initializer, summary: null, said: node };
}
