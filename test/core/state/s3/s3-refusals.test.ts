import { request as httpRequest } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import type { Web, WebResponse } from "../../../../src/core/model/web.ts";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import { isoTime } from "../../../../src/core/model/iso-time.ts";
import { readSettings } from "../../../../src/core/state/settings.ts";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import { s3Backend, s3Place } from "../../../../src/core/state/s3/backend.ts";
import { S3_KEY, problem, s3Fixtures } from "./s3-fixtures.ts";
import type { S3Fault } from "./s3-server.ts";
import type { StorePorts } from "../../../../src/core/state/state-store.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const { clock, start, closeAll } = s3Fixtures();
afterAll(closeAll);

const SECRET = "s3cr3t/of+the=test";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refuse = (status: number, code: string, more = {}): S3Fault => ({ kind: "refuse", status, code, more });

describe("a refusal of the store says what to do", () => {
  test.each<readonly [string, S3Fault, string, string]>([
    [
      "access is denied",
      refuse(403, "AccessDenied"),
      "these credentials do not allow it (AccessDenied)",
      `s3:DeleteObject on states/${S3_KEY} and states/${S3_KEY}.tflock, and s3:ListBucket on states`,
    ],
    [
      "the bucket does not exist",
      refuse(404, "NoSuchBucket"),
      "the bucket states does not exist there (NoSuchBucket)",
      "Create the bucket, or correct state.bucket",
    ],
    [
      "the key id is unknown",
      refuse(403, "InvalidAccessKeyId"),
      "does not know the access key id",
      "Check AWS_ACCESS_KEY_ID",
    ],
    [
      "the secret key is wrong",
      refuse(403, "SignatureDoesNotMatch", { StringToSign: "GET" }),
      "the secret access key does not belong to the access key id",
      "AWS_SECRET_ACCESS_KEY",
    ],
    [
      "the credentials have expired",
      refuse(400, "ExpiredToken"),
      "the credentials have expired (ExpiredToken)",
      "state.credentials: { command: [PROGRAM] }",
    ],
    ["the token is not valid", refuse(400, "InvalidToken"), "the session token is not valid", "AWS_SESSION_TOKEN"],
    [
      "the region is wrong",
      refuse(400, "AuthorizationHeaderMalformed", { Region: "eu-west-9" }),
      "the bucket states is in the region eu-west-9, not in eu-test-1",
      "Set state.region, or AWS_REGION, to eu-west-9",
    ],
    [
      "the bucket is elsewhere",
      { ...refuse(301, "PermanentRedirect"), headers: { "x-amz-bucket-region": "eu-west-9" } } as S3Fault,
      "in the region eu-west-9",
      "to eu-west-9",
    ],
    [
      "the bucket is elsewhere, and nobody says where",
      { kind: "foreign", status: 307, text: "" },
      "not in the region eu-test-1, or not at this endpoint",
      "Correct state.region or state.endpoint",
    ],
    [
      "the bucket is elsewhere, with any redirect",
      { kind: "foreign", status: 300, text: "" },
      "not in the region eu-test-1, or not at this endpoint",
      "Correct state.region or state.endpoint",
    ],
    [
      "the clock is wrong",
      refuse(403, "RequestTimeTooSkewed", { ServerTime: "2026-01-01T00:00:00Z" }),
      "too far from the store's, which has 2026-01-01T00:00:00Z",
      "Correct the clock of this machine",
    ],
    [
      "something else is wrong",
      refuse(400, "KMS.DisabledException", { Message: "a <b> &\nc" }),
      "the store answers 400 KMS.DisabledException (a <b> & c)",
      "Check the settings below state",
    ],
    [
      "another server answers",
      { kind: "foreign", status: 404, text: "<html><Code>NoSuchKey" },
      "the answer with status 404 does not come from a store of this kind",
      "Check state.endpoint",
    ],
    [
      "another server answers with success",
      { kind: "foreign", status: 200, text: "<html>Sign in" },
      "the answer with status 200 does not come from a store of this kind",
      "whether a proxy answers in its place",
    ],
    [
      "the answer names a code in its text only",
      { kind: "foreign", status: 403, text: "constructor" },
      "status 403 does not come from a store",
      "Check state.endpoint",
    ],
  ])("where %s", async (_, fault, what, hint) => {
    const { server, open } = await start();
    server.setFault(() => fault);
    const found = await problem(open().read(NEVER));
    expect(found).toMatchObject({
      severity: "error",
      detail: expect.stringContaining(`GET s3://states/${S3_KEY} failed: `) as string,
    });
    expect([found.detail, found.hint]).toEqual([expect.stringContaining(what), expect.stringContaining(hint)]);
    expect(server.log).toHaveLength(1);
  });

  test.each([
    ["state_denied", refuse(403, "AccessDenied")],
    ["state_denied", refuse(401, "Unauthorized")],
    ["state_denied", refuse(400, "ExpiredToken")],
    ["state_answer", refuse(404, "NoSuchBucket")],
    ["state_answer", refuse(400, "AuthorizationHeaderMalformed")],
  ] as const)("with the code %s: %o", async (code, fault) => {
    const { server, open } = await start();
    server.setFault(() => fault);
    expect(await problem(open().read(NEVER))).toMatchObject({ code });
  });

  test.each<readonly [string, { readonly [name: string]: string }, string]>([
    ["another secret key", { AWS_SECRET_ACCESS_KEY: "hunter2hunter2" }, "SignatureDoesNotMatch"],
    ["another key id", { AWS_ACCESS_KEY_ID: "hunter2hunter2" }, "InvalidAccessKeyId"],
    ["a token that the key does not have", { AWS_SESSION_TOKEN: "hunter2hunter2" }, "InvalidToken"],
    ["another region", { AWS_REGION: "eu-west-9" }, "is in the region eu-test-1, not in eu-west-9"],
    ["another bucket", {}, "the bucket other-states does not exist there"],
  ])("a server that checks everything refuses %s, and no message shows a credential", async (_, changed, what) => {
    const { environment, open } = await start();
    Object.assign(environment, changed);
    const found = await problem(
      open(what.includes("other-states") ? { bucket: "other-states" } : {}).lock(HOLDER, 0, NEVER),
    );
    expect(found.detail).toContain(what);
    expect(JSON.stringify(found)).not.toMatch(/hunter2|s3cr3t/);
  });

  test("a clock that is 20 minutes off is refused", async () => {
    const { open } = await start({ nowMs: () => clock.now() + 20 * 60_000 });
    const found = await problem(open().read(NEVER));
    expect(found.detail).toContain(`which has ${isoTime(clock.now() + 20 * 60_000)}`);
  });
});

describe("the credentials of a state in a bucket", () => {
  const json = (more: object = {}): string =>
    JSON.stringify({ Version: 1, AccessKeyId: "AKIATEMP", SecretAccessKey: SECRET, ...more });
  const command = { command: ["print-credentials"] };
  /** A store whose command prints these texts, one after the other. */
  async function printing(texts: readonly string[], keys: object) {
    const fixture = await start({ keys: keys as never });
    const left = [...texts];
    let known: string | null = null;
    // A run reads each secret once, unless it has expired.
    const reveal: StorePorts["reveal"] = (_, { again = false } = {}) =>
      Promise.resolve((known = (again ? null : known) ?? left.shift() ?? expect.fail("the command runs too often")));
    return { ...fixture, store: fixture.open({ credentials: command }, { reveal }), left };
  }

  test("come from a command, with the session token, and are kept out of output", async () => {
    const { store, hidden } = await printing([json({ SessionToken: "tok/en==" })], {
      AKIATEMP: { secret: SECRET, token: "tok/en==" },
    });
    await store.write(bytes("one"), null, NEVER);
    expect(await store.read(NEVER)).not.toBeNull();
    expect(hidden).toEqual([SECRET, "tok/en=="]);
  });

  test("are read again before they expire, and not earlier", async () => {
    const expires = (minutes: number): string => json({ Expiration: isoTime(clock.now() + minutes * 60_000) });
    const { store, left } = await printing([expires(10), expires(60)], { AKIATEMP: { secret: SECRET } });
    await store.read(NEVER);
    await store.read(NEVER);
    expect(left).toHaveLength(1);
    await clock.sleep(6 * 60_000, NEVER);
    await store.read(NEVER);
    expect(left).toHaveLength(0);
  });

  test("are read again once where the store says that they have expired", async () => {
    const { store, server, left } = await printing([json({ AccessKeyId: "OLD" }), json()], {
      AKIATEMP: { secret: SECRET },
      OLD: { secret: SECRET },
    });
    server.setFault(({ headers }) =>
      headers["authorization"]?.includes("=OLD/") ? refuse(400, "ExpiredToken") : null,
    );
    expect(await store.read(NEVER)).toBeNull();
    expect(left).toHaveLength(0);
    server.setFault(() => refuse(400, "ExpiredToken"));
    left.push(json(), json());
    expect((await problem(store.read(NEVER))).detail).toContain("the credentials have expired");
    expect(left).toHaveLength(1);
  });

  test.each([
    ["no JSON", SECRET, "it is not a JSON object"],
    ["a list", `["${SECRET}"]`, "it is not a JSON object"],
    ["another version", json({ Version: 2 }), "its Version is not 1"],
    ["no key", json({ AccessKeyId: undefined }), "AccessKeyId or SecretAccessKey is missing"],
    ["a token that is not a text", json({ SessionToken: 1 }), "SessionToken is not a string"],
    ["no time of expiry", json({ Expiration: "soon" }), "Expiration is not a time"],
    ["a line break in the secret", json({ SecretAccessKey: `${SECRET}\n` }), "has spaces or control characters"],
  ])("are refused where the command prints %s, and the message does not show it", async (_, text, why) => {
    const found = await problem((await printing([text], {})).store.read(NEVER));
    expect(found).toMatchObject({ code: "state_credentials", detail: expect.stringContaining(why) as string });
    expect(JSON.stringify(found)).not.toContain("s3cr3t");
  });

  test("are needed: the message names the variables that are missing", async () => {
    const { environment, open } = await start();
    delete environment["AWS_SECRET_ACCESS_KEY"];
    expect((await problem(open().read(NEVER))).detail).toContain("AWS_SECRET_ACCESS_KEY is not set");
    delete environment["AWS_ACCESS_KEY_ID"];
    expect(await problem(open().read(NEVER))).toMatchObject({
      code: "state_credentials",
      detail: `s3://states/${S3_KEY} needs credentials. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.`,
    });
  });
});

describe("the settings of a state in a bucket", () => {
  const placeOf = (settings: StateSettings, environment = {}) => {
    const { value, diagnostics } = readSettings(
      s3Backend,
      { bucket: "acme-states", key: "crm.json", ...settings },
      { environment },
    );
    return value ? s3Place(value.values, value) : { value, diagnostics };
  };

  test.each<readonly [string, StateSettings, string]>([
    ["AWS in a region", { region: "eu-central-1" }, "https://acme-states.s3.eu-central-1.amazonaws.com/"],
    ["AWS in China", { region: "cn-north-1" }, "https://acme-states.s3.cn-north-1.amazonaws.com.cn/"],
    [
      "a bucket with dots, for which no certificate is valid",
      { region: "eu-central-1", bucket: "acme.states" },
      "https://s3.eu-central-1.amazonaws.com/acme.states/",
    ],
    [
      "AWS with paths",
      { region: "eu-central-1", use_path_style: true },
      "https://s3.eu-central-1.amazonaws.com/acme-states/",
    ],
    ["an endpoint", { endpoint: "https://s3.example.com:9000" }, "https://s3.example.com:9000/acme-states/"],
    [
      "an endpoint with a path",
      { endpoint: "https://example.com/storage/s3" },
      "https://example.com/storage/s3/acme-states/",
    ],
    [
      "an endpoint with virtual hosts",
      { endpoint: "https://s3.example.com", use_path_style: false },
      "https://acme-states.s3.example.com/",
    ],
  ])("lead to %s", (_, settings, base) => {
    expect(placeOf(settings).value?.base).toBe(base);
  });

  test.each<readonly [string, StateSettings, string, string]>([
    ["a bucket in capitals", { bucket: "States" }, "bucket", "3 to 63 characters"],
    ["a bucket with a user", { bucket: "ada:hunter2@states" }, "bucket", "3 to 63 characters"],
    ["a key with a plus sign", { key: "a+b" }, "key", "A key with a plus sign cannot be signed"],
    ["a key with an empty part", { key: "a//b" }, "key", "may be empty"],
    ["a key that begins with a slash", { key: "/a" }, "key", "may be empty"],
    ["a key with two dots", { key: "a/../b" }, "key", "two dots"],
    ["a key with a line break", { key: "a\nb" }, "key", "a control character"],
    ["a key with half a character", { key: "a\ud800" }, "key", "no control characters"],
    ["a key that is too long", { key: "ü".repeat(501) }, "key", "at most 1000 bytes"],
    ["a region with a dot", { region: "eu.example.com/" }, "region", "letters, digits and hyphens"],
    ["an endpoint without a scheme", { endpoint: "s3.example.com" }, "endpoint", "the URL of a server"],
    [
      "an endpoint with a password",
      { endpoint: "https://ada:hunter2@s3.example.com" },
      "endpoint",
      "no user name, password",
    ],
    [
      "an unknown encryption",
      { server_side_encryption: "rot13" },
      "server_side_encryption",
      "AES256, aws:kms, aws:kms:dsse",
    ],
    [
      "a KMS key without KMS",
      { server_side_encryption: "AES256", kms_key_id: "k" },
      "kms_key_id",
      "AES256 has no KMS key",
    ],
  ])("are refused with %s", (_, settings, name, why) => {
    const { value, diagnostics } = placeOf({ region: "eu-central-1", ...settings });
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([
      { code: "state_setting_invalid", path: [name], detail: expect.stringContaining(why) as string },
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
  });

  test("name the environment variable that has the mistake", () => {
    const { diagnostics } = placeOf({ region: "eu-central-1" }, { AWS_ENDPOINT_URL_S3: "s3.example.com" });
    expect(diagnostics).toMatchObject([
      { code: "state_setting_invalid", detail: expect.stringContaining("AWS_ENDPOINT_URL_S3 is not valid") as string },
    ]);
    expect(diagnostics[0]?.path).toBeUndefined();
  });

  test("need a key in a URL, and say which URL has none", () => {
    expect(chooseStore({ named: "s3://acme-states" }, {}).diagnostics).toMatchObject([
      {
        detail: "key is not valid. The URL names none. The state is named s3://acme-states.",
        hint: "Write s3://BUCKET/KEY.",
      },
    ]);
  });

  test("need a region or an endpoint", () => {
    expect(placeOf({}).diagnostics).toMatchObject([
      { code: "state_setting_missing", hint: expect.stringContaining("AWS_REGION") as string },
    ]);
    expect(placeOf({}, { AWS_DEFAULT_REGION: "eu-central-1" }).value?.region).toBe("eu-central-1");
  });

  test.each([
    ["s3://acme-states/crm/a b.json", "s3://acme-states/crm/a b.json"],
    ["S3://acme-states/x%20y", "s3://acme-states/x%20y"],
  ])("are in the URL %s", async (named, name) => {
    const { ports } = await start();
    expect((await chooseStore({ named }, { AWS_REGION: "eu-central-1" }).value?.(ports))?.name).toBe(name);
  });

  test.each([
    "s3://acme-states",
    "s3://acme-states/",
    "s3:",
    "s3://acme-states/a?region=x",
    "s3://KEY:hunter2@acme-states/a",
  ])("are not in the URL %s", (named) => {
    const { value, diagnostics } = chooseStore({ named }, { AWS_REGION: "eu-central-1" });
    expect(value).toBeNull();
    expect(diagnostics[0]).toMatchObject({ code: "state_setting_invalid" });
    expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
  });

  test.each<readonly [StateSettings, object]>([
    [{}, {}],
    [{ server_side_encryption: "AES256" }, { "x-amz-server-side-encryption": "AES256" }],
    [{ server_side_encryption: "aws:kms" }, { "x-amz-server-side-encryption": "aws:kms" }],
    [
      { server_side_encryption: "aws:kms:dsse", kms_key_id: "k" },
      { "x-amz-server-side-encryption": "aws:kms:dsse", "x-amz-server-side-encryption-aws-kms-key-id": "k" },
    ],
    [
      { kms_key_id: "k" },
      { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": "k" },
    ],
  ])("%j ask for the encryption %j", (settings, encryption) => {
    expect(placeOf({ region: "eu-central-1", ...settings }).value?.encryption).toEqual(encryption);
  });

  test("encrypt the state and the lock as they say", async () => {
    const { server, open } = await start();
    const store = open({ kms_key_id: "alias/states" });
    await store.lock(HOLDER, 0, NEVER);
    await store.write(bytes("one"), null, NEVER);
    const encrypted = {
      "content-type": "application/json",
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-server-side-encryption-aws-kms-key-id": "alias/states",
    };
    expect([...server.objects.values()].map(({ headers }) => headers)).toEqual([encrypted, encrypted]);
  });
});

describe("requests to a bucket", () => {
  test.each(["ü/€ 😀.json", "!'()*&=@,;:$~-_.json", "100%/%2F%20.json", "a.json?b#c"])(
    "are signed for the key %s as the specification says",
    async (key) => {
      const { server, open } = await start();
      const store = open({ key });
      const version = await store.write(bytes("one"), null, NEVER);
      expect(await store.read(NEVER)).toMatchObject({ version });
      expect([...server.objects.keys()]).toEqual([key]);
    },
  );

  test("go to the bucket's own host where the settings say so", async () => {
    const { server, open } = await start();
    const store = open(
      { endpoint: `http://s3.example.com:${String(server.port)}`, use_path_style: false },
      { web: () => Promise.resolve(webToThisMachine) },
    );
    const version = await store.write(bytes("one"), null, NEVER);
    expect(await store.read(NEVER)).toMatchObject({ version });
    expect([...server.objects.keys()]).toEqual([S3_KEY]);
  });
});

/** Connects to this machine, whatever host a URL names. */
const webToThisMachine: Web = {
  send: ({ method, url, headers, body }) =>
    new Promise<WebResponse>((resolve, reject) => {
      const outgoing = httpRequest(
        { host: "127.0.0.1", port: url.port, path: url.pathname, method, headers: { ...headers, host: url.host } },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("end", () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: { etag: incoming.headers.etag ?? "" },
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body ?? undefined);
    }),
  close: () => undefined,
};
