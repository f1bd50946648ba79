/** A separate process that sends POST requests in sequence over one connection. */
import * as http from "node:http";
import { bareRequest } from "./bare-http.ts";

const [url = "", key = "", count = "0"] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const headers = {
  authorization: `Basic ${Buffer.from(`:${key}`).toString("base64")}`,
  "content-type": "application/json",
};
for (let index = 0; index < Number(count); index++) {
  const body = JSON.stringify({ targetUrl: `https://bare.example.com/${String(index)}`, type: "emailsReplied" });
  await bareRequest(url, agent, headers, body);
}
agent.destroy();
