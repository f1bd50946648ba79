import * as http from "node:http";
import { bareServer } from "./bare-http.ts";
import { serviceUrl } from "../../src/service/api/service-path.ts";
import { nodeTransport } from "../../src/service/api/node-transport.ts";
const LISTED = Array.from({ length: 10 }, (_, index) => ({ _id: `hoo_${String(index)}`, targetUrl: `https://crm.example.com/${String(index)}`, type: "emailsReplied" }));
async function main() {
  const server = await bareServer(JSON.stringify(LISTED));
  const never = new AbortController().signal;
  const H = { authorization: "Basic abc", accept: "application/json", "user-agent": "bench" };
  function req(o: { agent: http.Agent; url: string | URL; headers?: any; method?: string; deadline?: boolean; signal?: boolean; socketEv?: boolean; buf?: boolean; opts?: any }): Promise<string> {
    return new Promise((resolve, reject) => {
      const d = o.deadline ? AbortSignal.timeout(30000) : null;
      const f = () => reject(new Error("x"));
      d?.addEventListener("abort", f, { once: true });
      if (o.signal) never.addEventListener("abort", f, { once: true });
      const r = o.opts ? http.request({ ...o.opts, agent: o.agent, headers: o.headers ?? {} }) : http.request(o.url, { agent: o.agent, headers: o.headers ?? {}, method: o.method ?? "GET" });
      if (o.socketEv) r.on("socket", (s) => { if (s.connecting) s.once("connect", () => {}); });
      r.on("error", reject);
      r.on("response", (res) => {
        let t = ""; const chunks: Buffer[] = [];
        if (!o.buf) { res.setEncoding("utf8"); res.on("data", (c) => (t += c)); } else res.on("data", (c) => chunks.push(c));
        res.on("error", reject);
        res.on("end", () => { d?.removeEventListener("abort", f); if (o.signal) never.removeEventListener("abort", f); resolve(o.buf ? Buffer.concat(chunks).toString() : t); });
      });
      r.end();
    });
  }
  const plain = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const timed = new http.Agent({ keepAlive: true, maxSockets: 8, timeout: 4000 });
  const url = `${server.url}/hooks`; const U = new URL(url);
  const tr = nodeTransport();
  const cases: Record<string, () => Promise<unknown>> = {
    bare: () => req({ agent: plain, url }),
    agent8: async () => null,
    agentTimeout: () => req({ agent: timed, url }),
    headers: () => req({ agent: plain, url, headers: H }),
    deadline: () => req({ agent: plain, url, deadline: true }),
    signal: () => req({ agent: plain, url, signal: true }),
    socketEv: () => req({ agent: plain, url, socketEv: true }),
    buf: () => req({ agent: plain, url, buf: true }),
    urlObj: () => req({ agent: plain, url: U }),
    opts: () => req({ agent: plain, url: U, opts: { host: U.hostname, port: U.port, path: U.pathname, method: "GET" } }),
    serviceUrl: () => { serviceUrl(server.url, ["hooks"]); return req({ agent: plain, url }); },
    transport: () => tr.send({ method: "GET", url: U, headers: H, body: null, timeoutMs: 30000 }, never),
  };
  var plain8 = new http.Agent({ keepAlive: true, maxSockets: 8 });
  cases.agent8 = () => req({ agent: plain8, url });
  const res: Record<string, number[]> = {};
  for (let round = 0; round < 14; round++) for (const [k, f] of Object.entries(cases)) { const s = performance.now(); for (let i = 0; i < 600; i++) await f(); if (round > 1) (res[k] ??= []).push((performance.now() - s) / 600 * 1000); }
  for (const [k, v] of Object.entries(res)) { v.sort((a, b) => a - b); console.log(k.padEnd(14), v[Math.floor(v.length / 2)]!.toFixed(0), "us", v[0]!.toFixed(0)); }
  process.exit(0);
}
void main();
