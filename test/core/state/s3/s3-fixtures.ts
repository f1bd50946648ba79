import { type Diagnostic, DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { s3Backend, s3Place } from "../../../../src/core/state/s3/backend.ts";
import { s3Store } from "../../../../src/core/state/s3/s3-store.ts";
import type { Web } from "../../../../src/core/model/web.ts";
import { readSettings } from "../../../../src/core/state/settings.ts";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import type { StateStore, StorePorts } from "../../../../src/core/state/state-store.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { memoryFiles } from "../memory-files.ts";
import { type S3Options, type S3Server, startS3Server } from "./s3-server.ts";
import { countingRandom, processOf, storePorts } from "../state-fixtures.ts";

/** A server of its own, and stores of the state `a/b c.json` on it. */
export interface S3Fixture {
  readonly server: S3Server;
  readonly environment: { [name: string]: string | undefined };
  readonly ports: StorePorts;
  /** What stores have kept out of output. */
  readonly hidden: string[];
  /** Opens a store as another process would. */
  open(settings?: StateSettings, ports?: Partial<StorePorts>): StateStore;
}

export const S3_KEY = "a/b c.json";

/** Gives each test its own server. `closeAll` ends them. */
export function s3Fixtures(): {
  readonly clock: ReturnType<typeof virtualClock>;
  start(options?: S3Options): Promise<S3Fixture>;
  closeAll(): Promise<void>;
} {
  let underWay = 0;
  const clock = virtualClock(undefined, () => underWay > 0);
  /** No time passes while requests are under way. */
  const counted = ({ send, ...web }: Web): Web => ({
    ...web,
    send: async (request, signal) => {
      underWay++;
      try {
        return await send(request, signal);
      } finally {
        underWay--;
      }
    },
  });
  const random = countingRandom();
  const servers: S3Server[] = [];
  return {
    clock,
    start: async (options) => {
      const server = await startS3Server({ nowMs: clock.now, ...options });
      servers.push(server);
      const hidden: string[] = [];
      const environment: S3Fixture["environment"] = {
        AWS_ACCESS_KEY_ID: server.accessKeyId,
        AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
        AWS_REGION: server.region,
        AWS_ENDPOINT_URL_S3: server.url,
      };
      const local = { files: memoryFiles(), clock, random, process: processOf() };
      const usual = storePorts(local, environment);
      const web = counted(await usual.web());
      const ports: StorePorts = {
        ...usual,
        web: () => Promise.resolve(web),
        hide: (secret: string) => void hidden.push(secret),
      };
      return {
        server,
        environment,
        ports,
        hidden,
        open: (settings = {}, more = {}) => {
          const { value: read, diagnostics } = readSettings(
            s3Backend,
            { bucket: server.bucket, key: S3_KEY, ...settings },
            { environment },
          );
          const { value: place, diagnostics: problems } = read
            ? s3Place(read.values, read)
            : { value: null, diagnostics };
          if (!place) throw new Error(JSON.stringify(problems));
          return s3Store(place, { ...ports, ...more });
        },
      };
    },
    closeAll: async () => {
      for (const server of servers.splice(0)) await server.close();
    },
  };
}

/** The diagnostic that an operation ends with. */
export async function problem(operation: Promise<unknown>): Promise<Diagnostic> {
  const error = await operation.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiagnosticsError) || !error.diagnostics[0]) throw error;
  return error.diagnostics[0];
}
