import * as http from "node:http";

/** A server that answers every request with the same JSON. */
export async function bareServer(body: string): Promise<{ readonly url: string; close(): void }> {
  const bytes = Buffer.from(body);
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** One request on a keep-alive connection, a POST if it has a body. Returns the answer's body as text. */
export function bareRequest(
  url: string,
  agent: http.Agent,
  headers: { readonly [name: string]: string } = {},
  body?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, headers, method: body === undefined ? "GET" : "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`answered ${String(response.statusCode)}`));
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}
