import { tmpdir } from "node:os";
import { durationMs } from "../../core/model/time.ts";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { keyName } from "../../core/secrets/key-name.ts";
import { redactor } from "../../core/secrets/redactor.ts";
import type { LocalPorts, StorePorts } from "../../core/state/state-store.ts";
import { nodeClock } from "../../platform/node-clock.ts";
import { argumentsOf } from "../../platform/process-arguments.ts";
import { nodeFiles } from "../../platform/node-files.ts";
import { nodeProcess } from "../../platform/node-process.ts";
import { nodeRandom } from "../../platform/node-random.ts";
import { nodeUserFolder } from "../../platform/node-user-folder.ts";
import { readClient, reserveWrites } from "../../service/api/client.ts";
import { nodeTransport } from "../../service/api/node-transport.ts";
import type { Transport } from "../../service/api/transport.ts";
import { slidingPacer } from "../../service/api/pacer.ts";
import { proxyFor } from "../../service/api/proxy.ts";
import { baseUrlProblem } from "../../service/api/service-path.ts";
import { sharedLog } from "../../service/api/shared-log.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { openAppliedPlan } from "./applied-plan.ts";
import { createCertificate } from "./certificate.ts";
import { ProviderDefinition } from "./generated/tfplugin6.ts";
import { chooseEndpoint, readInvitation } from "./handshake.ts";
import { journalSettings } from "./journal/journal-place.ts";
import { openProviderJournal } from "./journal/provider-journal.ts";
import { createProvider } from "./provider.ts";
import { loggedSend, openLog } from "./request-log.ts";
import { routesOf } from "./routes.ts";
import { openListLengths } from "./list-lengths.ts";
import { openPlanNotes } from "./plan-notes.ts";
import { PluginServer } from "./server.ts";
import type { Connection, ServiceSettings, Services } from "./services.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const PARENT_POLL_MS = 1000;
/** How long writes in flight may take to end after Terraform is gone. */
const LAST_CALLS_MS = 60_000;

const environment = process.env;
/** Taken at the very start: when Terraform dies, this process gets another parent. */
const parent = process.ppid;

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  const invitation = readInvitation(environment);
  if (invitation.kind === "refuse") {
    process.stderr.write(invitation.message);
    process.exit(1);
  }
  // Ctrl-C reaches the whole process group. Terraform calls StopProvider when it wants this process to stop.
  process.on("SIGINT", () => undefined);
  const files = nodeFiles();
  const settings = journalSettings(environment, files);
  const { place, listingDelayMs, timeoutMs } = settings;
  const { folder } = place;
  const local = { files, random: nodeRandom, process: nodeProcess, clock: nodeClock };
  const journal = openProviderJournal(settings, storePorts(local, timeoutMs));
  const planNotes = (scope: () => Promise<string>) => openPlanNotes(folder, { files, clock: nodeClock }, scope);
  const listLengths = (scope: () => Promise<string>) => openListLengths(folder, { files, clock: nodeClock }, scope);
  const appliedPlan = openAppliedPlan(files, () => argumentsOf(parent));
  const endpoint = chooseEndpoint(process.platform, [tmpdir(), "/tmp"]);
  process.on("exit", endpoint.dispose);
  const provider = createProvider(services({ journal, planNotes, listLengths, listingDelayMs, appliedPlan }));
  const server = new PluginServer(routesOf(ProviderDefinition, provider), {
    certificate: createCertificate(),
    clientCertificate: invitation.clientCertificate,
    endpoint,
  });
  process.stdout.write(await server.listen());
  const end = await Promise.race([server.ended, orphaned()]);
  const deadline = setTimeout(() => process.exit(1), LAST_CALLS_MS);
  // No Terraform would record a new write, and the next run may have begun already.
  if (end === "gone") await provider.stopProvider({});
  await server.idle();
  await journal.close({ wasOrderly: end === "shutdown" });
  clearTimeout(deadline);
  server.close();
  process.exit(0);
}

function services(opened: Pick<Services, "journal" | "planNotes" | "listLengths" | "listingDelayMs" | "appliedPlan">): Services {
  return {
    catalog,
    environment: {
      baseUrl: environment["OUTREACH_BASE_URL"],
      apiKey: environment["OUTREACH_API_KEY"],
      certificatesUnverified: environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0",
    },
    baseUrlProblem,
    proxyProblem: (baseUrl) => {
      const proxy = proxyFor(baseUrl, environment);
      return proxy && "problem" in proxy ? proxy.problem : undefined;
    },
    connect,
    fingerprinter,
    ...opened,
    clock: nodeClock,
  };
}

function connect(settings: ServiceSettings): Connection {
  const { baseUrl, apiKey } = settings;
  const proxy = proxyFor(baseUrl, environment);
  const shared = sharedLog(nodeClock, { ...nodeUserFolder(environment), name: keyName({ baseUrl, apiKey }), participant: nodeRandom.uuid() });
  const options = {
    ...settings,
    transport: logged(nodeTransport(nodeClock, proxy && "url" in proxy ? proxy : null)),
    pacer: slidingPacer(nodeClock, 1, shared),
    clock: nodeClock,
    timeoutMs: durationMs(environment["OUTREACH_TIMEOUT"] ?? "") ?? DEFAULT_TIMEOUT_MS,
    userAgent: "terraform-provider-outreach",
    redactor: redactor(),
  };
  return { readClient: readClient(options), access: { reserve: (count, signal) => reserveWrites(options, count, signal) } };
}

/** With `TF_LOG`, logs each request on stderr, which Terraform reads. */
function logged(transport: Transport): Transport {
  const log = openLog(environment, { clock: nodeClock, write: (line) => void process.stderr.write(line) });
  return log === null ? transport : { send: loggedSend((request, signal) => transport.send(request, signal), log, nodeClock), close: () => transport.close() };
}

/** What the store of the journal needs. Its secrets are environment variables. */
function storePorts(local: LocalPorts, timeoutMs: number): StorePorts {
  const hide = (): void => undefined;
  return {
    ...local,
    environment,
    web: async () => (await import("../../service/api/node-web.ts")).nodeWeb(nodeClock, { environment, hide }),
    reveal: (source) => Promise.resolve(source.kind === "value" ? source.value : source.kind === "env" ? (environment[source.name] ?? "") : ""),
    hide,
    timeoutMs,
  };
}

/** Resolves when the process that started this one is gone. */
function orphaned(): Promise<"gone"> {
  return new Promise((resolve) => {
    const poll = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(poll);
      resolve("gone");
    }, PARENT_POLL_MS);
  });
}
