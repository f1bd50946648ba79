import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { textAnswer } from "./answer.ts";
import { answerApi } from "./service-api.ts";
import { answerControl, CONTROL_PATH } from "./control-api.ts";
import type { Activity } from "./events/activity.ts";
import type { EventRequest } from "./events/event-request.ts";
import { triggerEvents } from "./events/triggered-events.ts";
import type { Fault } from "./faults.ts";
import type { SandboxKeys } from "./authenticate.ts";
import type { Collection, Records, SeedRecords, WebhookRecord } from "./sandbox-records.ts";
import { configure, createRuntime, remove, reset, seedRuntime } from "./runtime.ts";
import type { Runtime, SandboxOptions } from "./runtime.ts";
import type { SandboxSeed } from "./seed.ts";
import { sendAnswer } from "./send.ts";
import type { SandboxSettingsChange } from "./sandbox-settings.ts";
import { addRecord, changeRecord, worldAsSeed } from "./world.ts";

/**
 * Starts a copy of the whole service on 127.0.0.1, with a control API outside the API's path. Rejects
 * if the port is in use or the seed is invalid.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const runtime = createRuntime(options);
  const server = createServer((request, response) => void answer(runtime, request, response));
  server.keepAliveTimeout = 30_000;
  await once(server.listen(options.port ?? 0, "127.0.0.1"), "listening");
  runtime.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return sandboxOf(runtime, server);
}

/** A running sandbox, for callers in the same process. */
export type Sandbox = ReturnType<typeof sandboxOf>;

function sandboxOf(runtime: Runtime, server: Server) {
  const { deliveries, faults, log, source } = runtime;
  return {
    /** The address without a path, such as `http://127.0.0.1:4010`. */
    url: runtime.url,
    /** The API's base address: `url` and the base path. */
    baseUrl: runtime.url + (runtime.basePath === "/" ? "" : runtime.basePath),
    /** The address of the control API. */
    controlUrl: runtime.url + CONTROL_PATH,
    /** A key of each kind in the seed. */
    get keys(): SandboxKeys {
      return runtime.keys;
    },
    /** The API requests so far, oldest first, without the control API's. */
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    /** The live webhooks of all teams, including the fields that the service never returns. */
    webhooks: (): readonly WebhookRecord[] => [...runtime.world.webhooks.values()],
    /** All records of one collection. */
    records: <Name extends Collection>(collection: Name) =>
      [...runtime.world[collection].values()] as unknown as readonly Records[Name][],
    /** Records and settings as a seed that recreates this sandbox. */
    state: (): SandboxSeed => ({ ...worldAsSeed(runtime.world), settings: runtime.settings }),
    settings: () => runtime.settings,
    configure: (change: SandboxSettingsChange) => configure(runtime, change),
    /** Resets records, settings, faults, the request log and the deliveries to the start. */
    reset: () => void reset(runtime),
    /** Replaces all records and settings; throws if the seed is invalid. */
    seed: (seed: SandboxSeed) => throwIfAny(seedRuntime(runtime, seed)),
    /** Adds a record without an API request; throws if it already exists or a reference is invalid. */
    add: <Name extends Collection>(collection: Name, seed: SeedRecords[Name]): Records[Name] => {
      const { record, errors } = addRecord(runtime.world, collection, seed, source);
      throwIfAny(errors);
      return record;
    },
    /** Changes a record without an API request; throws if the id does not exist. */
    change: <Name extends Collection>(collection: Name, id: string, change: Partial<Records[Name]>): void => {
      const { record, errors } = changeRecord(runtime.world, collection, id, change);
      throwIfAny(record ? errors : [`${id}: no such record in ${collection}`]);
    },
    /** Removes a record without an API request. Returns whether the id existed. */
    remove: (collection: Collection, id: string) => remove(runtime, collection, id) !== null,
    /** Records events and delivers them to the webhooks that match; throws if the request is invalid. */
    trigger: (request: EventRequest) => {
      const { triggered, errors } = triggerEvents(runtime, request);
      throwIfAny(errors);
      return triggered.events;
    },
    /** Adds a fault and returns its id. */
    addFault: (fault: Fault) => faults.add(fault),
    removeFault: (id: string) => faults.remove(id),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    /** Delivers an activity to the webhooks that it matches now. */
    emit: (activity: Activity) => deliveries.emit(activity),
    /** The deliveries: all unfinished ones, and the last finished ones; oldest first. */
    deliveries: () => deliveries.list(),
    /** Removes the finished deliveries from the log. */
    clearDeliveries: () => deliveries.clearLog(),
    /** Delivers the event of a logged delivery again; throws if that is not possible. */
    redeliver: (id: number) => {
      const { delivery, errors } = deliveries.redeliver(id);
      if (!delivery) throw new Error(errors.join("; "));
      return delivery;
    },
    /** Resolves when no delivery is queued, under way or waiting for a retry. */
    whenIdle: () => deliveries.whenIdle(),
    /** Cuts all open connections and waits, ends all deliveries, and frees the port. May be called again. */
    close: () => close(runtime, server),
  };
}

async function answer(runtime: Runtime, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const target = request.url ?? "/";
    if (isForeign(request)) {
      const refusal = textAnswer(403, "The sandbox is only for programs on this machine");
      return sendAnswer(response, refusal, {}, runtime.options.clock.now());
    }
    const control =
      target === CONTROL_PATH || target.startsWith(`${CONTROL_PATH}/`) || target.startsWith(`${CONTROL_PATH}?`);
    await (control ? answerControl : answerApi)(runtime, request, response);
  } catch (error) {
    if (runtime.closing.signal.aborted || response.headersSent) return void response.destroy();
    const words = error instanceof Error ? error.message : String(error);
    sendAnswer(response, textAnswer(500, `The sandbox failed: ${words}`), {}, runtime.options.clock.now());
  }
}

const THIS_MACHINE = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[^:]*\.)?localhost)(?::\d+)?$/i;

/** Whether a web page has sent a request, also one whose own name leads to this machine. */
function isForeign({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return origin !== undefined || !THIS_MACHINE.test(host);
}

function close(runtime: Runtime, server: Server): Promise<void> {
  runtime.closing.abort();
  runtime.deliveries.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function throwIfAny(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(errors.join("; "));
}
