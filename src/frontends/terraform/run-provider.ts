import { withinTime } from "../../core/model/async.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import { randomFraction } from "../../core/model/random-fraction.ts";
import type { Fingerprinter } from "../../core/secrets/fingerprint.ts";
import { redactor } from "../../core/secrets/redactor.ts";
import type { MachinePorts } from "../../core/model/ports.ts";
import type { StorePorts } from "../../core/state/state-store.ts";
import { readClient, reserveWrites } from "../../service/api/client.ts";
import { nodeExchange } from "../../service/api/node-exchange.ts";
import type { Web } from "../../core/model/web.ts";
import { slidingPacer } from "../../service/api/pacer.ts";
import { proxyFor } from "../../service/api/proxy.ts";
import { baseUrlProblem } from "../../service/api/service-path.ts";
import { catalog } from "../../service/resources/catalog.ts";
import { openAppliedPlan, terraformCommand } from "./terraform-command.ts";
import { createCertificate } from "./plugin/certificate.ts";
import { ProviderDefinition } from "./generated/tfplugin6.ts";
import { chooseEndpoint, readInvitation } from "./plugin/handshake.ts";
import { journalSettings, openProviderJournal } from "./journal/provider-journal.ts";
import { createProvider } from "./provider.ts";
import { loggedSend, openLog } from "./provider-log.ts";
import { ownSecrets } from "./own-keys.ts";
import { routesOf } from "./plugin/grpc.ts";
import { PluginServer } from "./plugin/plugin-server.ts";
import type { Connection, ServiceSettings, Services } from "./services.ts";

/** The process that the provider runs in. */
export interface Host extends MachinePorts {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly platform: string;
  /** The first that a socket can be in is used. */
  readonly temporaryFolders: readonly string[];
  readonly fingerprinter: Fingerprinter;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The arguments of Terraform, its own name first; null if they are not known. */
  readonly startedWith: () => Promise<readonly string[] | null>;
  /** Terraform's command line as one text; null if it is not known. */
  readonly commandLine: () => Promise<string | null>;
  /** Resolves when Terraform is gone. */
  readonly orphaned: Promise<"gone">;
  readonly atExit: (listener: () => void) => void;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** How long writes in flight may take to end after Terraform is gone. */
const LAST_CALLS_MS = 60_000;

/** Serves the Terraform process that started this one, until that is done with it. Resolves with the exit code. */
export async function runProvider(host: Host): Promise<number> {
  const { environment, files, clock } = host;
  const invitation = readInvitation(environment);
  if (invitation.kind === "refuse") {
    host.err(invitation.message);
    return 1;
  }
  const settings = journalSettings(environment, files);
  const { listingDelayMs, timeoutMs } = settings;
  const own = ownSecrets(environment);
  const hide = (secret: string): void => void own.set(secret, "a secret of the journal");
  const ports = storePorts(host, { timeoutMs, hide });
  const journal = openProviderJournal(settings, ports);
  const appliedPlan = openAppliedPlan(files, host.startedWith);
  const endpoint = chooseEndpoint(host.platform, host.temporaryFolders);
  host.atExit(endpoint.dispose);
  const provider = createProvider(services(host, { journal, listingDelayMs, appliedPlan, ownSecrets: own }));
  const server = new PluginServer(routesOf(ProviderDefinition, provider), {
    certificate: createCertificate(),
    clientCertificate: invitation.clientCertificate,
    endpoint,
  });
  host.out(await server.listen());
  const end = await Promise.race([server.ended, host.orphaned]);
  const lastCalls = async (): Promise<number> => {
    // No Terraform would record a new write, and the next run may have begun already.
    if (end === "gone") await provider.stopProvider({});
    await server.idle();
    await journal.close({ wasOrderly: end === "shutdown" });
    server.close();
    return 0;
  };
  return withinTime(lastCalls(), LAST_CALLS_MS, clock, () => 1);
}

type Opened = "journal" | "listingDelayMs" | "appliedPlan" | "ownSecrets";

function services(host: Host, opened: Pick<Services, Opened>): Services {
  const { environment, clock, random, fingerprinter } = host;
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
    connect: (settings) => connect(settings, host),
    fingerprinter,
    ...opened,
    command: async () =>
      terraformCommand((await host.startedWith()) ?? ((await host.commandLine()) ?? "").split(" "), environment),
    clock,
    random,
  };
}

function connect(settings: ServiceSettings, host: Host): Connection {
  const { baseUrl } = settings;
  const { environment, clock } = host;
  const proxy = proxyFor(baseUrl, environment);
  const options = {
    ...settings,
    transport: withLog(nodeExchange(clock, { proxy: proxy && "url" in proxy ? proxy : null }), host),
    pacer: slidingPacer(clock),
    clock,
    jitter: () => randomFraction(host.random),
    timeoutMs: durationMs(environment["OUTREACH_TIMEOUT"] ?? "") ?? DEFAULT_TIMEOUT_MS,
    userAgent: "terraform-provider-outreach",
    redactor: redactor(),
  };
  return {
    readClient: readClient(options),
    access: { reserve: (count, signal) => reserveWrites(options, count, signal) },
  };
}

/** With `TF_LOG`, logs each request on stderr, which Terraform reads. */
function withLog(transport: Web, { environment, clock, err }: Host): Web {
  const log = openLog(environment, { clock, write: err });
  return log === null
    ? transport
    : {
        send: loggedSend((request, signal) => transport.send(request, signal), log, clock),
        close: () => transport.close(),
      };
}

/** What the store of the journal needs. Its secrets are environment variables. */
function storePorts(host: Host, { timeoutMs, hide }: Pick<StorePorts, "timeoutMs" | "hide">): StorePorts {
  const { clock, environment } = host;
  return {
    ...host,
    web: async () => (await import("../../service/api/node-web.ts")).nodeWeb(clock, { environment, hide }),
    reveal: (source) =>
      Promise.resolve(
        source.kind === "value" ? source.value : source.kind === "env" ? (environment[source.name] ?? "") : "",
      ),
    hide,
    timeoutMs,
  };
}
