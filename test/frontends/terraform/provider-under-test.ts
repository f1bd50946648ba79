import { afterAll } from "vitest";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ExtData, ExtensionCodec, decode, encode } from "@msgpack/msgpack";
import { type Life, mortalFiles, never, newLife } from "../../core/apply/life.ts";
import type { AppendFile, Clock, FileSystem, ProcessIdentity } from "../../../src/core/model/ports.ts";
import type { OpenStore } from "../../../src/core/state/state-store.ts";
import type { Fingerprinter } from "../../../src/core/secrets/fingerprint.ts";
import { redactor } from "../../../src/core/secrets/redactor.ts";
import {
  type AppliedPlan,
  NO_CONTENT,
  type TerraformCommand,
} from "../../../src/frontends/terraform/terraform-command.ts";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import {
  type Diagnostic,
  type DynamicValue,
  ProviderDefinition,
} from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import { chooseEndpoint } from "../../../src/frontends/terraform/plugin/handshake.ts";
import {
  journalSettings,
  type ProviderJournal,
  openProviderJournal,
} from "../../../src/frontends/terraform/journal/provider-journal.ts";
import { createProvider } from "../../../src/frontends/terraform/provider.ts";
import { attributesOf } from "../../../src/core/model/attribute.ts";
import { routesOf } from "../../../src/frontends/terraform/plugin/grpc.ts";
import { PluginServer } from "../../../src/frontends/terraform/plugin/plugin-server.ts";
import type { ServiceSettings, Services } from "../../../src/frontends/terraform/services.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";
import type { SandboxOptions } from "../../../src/sandbox/runtime.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { readClient, reserveWrites } from "../../../src/service/api/client.ts";
import { nodeExchange } from "../../../src/service/api/node-exchange.ts";
import type { Web } from "../../../src/core/model/web.ts";
import { slidingPacer } from "../../../src/service/api/pacer.ts";
import { baseUrlProblem } from "../../../src/service/api/service-path.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { webhook as webhookDefinition } from "../../../src/service/resources/webhook.ts";
import { storePorts } from "../../core/state/state-fixtures.ts";
import { ProtocolClient } from "./protocol-client.ts";

export type Json = { readonly [name: string]: unknown };

/** Stands for an unknown value in what the tests send and see. */
export const UNKNOWN = "<unknown>";

export const NO_BYTES = new Uint8Array();

const WEBHOOK = attributesOf(webhookDefinition.schema, "terraform");

/** The attributes of a webhook, all absent. */
const NO_WEBHOOK: Json = Object.fromEntries(WEBHOOK.map(([name]) => [name, null]));

/** The attributes of a webhook that can be configured. */
export const CONFIGURABLE = WEBHOOK.flatMap(([name, { mode }]) => (mode === "computed" ? [] : [name]));

const codec = new ExtensionCodec();
codec.register({ type: 0, encode: () => null, decode: () => UNKNOWN });

/** A value as Terraform writes it. */
export function value(attributes: Json | null): DynamicValue {
  const marked =
    attributes &&
    Object.fromEntries(
      Object.entries(attributes).map(([name, one]) => [
        name,
        one === UNKNOWN ? new ExtData(0, new Uint8Array([0])) : one,
      ]),
    );
  return { msgpack: encode(marked, { extensionCodec: codec, useBigInt64: true }), json: NO_BYTES };
}

export function plain(given: DynamicValue | undefined): Json | null {
  return given === undefined
    ? null
    : (decode(given.msgpack, { extensionCodec: codec, useBigInt64: false }) as Json | null);
}

/** A whole webhook with these attributes. */
export function webhook(attributes: Json): Json {
  return { ...NO_WEBHOOK, ...attributes };
}

/** Diagnostics in one line each: `error at target_url: Invalid target URL`. */
export function said(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, summary, attribute }) => {
    const steps = attribute?.steps.map(({ selector }) => Object.values(selector ?? {}).at(-1)) ?? [];
    return `${severity === 1 ? "error" : "warning"}${steps.length > 0 ? ` at ${steps.join(".")}` : ""}: ${summary}`;
  });
}

/** An object as Terraform keeps it between calls. */
export interface Kept {
  readonly state: Json | null;
  readonly private: Uint8Array;
  readonly said: readonly string[];
}

/** A sandbox for a test, without a rate limit unless the options have one. */
export function sandboxForTest(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const clock = {
    now: () => Date.now(),
    sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal }),
  };
  return startSandbox({ clock, random: () => 0.5, rateLimit: null, ...options });
}

/** A sandbox and a provider for it, for all tests of a file. */
export async function useProvider(): Promise<{ readonly sandbox: Sandbox; readonly provider: ProviderUnderTest }> {
  const sandbox = await sandboxForTest();
  const provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
  afterAll(async () => {
    await provider.kill();
    provider.removeFolder();
    await sandbox.close();
  });
  return { sandbox, provider };
}

interface Options {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** More settings of the provider block. */
  readonly settings?: Json;
  readonly environment?: Services["environment"];
  /** The provider's setting of that name. */
  readonly mark?: true;
  /** Several processes after each other share one. */
  readonly folder?: string;
  readonly pid?: number;
  readonly livingPids?: readonly number[];
  /** Where the process runs, as far as it differs from the others. */
  readonly place?: Partial<Pick<ProcessIdentity, "host" | "bootId" | "pidNamespace">>;
  readonly adapt?: (services: Services) => Services;
  /** The variables that the journal reads, in addition to its folder. */
  readonly variables?: { readonly [name: string]: string };
  /** Where its journal is, in the place of a folder. */
  readonly store?: OpenStore;
  /** The disk of the process. */
  readonly files?: (files: FileSystem) => FileSystem;
  readonly clock?: Clock;
  readonly appliedPlan?: AppliedPlan;
  readonly command?: Partial<TerraformCommand>;
  /** How the engine names itself. */
  readonly terraformVersion?: string;
}

/** Terraform plans and applies with one command. */
export const NO_SAVED_PLAN: AppliedPlan = {
  removedBy: () => Promise.resolve(new Set()),
  contentFor: () => Promise.resolve(NO_CONTENT),
};

/** As different as the product's, which is slow to compute on purpose. */
const quickFingerprinter: Fingerprinter = (salt) => (secret) =>
  Promise.resolve(createHash("sha256").update(`${salt}/${secret}`).digest("hex").slice(0, 32));

/** How long a webhook may take to appear, in tests that look for one. */
export const SETTLE_MS = 60;

/** One provider process as Terraform sees it, in the test's own process. */
export class ProviderUnderTest {
  readonly folder: string;
  readonly #server: PluginServer;
  readonly #client: ProtocolClient;
  readonly #journal: ProviderJournal;
  readonly #open: readonly AppendFile[];
  /** What was said when it was configured. */
  readonly greeting: readonly string[];
  readonly greetings: readonly Diagnostic[];
  readonly #life: Life;

  private constructor(parts: {
    folder: string;
    server: PluginServer;
    client: ProtocolClient;
    journal: ProviderJournal;
    open: readonly AppendFile[];
    greeting: readonly Diagnostic[];
    life: Life;
  }) {
    this.folder = parts.folder;
    this.greeting = said(parts.greeting);
    this.greetings = parts.greeting;
    this.#life = parts.life;
    this.#server = parts.server;
    this.#client = parts.client;
    this.#journal = parts.journal;
    this.#open = parts.open;
  }

  static async start(options: Options): Promise<ProviderUnderTest> {
    const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), "journal-"));
    const pid = options.pid ?? 1001;
    const identity: ProcessIdentity = {
      who: "tester",
      host: "here",
      bootId: "1",
      pidNamespace: "1",
      pid,
      startedAt: "7",
      ...options.place,
      isAlive: (other) => Promise.resolve(options.livingPids?.includes(other) ?? false),
    };
    const open: AppendFile[] = [];
    const life = newLife();
    const clock = mortalClock(options.clock ?? nodeClock, life);
    const files = mortalFiles((options.files ?? ((same) => same))(remembering(nodeFiles(), open)), life);
    const variables = { OUTREACH_SETTLE: `${String(SETTLE_MS)}ms`, ...options.variables };
    const inFolder = journalSettings({ OUTREACH_JOURNAL: folder, ...variables }, files);
    const place = options.store && { name: "the store", store: { value: options.store, diagnostics: [] } };
    const settings = place ? { ...inFolder, place } : inFolder;
    const journal = openProviderJournal(settings, storePorts({ files, random: nodeRandom, process: identity, clock }));
    const services: Services = {
      catalog,
      environment: options.environment ?? { baseUrl: undefined, apiKey: undefined },
      ownSecrets: new Map(),
      baseUrlProblem,
      connect: (service) => connectTo(service, life),
      fingerprinter: quickFingerprinter,
      journal,
      listingDelayMs: settings.listingDelayMs,
      appliedPlan: options.appliedPlan ?? NO_SAVED_PLAN,
      command: () => Promise.resolve({ onlyReads: false, skipsReads: false, ...options.command }),
      clock,
      random: nodeRandom,
    };
    const own = createCertificate();
    const routes = routesOf(ProviderDefinition, createProvider(options.adapt?.(services) ?? services));
    const server = new PluginServer(routes, {
      certificate: createCertificate(),
      clientCertificate: own.certificate,
      endpoint: chooseEndpoint("linux", [tmpdir(), "/tmp"]),
    });
    const client = await ProtocolClient.connect(await server.listen(), own);
    const { diagnostics: greeting } = await client.provider.configureProvider({
      terraformVersion: options.terraformVersion ?? "1.11.4",
      config: value({
        base_url: options.baseUrl,
        api_key: options.apiKey,
        ...(options.mark ? { mark: true } : {}),
        ...options.settings,
      }),
      clientCapabilities: undefined,
    });
    return new ProviderUnderTest({ folder, server, client, journal, open, greeting, life });
  }

  get rpc(): ProtocolClient["provider"] {
    return this.#client.provider;
  }

  /** Sends one request body as it is. */
  call(method: string, body: Uint8Array): ReturnType<ProtocolClient["call"]> {
    return this.#client.call(method, body);
  }

  async validate(attributes: Json, { writeOnly = true } = {}): Promise<readonly string[]> {
    const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: writeOnly };
    const { diagnostics } = await this.rpc.validateResourceConfig({
      typeName: "outreach_webhook",
      config: value(webhook(attributes)),
      clientCapabilities,
    });
    return said(diagnostics);
  }

  /** `passedOn`: Terraform plans again to apply a plan, since 1.16 with the private data of that plan. */
  async plan(prior: Pick<Kept, "state" | "private"> | null, attributes: Json, passedOn?: Uint8Array) {
    const config = webhook(attributes);
    const { plannedState, requiresReplace, plannedPrivate, diagnostics } = await this.rpc.planResourceChange({
      typeName: "outreach_webhook",
      priorState: value(prior?.state ?? null),
      proposedNewState: value(
        prior?.state
          ? { ...config, id: prior.state["id"], created_at: prior.state["created_at"] }
          : { ...config, id: UNKNOWN, created_at: UNKNOWN },
      ),
      config: value(config),
      priorPrivate: prior?.private ?? NO_BYTES,
      plannedPrivate: passedOn,
      clientCapabilities: undefined,
    });
    const replaces = requiresReplace.map(({ steps }) =>
      steps.map(({ selector }) => Object.values(selector ?? {}).at(-1)).join("."),
    );
    return { planned: plain(plannedState), replaces, private: plannedPrivate, said: said(diagnostics), diagnostics };
  }

  async apply(
    prior: Pick<Kept, "state" | "private"> | null,
    planned: Json | null,
    rest: { config?: Json; private: Uint8Array },
  ): Promise<Kept & { readonly diagnostics: readonly Diagnostic[] }> {
    const {
      newState,
      private: bytes,
      diagnostics,
    } = await this.rpc.applyResourceChange({
      typeName: "outreach_webhook",
      priorState: value(prior?.state ?? null),
      plannedState: value(planned),
      config: value(rest.config ? webhook(rest.config) : null),
      plannedPrivate: rest.private,
    });
    return { state: plain(newState), private: bytes, said: said(diagnostics), diagnostics };
  }

  /** Plans and applies, as Terraform does for a new object. */
  async create(attributes: Json) {
    const { planned, private: bytes } = await this.plan(null, attributes);
    return this.apply(null, planned, { config: attributes, private: bytes });
  }

  delete(kept: Pick<Kept, "state" | "private">) {
    return this.apply(kept, null, { private: kept.private });
  }

  async read(kept: Pick<Kept, "state" | "private">): Promise<Kept & { readonly diagnostics: readonly Diagnostic[] }> {
    const {
      newState,
      private: bytes,
      diagnostics,
    } = await this.rpc.readResource({
      typeName: "outreach_webhook",
      currentState: value(kept.state),
      private: kept.private,
      clientCapabilities: undefined,
    });
    return { state: plain(newState), private: bytes, said: said(diagnostics), diagnostics };
  }

  /** Imports and reads, as Terraform does. */
  async import(id: string): Promise<Kept> {
    const { importedResources, diagnostics } = await this.rpc.importResourceState({
      typeName: "outreach_webhook",
      id,
      clientCapabilities: undefined,
    });
    const [imported] = importedResources;
    if (!imported) return { state: null, private: NO_BYTES, said: said(diagnostics) };
    return this.read({ state: plain(imported.state), private: imported.private });
  }

  /** The orderly end of the process. */
  async shutdown({ wasOrderly = true } = {}): Promise<void> {
    await this.#journal.close({ wasOrderly });
    await this.kill();
  }

  /** Its sudden end: what it has begun goes no further. */
  async kill(): Promise<void> {
    this.#life.end();
    this.#client.close();
    this.#server.close();
    for (const file of this.#open) await file.close();
  }

  removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Keeps what was opened, so that the test can close it for a process that was killed. */
function remembering(files: FileSystem, open: AppendFile[]): FileSystem {
  return {
    ...files,
    openAppend: async (name, options) => {
      const file = await files.openAppend(name, options);
      open.push(file);
      return file;
    },
  };
}

/** The clock of a process: once that has ended, it never wakes. */
function mortalClock(clock: Clock, life: Life): Clock {
  return {
    ...clock,
    sleep: async (durationMs, signal) => {
      await clock.sleep(durationMs, signal);
      if (life.isOver) await never();
    },
  };
}

/** The network of a process: once that has ended, nothing comes back to it. */
function mortalTransport(transport: Web, life: Life): Web {
  return {
    ...transport,
    send: async (request, signal) => {
      if (life.isOver) return never();
      const answer = transport.send(request, signal);
      await answer.catch(() => undefined);
      return life.isOver ? never() : answer;
    },
  };
}

function connectTo(settings: ServiceSettings, life: Life) {
  const options = {
    ...settings,
    transport: mortalTransport(nodeExchange(nodeClock), life),
    pacer: slidingPacer(nodeClock),
    clock: nodeClock,
    timeoutMs: 2000,
    userAgent: "test",
    jitter: () => 0,
    redactor: redactor(),
  };
  return {
    readClient: readClient(options),
    access: { reserve: (count: number, signal: AbortSignal) => reserveWrites(options, count, signal) },
  };
}
