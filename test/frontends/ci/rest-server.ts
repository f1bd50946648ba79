import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface RestRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly json?: unknown;
}

/** What happens to a request in place of its answer. With `after`, it is carried out first. */
export interface RestFault {
  readonly method: string;
  readonly action: "drop" | RestAnswer;
  readonly after?: true;
  /** Default: once. */
  readonly times?: number;
}

export interface RestServer {
  readonly origin: string;
  /** `POST /repos/acme/crm/issues/7/comments 201`, in their order. */
  readonly log: readonly string[];
  /** Everything that arrived, to search it for secrets. */
  readonly received: readonly RestRequest[];
  addFault(fault: RestFault): void;
  /** Called with each request before it is carried out. */
  onRequest: (request: RestRequest) => void | Promise<void>;
  close(): Promise<void>;
}

/** A server of a JSON API on this machine, which can fail on demand. */
export async function startRestServer(answerTo: (request: RestRequest) => RestAnswer): Promise<RestServer> {
  const log: string[] = [];
  const received: RestRequest[] = [];
  const faults: { readonly fault: RestFault; left: number }[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = await restRequest(incoming);
      received.push(request);
      await tests.onRequest(request);
      const failing = faults.find(({ fault, left }) => left > 0 && fault.method === request.method);
      if (failing) failing.left--;
      const { action, after } = failing?.fault ?? {};
      const carriedOut = failing && !after ? null : answerTo(request);
      const answer = action === undefined ? (carriedOut as RestAnswer) : action;
      log.push(`${request.method} ${request.url.pathname} ${answer === "drop" ? "dropped" : String(answer.status)}`);
      if (answer === "drop") return void response.destroy();
      const { status, headers = {}, json } = answer;
      response.writeHead(status, { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers });
      response.end(json === undefined ? "" : JSON.stringify(json));
    })().catch((error: unknown) => {
      log.push(String(error));
      response.writeHead(500).end(JSON.stringify({ message: `The server of the test failed: ${String(error)}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const tests: RestServer = {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    log,
    received,
    addFault: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    onRequest: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tests;
}

async function restRequest(incoming: IncomingMessage): Promise<RestRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { method = "", url = "", headers } = incoming;
  return { method, url: new URL(url, "http://localhost"), headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** One page of a list, with the `Link` header that names the next page. */
export function pageOf<T>(
  items: readonly T[],
  { url, headers }: Pick<RestRequest, "url" | "headers">,
  fallback: number,
): { readonly page: readonly T[]; readonly link: string | null } {
  const size = Math.min(100, Number(url.searchParams.get("per_page") ?? fallback));
  const number = Number(url.searchParams.get("page") ?? 1);
  const next = new URL(url.pathname + url.search, `http://${headers.host ?? ""}`);
  next.searchParams.set("page", String(number + 1));
  const page = items.slice((number - 1) * size, number * size);
  return { page, link: number * size < items.length ? `<${next.href}>; rel="next", <${next.href}>; rel="last"` : null };
}
