import type { GivenValue } from "../../../core/config/variables/variables.ts";
import type { SecretSource } from "../../../core/model/declaration.ts";
import { type Diagnostic, type Place, MAX_FOUND, errorOf } from "../../../core/model/diagnostic.ts";
import type { Value } from "../../../core/model/value.ts";
import type { Source } from "../config-file.ts";
import { type ParsedYaml, parseYaml } from "../parse-yaml.ts";
import { type Tree, isTree, treeAt } from "../plain-values.ts";
import { type FileKind, schemaProblems } from "../schema-errors.ts";
import { secretSource } from "../yaml-arguments.ts";

/** A campaign that the configuration finds. */
export interface GivenCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly labels: readonly string[];
  readonly createdBy: string | null;
  readonly place: Place;
}

/** One receiver that a test expects. */
export interface GivenReceiver {
  /** Null: neither or both are given. */
  readonly target: { readonly kind: "url" | "webhook"; readonly text: string } | null;
  readonly count: number;
  readonly secret: SecretSource | "any" | "none" | null;
  readonly place: Place;
}

export interface GivenTest {
  readonly name: string;
  readonly event: {
    readonly type: string;
    readonly campaign: string | null;
    readonly isFirst: boolean;
    readonly isThirdParty: boolean;
  };
  readonly receives: readonly GivenReceiver[];
  readonly place: Place;
  /** Locates a part of the event. */
  readonly locate: (key: "type" | "campaign" | "third_party") => Place;
}

/** What a test file says. */
export interface TestFile {
  readonly file: string;
  /** Null: no team is named. */
  readonly team: string | null;
  readonly variables: ReadonlyMap<string, GivenValue>;
  readonly campaigns: readonly GivenCampaign[];
  readonly tests: readonly GivenTest[];
  /** With an error, nothing else of the file can be relied on. */
  readonly diagnostics: readonly Diagnostic[];
}

const BEGIN = "Begin it with version: 1, and write tests under tests.";

const SECRETS = "Write the reference of the configuration, as in { env: NAME }, or any, or none.";

const TEST_FILE: FileKind = {
  noun: "test file",
  begin: BEGIN,
  named: "Name a YAML file with version: 1 and tests.",
  secret: SECRETS,
  reportsMissing: true,
};

/** Reads a test file, and checks it with the schema. Names of types, campaigns and webhooks are not checked. */
export async function readTestFile({ file, bytes }: Source): Promise<TestFile> {
  // Variables may hold what the configuration calls sensitive.
  const { parsed, diagnostics } = parseYaml(bytes, file, { secretKeys: ["variables", "secret"] });
  const nothing: TestFile = { file, team: null, variables: new Map(), campaigns: [], tests: [], diagnostics };
  if (parsed.value === undefined) return nothing;
  if (parsed.value === null) return { ...nothing, diagnostics: [emptyFile(file)] };
  const { validate } = await import("../generated/validate-tests.js");
  const problems = validate(parsed.value)
    ? []
    : schemaProblems((validate.errors ?? []).slice(0, MAX_FOUND), parsed, TEST_FILE).diagnostics;
  if (problems.length > 0) return { ...nothing, diagnostics: problems };
  const root = treeAt(parsed.value, []);
  const tests = Object.entries(treeAt(root, ["tests"])).map(([name, test]) => readTest(name, test as Tree, parsed));
  return {
    file,
    team: textOr(root["team"], null),
    variables: new Map(
      Object.entries(treeAt(root, ["variables"])).map(([name, value]) => [
        name,
        { value: value as Value, from: file, place: parsed.locateKey(["variables", name]) },
      ]),
    ),
    campaigns: listOf(root["campaigns"]).map((campaign, index) =>
      readCampaign(campaign as Tree, parsed.locate(["campaigns", index])),
    ),
    tests,
    diagnostics:
      tests.length === 0
        ? [errorOf("tests_missing", "No tests", { detail: `${file} has no tests.`, hint: BEGIN, place: { file } })]
        : [],
  };
}

function readTest(name: string, { event, receives }: Tree, { locate, locateKey }: ParsedYaml): GivenTest {
  const path = ["tests", name];
  const { type, campaign, first, third_party: thirdParty } = event as Tree;
  return {
    name,
    event: {
      type: String(type),
      campaign: textOr(campaign, null),
      isFirst: first !== false,
      isThirdParty: thirdParty === true,
    },
    receives: listOf(receives).map((receiver, index) => readReceiver(receiver, locate([...path, "receives", index]))),
    place: locateKey(path),
    locate: (key) => locate([...path, "event", key]),
  };
}

function readReceiver(receiver: unknown, place: Place): GivenReceiver {
  const { url, webhook, count, secret }: Tree = isTree(receiver)
    ? receiver
    : { [isUrl(String(receiver)) ? "url" : "webhook"]: receiver };
  const given = [
    ...(typeof url === "string" ? [{ kind: "url", text: url } as const] : []),
    ...(typeof webhook === "string" ? [{ kind: "webhook", text: webhook } as const] : []),
  ];
  const [target = null, other] = given;
  return {
    target: other ? null : target,
    count: typeof count === "number" ? count : 1,
    secret: secret === undefined ? null : isTree(secret) ? secretSource(secret) : (secret as "any" | "none"),
    place,
  };
}

/** A scheme tells a URL from an address. */
function isUrl(text: string): boolean {
  return text.includes("://");
}

function readCampaign({ id, name, status, labels, created_by: createdBy }: Tree, place: Place): GivenCampaign {
  return {
    id: String(id),
    name: String(name),
    status: textOr(status, "running"),
    labels: listOf(labels).map(String),
    createdBy: textOr(createdBy, null),
    place,
  };
}

function emptyFile(file: string): Diagnostic {
  return errorOf("tests_missing", "No tests", { detail: `${file} is empty.`, hint: BEGIN, place: { file } });
}

function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === "string" ? value : fallback;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
