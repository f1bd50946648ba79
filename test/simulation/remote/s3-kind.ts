import { createHash, createHmac } from "node:crypto";
import { s3Backend, s3Place } from "../../../src/core/state/s3/backend.ts";
import { s3Store } from "../../../src/core/state/s3/s3-store.ts";
import { readSettings } from "../../../src/core/state/settings.ts";
import type { StoreKind } from "../ports.ts";
import { BUCKET, Bucket, KEY } from "./bucket.ts";
import { WebPart, remotePorts } from "./web-part.ts";

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: "key-id", AWS_SECRET_ACCESS_KEY: "access-key-of-the-bucket" };
const GIVEN = {
  bucket: BUCKET,
  key: KEY,
  region: "eu-west-1",
  endpoint: "https://s3.example.com",
  use_path_style: true,
};

const { value: read } = readSettings(s3Backend, GIVEN, { environment: {} });
const place = read && s3Place(read.values, read).value;

export const s3Kind: StoreKind = {
  name: "s3",
  tidy: (store) => store.unlock(),
  newPart: () => new WebPart(new Bucket()),
  open: (world, ports) => {
    if (!place) throw new Error("the settings of the s3 backend are wrong");
    signAtOnce();
    return s3Store(place, remotePorts(world, ports, ENVIRONMENT));
  },
};

/** Requests are signed by the system's threads, and the time of a simulation does not wait for them: here they are signed at once. */
function signAtOnce(): void {
  const { subtle } = globalThis.crypto;
  if (Object.hasOwn(subtle, "sign")) return;
  const bytesOf = (hash: Buffer): ArrayBuffer => new Uint8Array(hash).buffer;
  const own = {
    importKey: (_format: string, key: BufferSource) => Promise.resolve(key),
    sign: (_name: string, key: Uint8Array, text: Uint8Array) =>
      Promise.resolve(bytesOf(createHmac("sha256", new Uint8Array(key)).update(text).digest())),
    digest: (_name: string, text: Uint8Array) => Promise.resolve(bytesOf(createHash("sha256").update(text).digest())),
  };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(subtle, name, { value, configurable: true });
}
