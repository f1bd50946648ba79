import type { OpenStore } from "../../../../src/core/state/state-store.ts";
import { resourceOf } from "../../../../src/core/model/definition.ts";
import type { Clock, ProcessIdentity, Random } from "../../../../src/core/model/ports.ts";
import { type Attributes, UNKNOWN, type Value, canonicalJson } from "../../../../src/core/model/value.ts";
import {
  type Diagnostic,
  Diagnostic_Severity,
  type DynamicValue,
} from "../../../../src/frontends/terraform/generated/tfplugin6.ts";
import { openProviderJournal } from "../../../../src/frontends/terraform/journal/provider-journal.ts";
import { journalPlace } from "../../../../src/frontends/provider-journal/ledger-place.ts";
import { createProvider } from "../../../../src/frontends/terraform/provider.ts";
import { PROVIDER_SCHEMA } from "../../../../src/frontends/terraform/wire/wire-schema.ts";
import { decodeValue, encodeValue } from "../../../../src/frontends/terraform/wire/terraform-values.ts";
import type { Chance } from "../../../core/apply/chance.ts";
import { type Life, mortalFiles, never, newLife } from "../../../core/apply/life.ts";
import type { RandomService } from "../../../core/apply/random-service.ts";
import { NO_SAVED_PLAN } from "../provider-under-test.ts";
import { shopCatalog } from "../../../core/apply/shop-things.ts";
import type { MemoryFiles } from "../../../core/state/memory-files.ts";
import { storePorts } from "../../../core/state/state-fixtures.ts";

export const FOLDER = "work/outreach-journal";
export const SETTLE_MS = { answered: 100, unanswered: 600 };
const NO_BYTES = new Uint8Array();

/** What a configuration declares at an address. */
export interface Declared {
  readonly address: string;
  readonly type: string;
  readonly attributes: Attributes;
}

/** An object as Terraform keeps it. */
export interface Stored {
  readonly type: string;
  readonly attributes: Attributes;
  readonly private: Uint8Array;
  readonly isTainted: boolean;
}

export type State = ReadonlyMap<string, Stored>;

export interface Place {
  /** Where the journal is, in the place of a folder. */
  readonly store?: (life: Life) => OpenStore;
  readonly files: MemoryFiles;
  readonly clock: Clock;
  readonly random: Random;
  readonly chance: Chance;
  readonly service: RandomService;
}

export interface Said {
  readonly address: string;
  readonly isError: boolean;
  readonly summary: string;
  readonly detail: string;
}

/** What an apply came to. `crashed`: all its processes have ended at once. */
export interface Ran {
  readonly kind: "well" | "errors" | "crashed";
  readonly said: readonly Said[];
  /** As Terraform has it in memory. */
  readonly state: State;
  readonly hadNothingToDo: boolean;
}

/** Terraform itself, as far as the provider can tell: a plan and an apply, each with a process of its own. */
export function smallTerraform({ files, clock, random, chance, service, store }: Place) {
  let pid = 100;

  async function openProcess(life: Life, said: Said[]) {
    const identity: ProcessIdentity = {
      who: "ada",
      host: "here",
      bootId: "1",
      pidNamespace: "1",
      pid: ++pid,
      startedAt: "1",
      // Terraform's lock sees to it that all others have gone.
      isAlive: () => Promise.resolve(false),
    };
    const mortalClock: Clock = {
      ...clock,
      sleep: async (durationMs, signal) => {
        await clock.sleep(durationMs, signal);
        if (life.isOver) await never();
      },
    };
    const inFolder = journalPlace({ OUTREACH_JOURNAL: FOLDER });
    const settings = {
      place: store ? { ...inFolder, store: { value: store(life), diagnostics: [] } } : inFolder,
      workspace: () => Promise.resolve("default"),
      listingDelayMs: SETTLE_MS,
      timeoutMs: 1000,
      isShortLived: false,
      problems: [],
    };
    const journal = openProviderJournal(
      settings,
      storePorts({ files: mortalFiles(files, life), random, process: identity, clock: mortalClock }),
    );
    const shop = service.shopOf(life);
    const provider = createProvider({
      catalog: shopCatalog,
      environment: { baseUrl: undefined, apiKey: undefined },
      random,
      ownSecrets: new Map(),
      baseUrlProblem: () => undefined,
      appliedPlan: NO_SAVED_PLAN,
      command: () => Promise.resolve({ onlyReads: false, skipsReads: false }),
      connect: () => ({
        readClient: shop,
        access: {
          reserve: async (_count, signal) => {
            if (life.isOver) return never();
            await mortalClock.sleep(chance.below(5), signal);
            return { client: shop, release: () => undefined };
          },
        },
      }),
      fingerprinter: (salt) => (secret) => Promise.resolve(`${salt}/${secret}`),
      journal,
      listingDelayMs: SETTLE_MS,
      clock: mortalClock,
    });
    const note = (address: string, diagnostics: readonly Diagnostic[]): boolean => {
      for (const { severity, summary, detail } of diagnostics)
        said.push({ address, isError: severity === Diagnostic_Severity.ERROR, summary, detail });
      return diagnostics.some(({ severity }) => severity === Diagnostic_Severity.ERROR);
    };
    const { diagnostics } = await provider.configureProvider({
      terraformVersion: "1.11.4",
      config: encodeValue({ base_url: "https://toys.example/api", api_key: "the-key" }, PROVIDER_SCHEMA),
      clientCapabilities: undefined,
    });
    note("", diagnostics);
    return { provider, journal, note };
  }
  type Process = Awaited<ReturnType<typeof openProcess>>;

  const schemaOf = (type: string) => resourceOf(shopCatalog, type).schema;
  const wire = (type: string, attributes: Attributes | null): DynamicValue => encodeValue(attributes, schemaOf(type));

  /** Each object of the state as it is now. */
  async function refresh(
    { provider, note }: Process,
    state: State,
  ): Promise<{ readonly state: State; readonly failed: boolean }> {
    const now = new Map<string, Stored>();
    let failed = false;
    await Promise.all(
      [...state].map(async ([address, stored]) => {
        const { type } = stored;
        const rawState = { json: new TextEncoder().encode(JSON.stringify(stored.attributes)), flatmap: {} };
        const { upgradedState } = await provider.upgradeResourceState({ typeName: type, version: 0, rawState });
        const read = await provider.readResource({
          typeName: type,
          currentState: upgradedState,
          private: stored.private,
          clientCapabilities: undefined,
          currentIdentity: undefined,
        });
        failed = note(address, read.diagnostics) || failed;
        const attributes = decodeValue(read.newState, schemaOf(type));
        if (attributes) now.set(address, { ...stored, attributes, private: read.private });
      }),
    );
    return { state: now, failed };
  }

  async function planOne({ provider, note }: Process, declared: Declared, prior: Stored | undefined) {
    const { type, address, attributes } = declared;
    const config = wire(type, attributes);
    const computed = Object.entries(schemaOf(type)).flatMap(([name, { mode }]) => (mode === "computed" ? [name] : []));
    const proposed = Object.fromEntries(
      computed.map((name): [string, Value] => [name, prior ? (prior.attributes[name] ?? null) : UNKNOWN]),
    );
    const plan = await provider.planResourceChange({
      typeName: type,
      priorState: wire(type, prior?.attributes ?? null),
      proposedNewState: wire(type, { ...attributes, ...proposed }),
      config,
      priorPrivate: prior?.private ?? NO_BYTES,
      clientCapabilities: undefined,
      priorIdentity: undefined,
    });
    const failed = note(address, plan.diagnostics);
    return {
      planned: plan.plannedState,
      private: plan.plannedPrivate,
      replaces: plan.requiresReplace.length > 0,
      failed,
    };
  }

  async function applyOne(
    { provider, note }: Process,
    change: {
      readonly address: string;
      readonly type: string;
      readonly prior: Stored | null;
      readonly planned: DynamicValue | undefined;
      readonly config: Attributes | null;
      readonly private: Uint8Array;
    },
  ) {
    const { address, type, prior, planned, config } = change;
    const answer = await provider.applyResourceChange({
      typeName: type,
      priorState: wire(type, prior?.attributes ?? null),
      plannedState: planned,
      config: wire(type, config),
      plannedPrivate: change.private,
      plannedIdentity: undefined,
    });
    const failed = note(address, answer.diagnostics);
    return { attributes: decodeValue(answer.newState, schemaOf(type)), private: answer.private, failed };
  }

  /** One `terraform apply`. Its state is what Terraform has in memory; what of that is on its disk is the caller's to decide. */
  async function apply(
    before: State,
    allDesired: readonly Declared[],
    { life = newLife(), stop = null }: { readonly life?: Life; readonly stop?: Promise<void> | null } = {},
  ): Promise<Ran> {
    const said: Said[] = [];
    const state = new Map(before);
    let todo = 0;
    const work = async (): Promise<"well" | "errors"> => {
      const planning = await openProcess(life, said);
      const refreshed = await refresh(planning, before);
      const plans = new Map<string, { readonly declared: Declared; readonly isReplace: boolean }>();
      let failed = refreshed.failed;
      for (const declared of allDesired) {
        const prior = refreshed.state.get(declared.address);
        const plan = await planOne(planning, declared, prior);
        failed ||= plan.failed;
        const after = decodeValue(plan.planned, schemaOf(declared.type));
        const isSame =
          prior !== undefined && !prior.isTainted && canonicalJson(after) === canonicalJson(prior.attributes);
        if (!isSame)
          plans.set(declared.address, {
            declared,
            isReplace: prior !== undefined && (plan.replaces || prior.isTainted),
          });
      }
      await planning.journal.close({ wasOrderly: true });
      if (life.isOver) return never();
      // A refresh that failed ends the run; the state stays as it was.
      if (failed) return "errors";
      state.clear();
      for (const [address, stored] of refreshed.state) state.set(address, stored);
      const orphans = [...state.keys()].filter((address) => allDesired.every((desired) => desired.address !== address));
      todo = plans.size + orphans.length;
      if (todo === 0) return "well";
      const applying = await openProcess(life, said);
      void stop?.then(() => applying.provider.stopProvider({}));
      const failures = await Promise.all([
        ...orphans.map((address) => destroy(applying, state, address)),
        ...[...plans.values()].map((plan) => carryOut(applying, state, plan)),
      ]);
      await applying.journal.close({ wasOrderly: true });
      return failures.some(Boolean) ? "errors" : "well";
    };
    const kind = await Promise.race([work(), life.over.then(() => "crashed" as const)]);
    return { kind, said, state: new Map(state), hadNothingToDo: kind === "well" && todo === 0 };
  }

  async function destroy(process: Process, state: Map<string, Stored>, address: string): Promise<boolean> {
    const prior = state.get(address);
    if (!prior) return false;
    const { type } = prior;
    const {
      attributes,
      private: bytes,
      failed,
    } = await applyOne(process, {
      address,
      type,
      prior,
      planned: wire(type, null),
      config: null,
      private: prior.private,
    });
    if (attributes) state.set(address, { ...prior, attributes, private: bytes });
    else state.delete(address);
    return failed;
  }

  async function carryOut(
    process: Process,
    state: Map<string, Stored>,
    { declared, isReplace }: { readonly declared: Declared; readonly isReplace: boolean },
  ): Promise<boolean> {
    const { address, type, attributes: config } = declared;
    if (isReplace && (await destroy(process, state, address))) return true;
    const prior = state.get(address);
    const plan = await planOne(process, declared, prior);
    if (plan.failed) return true;
    const done = await applyOne(process, {
      address,
      type,
      prior: prior ?? null,
      planned: plan.planned,
      config,
      private: plan.private,
    });
    if (done.attributes)
      state.set(address, {
        type,
        attributes: done.attributes,
        private: done.private,
        isTainted: done.failed && !prior,
      });
    else state.delete(address);
    return done.failed;
  }

  /** `terraform import`: takes a live object into the state. */
  async function importInto(before: State, { address, type }: Declared, id: string): Promise<State> {
    const process = await openProcess(newLife(), []);
    const { importedResources } = await process.provider.importResourceState({
      typeName: type,
      id,
      clientCapabilities: undefined,
      identity: undefined,
    });
    const [imported] = importedResources;
    const attributes = decodeValue(imported?.state, schemaOf(type));
    if (!imported || !attributes) return before;
    const state = new Map([...before, [address, { type, attributes, private: imported.private, isTainted: false }]]);
    const refreshed = await refresh(process, state);
    await process.journal.close({ wasOrderly: true });
    return refreshed.state;
  }

  return { apply, importInto };
}
