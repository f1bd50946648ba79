import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Options,
  type Sandbox,
  apply,
  applySaved,
  drift,
  explain,
  generate,
  plan,
  startSandbox,
} from "../../src/library/index.ts";
import { type Project, until, useProjects } from "../frontends/cli/project.ts";

const openProject = useProjects();
const ADDRESS = "outreach_webhook.a";
const webhook = (name: string): object => ({ target_url: `https://${name}.example.com/h`, type: "emailsReplied" });
const CONFIGURATION = { version: 1, webhooks: { a: webhook("a"), b: webhook("b"), c: webhook("c") } };

const CLOCK = { now: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() };

/** What plain JavaScript may pass. */
type Anything = never;
const any = (value: unknown): Anything => value as never;

interface Place {
  readonly folder: string;
  readonly environment: { readonly [name: string]: string | undefined };
}

function within({ folder, environment }: Place): Options {
  return { folder, environment: { ...environment, OUTREACH_SETTLE: "0s" } };
}

/** A project with three webhooks. */
async function applied(): Promise<Project> {
  const project = await openProject();
  const { status } = await apply(CONFIGURATION, within(project));
  if (status !== "complete" || sandbox.webhooks().length !== 3)
    throw new Error(`the webhooks were not made: ${status}`);
  return project;
}

/** Three webhooks, which every test of this file leaves as they are. */
let sandbox: Sandbox;
let project: Place;
beforeAll(async () => {
  sandbox = await startSandbox();
  project = {
    folder: mkdtempSync(path.join(tmpdir(), "outreach-input-")),
    environment: { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.apiKey },
  };
  const { status } = await apply(CONFIGURATION, within(project));
  if (status !== "complete" || sandbox.webhooks().length !== 3)
    throw new Error(`the webhooks were not made: ${status}`);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(project.folder, { recursive: true });
});

/** What was sent, and what the folder holds. */
function traces(): readonly unknown[] {
  const files = readdirSync(project.folder).toSorted();
  return [
    sandbox.requests().length,
    files.map((file) => [file, readFileSync(path.join(project.folder, file), "utf8")]),
  ];
}

interface Operation {
  readonly name: string;
  run(
    configuration: unknown,
    options: unknown,
  ): Promise<{ readonly status: string; readonly diagnostics: readonly unknown[] }>;
}

const OPERATIONS: readonly Operation[] = [
  { name: "plan", run: (configuration, options) => plan(any(configuration), any(options)) },
  { name: "apply", run: (configuration, options) => apply(any(configuration), any(options)) },
  {
    name: "applySaved",
    run: (configuration, options) => applySaved(any(configuration), new Uint8Array(1), any(options)),
  },
  { name: "drift", run: (configuration, options) => drift(any(configuration), any(options)) },
  { name: "explain", run: (configuration, options) => explain(any(configuration), ADDRESS, any(options)) },
  { name: "generate", run: (configuration, options) => generate(any(configuration), any(options)) },
];

/** Expects an error with this path, and that nothing was sent, stored or locked. */
async function expectRejected(
  { run, name }: Operation,
  { options, ...given }: { readonly configuration?: unknown; readonly options: unknown },
  at: string,
): Promise<void> {
  const before = traces();
  const { status, diagnostics } = await run("configuration" in given ? given.configuration : CONFIGURATION, options);
  expect({ status, diagnostics }).toMatchObject({
    status: name === "drift" ? "error" : "failed",
    diagnostics: [
      { severity: "error", code: "input_invalid", path: at, detail: expect.stringContaining(at) as string },
    ],
  });
  expect(traces()).toEqual(before);
}

class Addresses {
  targets = [ADDRESS];
}
const throws = {
  get: (): never => {
    throw new Error("a getter throws");
  },
  enumerable: true,
};
const sparse: unknown[] = [];
sparse[1] = ADDRESS;
const cycle: Record<string, unknown> = { ...CONFIGURATION };
cycle["webhooks"] = { a: cycle };
let deep: unknown = 1;
for (let level = 0; level < 10_000; level++) deep = [deep];

describe("options", () => {
  const [PLAN, APPLY] = OPERATIONS as readonly [Operation, Operation];

  test.each<readonly [what: string, path: string, options: object]>([
    ["an empty list of targets", "options.targets", { targets: [] }],
    ["targets that are undefined", "options.targets", { targets: undefined }],
    ["targets that are null", "options.targets", { targets: null }],
    ["targets as a text", "options.targets", { targets: ADDRESS }],
    ["targets as a Set", "options.targets", { targets: new Set([ADDRESS]) }],
    ["an undefined target", "options.targets[0]", { targets: [undefined] }],
    ["an empty target", "options.targets[1]", { targets: [ADDRESS, ""] }],
    ["targets with a hole", "options.targets[0]", { targets: sparse }],
    ["an empty list of excludes", "options.excludes", { excludes: [] }],
    ["excludes that are undefined", "options.excludes", { excludes: undefined }],
    ["an unknown option", "options.target", { target: [ADDRESS] }],
    ["an unknown option that is undefined", "options.exclude", { exclude: undefined }],
    ["an option with the name of a property of all objects", "options.constructor", { constructor: [ADDRESS] }],
    ["options with a key __proto__", "options.__proto__", JSON.parse('{"__proto__":{"targets":[]}}') as object],
    ["a symbol as the name of an option", "options", { [Symbol("targets")]: [ADDRESS] }],
    ["inherited options", "options", Object.create({ targets: [ADDRESS] }) as object],
    ["a Map of options", "options", new Map([["targets", [ADDRESS]]])],
    ["a class instance as options", "options", new Addresses()],
    ["an option that throws", "options.targets", Object.defineProperty({}, "targets", throws)],
    ["an undefined decision", "options.decide", { decide: undefined }],
    ["a decision that is no function", "options.decide", { decide: true }],
    ["a refresh that is undefined", "options.refreshOnly", { refreshOnly: undefined }],
    ["a flag as a text", "options.refreshOnly", { refreshOnly: "true" }],
    ["an unknown guard", "options.allow[0]", { allow: ["everything"] }],
    ["a guard with the name of a property of all objects", "options.allow[0]", { allow: ["constructor"] }],
    ["guards as a text", "options.allow", { allow: "deletes" }],
    ["a replace that is a text", "options.replace", { replace: ADDRESS }],
    ["a state that is undefined", "options.state", { state: undefined }],
    ["a state without a name", "options.state", { state: "" }],
    ["a team that is null", "options.team", { team: null }],
    ["a folder that is undefined", "options.folder", { folder: undefined }],
    ["an undefined variable", "options.variables.host", { variables: { host: undefined } }],
    ["a variable that is no number", "options.variables.host", { variables: { host: Number.NaN } }],
    ["a variable that is an object", "options.variables.host", { variables: { host: {} } }],
    ["a Map of variables", "options.variables", { variables: new Map([["host", "a"]]) }],
    ["an endless wait", "options.lockTimeoutMs", { lockTimeoutMs: Number.POSITIVE_INFINITY }],
    ["a negative wait", "options.lockTimeoutMs", { lockTimeoutMs: -1 }],
    ["a lock that is 0", "options.lock", { lock: 0 }],
    ["a signal that is a controller", "options.signal", { signal: new AbortController() }],
    ["an environment that is a Map", "options.environment", { environment: new Map() }],
    ["an environment with a number", "options.environment.PORT", { environment: { PORT: 1 } }],
    ["a clock that cannot wait", "options.clock", { clock: { now: () => 0 } }],
    ["a clock with a date", "options.clock", { clock: { ...CLOCK, now: () => new Date(0) } }],
    ["a clock without a number", "options.clock", { clock: { ...CLOCK, monotonicMs: () => NaN } }],
    ["a state that no file can be called", "options.state", { state: "a\u0000.json" }],
    ["files that cannot be read", "options.files", { files: {} }],
    ["an onProgress that is undefined", "options.onProgress", { onProgress: undefined }],
  ])("with %s are refused before anything is sent", async (_, at, options) => {
    const all = Object.getPrototypeOf(options) === Object.prototype && at !== "options";
    const given = all
      ? Object.defineProperties({ ...within(project), destroy: true }, Object.getOwnPropertyDescriptors(options))
      : options;
    await expectRejected(APPLY, { options: given }, at);
    if (!at.startsWith("options.decide")) await expectRejected(PLAN, { options: given }, at);
    expect(sandbox.webhooks()).toHaveLength(3);
  });

  test("with nearly the name of another one are refused with that name", async () => {
    const { diagnostics } = await plan("outreach.yaml", { ...within(project), target: [ADDRESS] } as object);
    expect(diagnostics.map(({ detail }) => detail)).toEqual([
      "options.target is not an option of this operation (did you mean targets?). Nothing was sent.",
    ]);
  });

  test.each(OPERATIONS)("that $name does not have are refused", async (operation) => {
    await expectRejected(operation, { options: { ...within(project), target: ADDRESS } }, "options.target");
    await expectRejected(operation, { options: { ...within(project), team: undefined } }, "options.team");
    await expectRejected(operation, { options: null }, "options");
    await expectRejected(operation, { configuration: undefined, options: within(project) }, "configuration");
    await expectRejected(operation, { configuration: "", options: within(project) }, "configuration");
  });

  test.each([
    ["plan", "decide"],
    ["apply", "secrets"],
    ["applySaved", "targets"],
    ["drift", "destroy"],
    ["explain", "all"],
    ["generate", "failOnUnmanaged"],
  ])("of another operation are unknown to %s: %s", async (name, option) => {
    const operation = OPERATIONS.find((one) => one.name === name) as Operation;
    await expectRejected(operation, { options: { ...within(project), [option]: true } }, `options.${option}`);
  });

  test("and further arguments", async () => {
    const saved: Operation = { name: "", run: () => applySaved(CONFIGURATION, any(null), within(project)) };
    await expectRejected(saved, { options: {} }, "saved");
    for (const address of [undefined, "", 1])
      await expectRejected(
        { name: "", run: () => explain(CONFIGURATION, any(address), within(project)) },
        { options: {} },
        "address",
      );
  });

  test("whose value changes while it is read are read once", async () => {
    let reads = 0;
    const options = { ...within(project), destroy: true, decide: () => false };
    Object.defineProperty(options, "targets", { enumerable: true, get: () => (reads++ === 0 ? [ADDRESS] : []) });
    expect(await apply(CONFIGURATION, options)).toMatchObject({
      status: "declined",
      plan: { steps: [{ action: "delete", address: ADDRESS }] },
    });
    expect(reads).toBe(1);
  });

  test("of the sandbox are refused with a TypeError", async () => {
    for (const [path, options] of [
      ["options.profil", { profil: "default" }],
      ["options.port", { port: undefined }],
      ["options.port", { port: "80" }],
      ["options.port", { port: 1.5 }],
      ["options.deliver", { deliver: "everywhere" }],
      ["options.seed", { seed: new Map() }],
      ["options.seed.campaigns[0]", { seed: { campaigns: [undefined] } }],
      ["options", null],
      ["options", new Map()],
    ] as const)
      await expect(startSandbox(any(options))).rejects.toThrow(new RegExp(`^${path.replaceAll(/[.[\]]/g, "\\$&")} .`));
  });
});

describe("a configuration", () => {
  test.each<readonly [what: string, path: string, configuration: unknown]>([
    ["a Map", "configuration.webhooks", { version: 1, webhooks: new Map([["a", webhook("a")]]) }],
    ["a Set", "configuration.webhooks", { version: 1, webhooks: new Set() }],
    [
      "undefined",
      "configuration.webhooks.a.campaign",
      { version: 1, webhooks: { a: { ...webhook("a"), campaign: undefined } } },
    ],
    ["undefined in the place of a section", "configuration.webhooks", { version: 1, webhooks: undefined }],
    [
      "undefined in a list",
      "configuration.webhooks.a.types[0]",
      { version: 1, webhooks: { a: { types: [undefined] } } },
    ],
    ["a hole in a list", "configuration.webhooks.a.types[0]", { version: 1, webhooks: { a: { types: sparse } } }],
    [
      "a list with a property",
      "configuration.webhooks.a.types",
      { version: 1, webhooks: { a: { types: Object.assign(["emailsSent"], { more: 1 }) } } },
    ],
    ["a Date", "configuration.webhooks.a.type", { version: 1, webhooks: { a: { type: new Date(0) } } }],
    ["a class instance", "configuration.webhooks.a", { version: 1, webhooks: { a: new Addresses() } }],
    [
      "a boxed text",
      "configuration.webhooks.a.type",
      { version: 1, webhooks: { a: { type: Object("emailsSent") as unknown } } },
    ],
    ["a function", "configuration.webhooks.a.type", { version: 1, webhooks: { a: { type: () => "emailsSent" } } }],
    ["a toJSON", "configuration.webhooks.toJSON", { version: 1, webhooks: { toJSON: () => ({}) } }],
    ["a symbol", "configuration.webhooks.a.type", { version: 1, webhooks: { a: { type: Symbol("type") } } }],
    ["a symbol as a key", "configuration.webhooks", { version: 1, webhooks: { [Symbol("a")]: webhook("a") } }],
    ["a BigInt", "configuration.version", { version: 1n, webhooks: {} }],
    ["NaN", "configuration.version", { version: Number.NaN, webhooks: {} }],
    ["Infinity", "configuration.limits.unsubscribe", { version: 1, limits: { unsubscribe: Number.POSITIVE_INFINITY } }],
    [
      "a property that is not enumerable",
      "configuration.webhooks.a",
      { version: 1, webhooks: Object.defineProperty({}, "a", { value: webhook("a") }) },
    ],
    ["a getter that throws", "configuration.webhooks", Object.defineProperty({ version: 1 }, "webhooks", throws)],
    ["a cycle", "configuration.webhooks.a", cycle],
    ["a name with a space", 'configuration.webhooks["a b"]', { version: 1, webhooks: { "a b": undefined } }],
    ["no object", "configuration", 1],
    ["null", "configuration", null],
    ["a list", "configuration", [CONFIGURATION]],
    ["a promise", "configuration", Promise.resolve(CONFIGURATION)],
    ["a URL", "configuration", new URL("file:///outreach.yaml")],
  ])("with %s is refused before anything is sent: %s", async (_, at, configuration) => {
    for (const operation of OPERATIONS)
      await expectRejected(operation, { configuration, options: within(project) }, at);
    expect(sandbox.webhooks()).toHaveLength(3);
  });

  test("that is nested too deeply is refused", async () => {
    const { status, diagnostics } = await plan({ version: 1, webhooks: deep }, within(project));
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(["failed", ["input_invalid"]]);
  });

  test("names every value that is wrong", async () => {
    const { diagnostics } = await plan(
      { version: 1, webhooks: { a: undefined, b: new Map() } },
      { ...within(project), ...(any({ x: 1 }) as object) },
    );
    expect(diagnostics.map(({ path }) => path)).toEqual([
      "configuration.webhooks.a",
      "configuration.webhooks.b",
      "options.x",
    ]);
  });

  test("may have one object twice, objects without a prototype, and null, which its schema judges", async () => {
    const shared = Object.assign(Object.create(null) as object, webhook("a"));
    const webhooks = { ...CONFIGURATION.webhooks, a: shared };
    expect(await plan({ version: 1, webhooks }, within(project))).toMatchObject({ status: "unchanged" });
    const twice = { ...webhooks, d: shared };
    const { diagnostics } = await plan({ version: 1, webhooks: twice }, within(project));
    expect(diagnostics.map(({ code }) => code)).toEqual(["declared_twice"]);
    const none = await plan({ version: 1, webhooks: { a: null } }, within(project));
    expect(none).toMatchObject({ status: "failed", diagnostics: [{ place: { file: "configuration.yaml" } }] });
  });
});

describe("decide", () => {
  const writes = (project: Project): readonly string[] =>
    project.sandbox.requests().flatMap(({ method }) => (method === "GET" ? [] : [method]));

  test.each([{ allowed: false }, {}, "false", "true", 0, 1, null, undefined, Promise.resolve([])])(
    "that answers %j is an error, and nothing is sent",
    async (answer) => {
      const project = await openProject();
      expect(await apply(CONFIGURATION, { ...within(project), decide: () => any(answer) })).toMatchObject({
        status: "failed",
        diagnostics: expect.arrayContaining([
          expect.objectContaining({ code: "input_invalid", path: "options.decide", severity: "error" }),
        ]) as unknown,
      });
      expect([writes(project), Object.keys(project.files())]).toEqual([[], []]);
      // The lock is free.
      expect((await apply(CONFIGURATION, within(project))).status).toBe("complete");
    },
  );

  test.each([
    ["rejects", () => Promise.reject(Object.assign(new Error("no database"), { code: "ENOENT" }))],
    [
      "throws",
      () => {
        throw Object.assign(new Error("no database"), { code: "ENOENT" });
      },
    ],
  ])("that %s is thrown, nothing is sent, and the lock is free", async (_, decide: () => Promise<boolean>) => {
    const project = await openProject();
    await expect(apply(CONFIGURATION, { ...within(project), decide })).rejects.toThrow("no database");
    expect([writes(project), Object.keys(project.files())]).toEqual([[], []]);
    expect((await apply(CONFIGURATION, within(project))).status).toBe("complete");
  });

  test.each([null, undefined])("that rejects with %s rejects so", async (reason) => {
    const project = await openProject();
    const rejecting = (): Promise<boolean> => Promise.reject(any(reason));
    await expect(apply(CONFIGURATION, { ...within(project), decide: rejecting })).rejects.toBe(reason);
    expect([writes(project), Object.keys(project.files())]).toEqual([[], []]);
  });

  test.each([
    ["no reason", undefined],
    ["null", null],
    ["an error of the system", Object.assign(new Error("no log"), { code: "ENOENT" })],
  ])("is no longer waited for after an abort with %s, and the lock is free", async (_, reason) => {
    const project = await openProject();
    const stop = new AbortController();
    const decide = (): Promise<boolean> => {
      queueMicrotask(() => stop.abort(reason));
      return new Promise(() => undefined);
    };
    expect(await apply(CONFIGURATION, { ...within(project), signal: stop.signal, decide })).toMatchObject({
      status: "interrupted",
    });
    expect(writes(project)).toEqual([]);
    expect((await apply(CONFIGURATION, within(project))).status).toBe("complete");
  });
});

describe("an abort ends the wait", () => {
  test("for the lock of another run", async () => {
    const project = await applied();
    const stop = new AbortController();
    const results: unknown[] = [];
    await apply(CONFIGURATION, {
      ...within(project),
      decide: async () => {
        const onProgress: NonNullable<Options["onProgress"]> = ({ kind }) =>
          kind === "waiting-for-lock" && stop.abort();
        results.push(
          await apply(CONFIGURATION, { ...within(project), lockTimeoutMs: 3_600_000, signal: stop.signal, onProgress }),
        );
        return true;
      },
    });
    expect(results).toMatchObject([{ status: "interrupted" }]);
  });

  test("for the service's list", async () => {
    const project = await applied();
    project.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
    const stop = new AbortController();
    const environment = { ...within(project).environment, OUTREACH_SETTLE: "3600s" };
    const onProgress: NonNullable<Options["onProgress"]> = ({ kind }) => kind === "waiting-for-list" && stop.abort();
    const more = { version: 1, webhooks: { ...CONFIGURATION.webhooks, d: webhook("d") } };
    expect(await apply(more, { ...within(project), environment, signal: stop.signal, onProgress })).toMatchObject({
      diagnostics: expect.arrayContaining([]) as unknown,
      status: expect.stringMatching(/^(interrupted|incomplete|undecided)$/) as string,
    });
    expect(await apply(more, within(project))).toMatchObject({ status: "complete", counts: { add: 0 } });
  });

  test.each(["GET", "POST"])("for the rate limit of a %s", async (method) => {
    const project = await openProject();
    const stop = new AbortController();
    project.sandbox.addFault({
      method,
      action: { kind: "answer", status: 429, headers: { "retry-after": "500" } },
      times: null,
    });
    const ended = apply(CONFIGURATION, { ...within(project), signal: stop.signal });
    await until(
      () => project.sandbox.requests().some((sent) => sent.method === method && sent.status === 429),
      "a refusal",
    );
    stop.abort();
    expect((await ended).status).toMatch(/^(interrupted|incomplete)$/);
    project.sandbox.clearFaults();
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});

describe("onProgress", () => {
  const broken = new Error("no log");

  test.each([
    [
      "throws",
      () => {
        throw broken;
      },
    ],
    ["rejects", () => Promise.reject(broken)],
    [
      "rejects later",
      async () => {
        await Promise.resolve();
        throw broken;
      },
    ],
  ])("that %s ends the operation as an abort does, and is thrown", async (_, onProgress: () => void) => {
    const project = await openProject();
    const names = Array.from({ length: 12 }, (__, index) => `w${String(index)}`);
    const many = { version: 1, webhooks: Object.fromEntries(names.map((name) => [name, webhook(name)])) };
    await expect(apply(many, { ...within(project), onProgress })).rejects.toBe(broken);
    const made = project.sandbox.webhooks().length;
    expect(made).toBeLessThan(12);
    expect(await apply(many, within(project))).toMatchObject({ status: "complete", counts: { add: 12 - made } });
    expect(project.sandbox.webhooks()).toHaveLength(12);
  });

  test("that rejects for the last event is thrown too, and everything is stored", async () => {
    const project = await openProject();
    const onProgress: NonNullable<Options["onProgress"]> = (event) =>
      any(event.kind === "step" && event.step.kind === "complete" ? Promise.reject(broken) : undefined);
    const one = { version: 1, webhooks: { a: webhook("a") } };
    await expect(apply(one, { ...within(project), onProgress })).rejects.toBe(broken);
    expect(project.sandbox.webhooks()).toHaveLength(1);
    expect(await apply(one, within(project))).toMatchObject({ status: "complete", counts: { add: 0 } });
  });
});
