import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and its self-signed certificate, used as long as this process runs. */
export interface Certificate {
  /** PKCS #8, PEM. */
  readonly key: string;
  /** X.509, PEM. */
  readonly certificate: string;
  /** The certificate in DER. */
  readonly der: Uint8Array;
}

/**
 * A self-signed certificate for a host over a fresh P-256 key, with the extensions that Terraform's side of the
 * plugin protocol verifies: a certificate authority of its own that may both serve and connect.
 */
export function createCertificate(host = "localhost"): Certificate {
  // Generating PEM and loading it again is faster than exporting each key object.
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "der" },
  });
  const name = commonName(host);
  const toBeSigned = sequence(
    tagged(0xa0, integer([2])),
    integer([0x01, ...randomBytes(15)]),
    ECDSA_WITH_SHA256,
    name,
    VALIDITY,
    name,
    publicKey,
    tagged(0xa3, extensions(host)),
  );
  const signature = sign("sha256", toBeSigned, createPrivateKey(privateKey));
  const der = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(signature));
  const lines = der.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return { key: privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, der };
}

// DER: a tag, a length, the content (ITU-T X.690).
function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function sequence(...content: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...content);
}

function integer(bytes: readonly number[]): Buffer {
  return tagged(0x02, Buffer.from(bytes));
}

function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), bytes);
}

/** An object identifier as its encoded content in hexadecimal. */
function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  const flag = critical ? [tagged(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...flag, tagged(0x04, value));
}

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
/** From 2020 without a defined end (RFC 5280, 4.1.2.5): the certificate must be valid even if the machine's clock is wrong. */
const VALIDITY = sequence(tagged(0x17, Buffer.from("200101000000Z")), tagged(0x18, Buffer.from("99991231235959Z")));

function commonName(host: string): Buffer {
  return sequence(tagged(0x31, sequence(oid("550403"), tagged(0x0c, Buffer.from(host)))));
}

function extensions(host: string): Buffer {
  return sequence(
    // basicConstraints: a certificate authority
    extension("551d13", true, sequence(tagged(0x01, Buffer.from([0xff])))),
    // keyUsage: digitalSignature, keyEncipherment, keyAgreement, keyCertSign
    extension("551d0f", true, bitString(Buffer.from([0b1010_1100]), 2)),
    // extKeyUsage: serverAuth, clientAuth
    extension("551d25", false, sequence(oid("2b06010505070301"), oid("2b06010505070302"))),
    // subjectAltName: DNS
    extension("551d11", false, sequence(tagged(0x82, Buffer.from(host)))),
  );
}
