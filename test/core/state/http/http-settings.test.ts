import { afterEach, expect, test } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { type HttpStateServer, SERVER_PASSWORD, startHttpStateServer } from "./http-state-server.ts";
import { memoryFiles } from "../memory-files.ts";
import { HOLDER, NEVER, countingRandom, processOf, storePorts } from "../state-fixtures.ts";

const ADDRESS = "https://state.example.com/prod";
const SOUND = { address: ADDRESS, lock_address: `${ADDRESS}/lock` };
const servers: HttpStateServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

test.each<readonly [string, StateSettings, object]>([
  [
    "no address",
    { lock: false },
    {
      code: "state_setting_missing",
      hint: expect.stringContaining("Set state.address, or TF_HTTP_ADDRESS.") as string,
    },
  ],
  [
    "no lock address",
    { address: ADDRESS },
    {
      code: "state_setting_missing",
      hint: expect.stringMatching(/lock_address, or TF_HTTP_LOCK_ADDRESS.*lock: false/) as string,
    },
  ],
  [
    "an address that is no URL",
    { ...SOUND, address: "state/hunter2" },
    { path: ["address"], detail: "address is not valid. It is not a URL." },
  ],
  ["an address of another kind", { ...SOUND, address: "ftp://state.example.com/hunter2" }, { path: ["address"] }],
  [
    "a password in an address",
    { ...SOUND, lock_address: "https://ada:hunter2@state.example.com/" },
    { path: ["lock_address"] },
  ],
  [
    "plain http to another machine",
    { ...SOUND, unlock_address: "http://state.example.com/?hunter2" },
    { path: ["unlock_address"] },
  ],
  ["a method in small letters", { ...SOUND, lock_method: "post" }, { path: ["lock_method"] }],
  ["a method with a line break", { ...SOUND, update_method: "PUT\r\nX: hunter2" }, { path: ["update_method"] }],
  ["a longest wait below the shortest", { ...SOUND, retry_wait_min: 40 }, { path: ["retry_wait_max"] }],
  [
    "a longest wait just below the shortest",
    { ...SOUND, retry_wait_min: 6, retry_wait_max: 5 },
    { path: ["retry_wait_max"] },
  ],
  ["a header name with a space", { ...SOUND, headers: { "a b": "x" } }, { path: ["headers"] }],
  ["a header value with a line break", { ...SOUND, headers: { a: "x\r\nb: hunter2" } }, { path: ["headers"] }],
  [
    "a password without a user name",
    { ...SOUND, password: { env: "P" } },
    { path: ["username"], hint: "Set username, or TF_HTTP_USERNAME." },
  ],
])("%s is an error that shows nothing secret", (_, settings, problem) => {
  const { value, diagnostics } = chooseStore({ backend: "http", settings }, {});
  expect([value, diagnostics]).toEqual([null, [expect.objectContaining({ severity: "error", ...problem })]]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

test("the longest wait may be the shortest", () => {
  expect(
    chooseStore({ backend: "http", settings: { ...SOUND, retry_wait_min: 5, retry_wait_max: 5 } }, {}).diagnostics,
  ).toEqual([]);
});

test.each(["http://localhost:8080/x", "http://127.0.0.1/x", "http://[::1]:1/x", "HTTPS://state.example.com/x"])(
  "%s is an address",
  (address) => {
    expect(chooseStore({ named: address }, { TF_HTTP_LOCK_ADDRESS: address }).diagnostics).toEqual([]);
  },
);

test("every request carries the credentials and the headers, with the methods and addresses of the settings", async () => {
  const server = await startHttpStateServer("plain");
  servers.push(server);
  const environment = { TOKEN: Buffer.from(`ada:${SERVER_PASSWORD}`).toString("base64"), TF_HTTP_UPDATE_METHOD: "PUT" };
  const { address, lock_address } = server.settings();
  const ports = storePorts(
    { files: memoryFiles(), clock: nodeClock, random: countingRandom(), process: processOf() },
    environment,
  );
  const headers = { Authorization: { value: `Basic ${environment.TOKEN}` } };
  const { value: open } = chooseStore(
    { backend: "http", settings: { address: `${address ?? ""}?branch=a%20b`, lock_address, headers } as StateSettings },
    environment,
  );
  const store = (await open?.(ports)) ?? expect.fail("no store");
  expect(store.name).toBe(address);
  const lock = await store.lock(HOLDER, 0, NEVER);
  await store.write(Buffer.from("one"), null, NEVER);
  await lock.release();
  expect(server.requests.map(({ method, status, query }) => [method, status, query])).toEqual([
    ["LOCK", 200, ""],
    ["GET", 404, "?branch=a%20b"],
    ["PUT", 204, `?branch=a+b&ID=${lock.id}`],
    ["UNLOCK", 200, ""],
  ]);
  expect(server.violations).toEqual([]);
});

test("a header whose secret cannot be sent is an error before the first request", async () => {
  const ports = storePorts(
    { files: memoryFiles(), clock: nodeClock, random: countingRandom(), process: processOf() },
    { TOKEN: "hunter2\r\n" },
  );
  const { value: open } = chooseStore(
    { backend: "http", settings: { ...SOUND, headers: { Authorization: { env: "TOKEN" } } } },
    {},
  );
  const failure = await (await open?.(ports))?.assertReady(NEVER).then(() => null, String);
  expect(failure).toContain("The value of authorization contains characters that a header cannot have.");
  expect(failure).not.toContain("hunter2");
});
