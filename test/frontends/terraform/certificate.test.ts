import { X509Certificate, createPrivateKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";

describe("the certificate of a provider process", () => {
  const made = createCertificate();
  const parsed = new X509Certificate(made.certificate);

  it("is for localhost, of a P-256 key, signed by itself", () => {
    expect(parsed.subjectAltName).toBe("DNS:localhost");
    expect(parsed.checkHost("localhost")).toBe("localhost");
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
    expect(parsed.issuer).toBe(parsed.subject);
  });

  it("may sign, serve and connect, at any time", () => {
    expect(parsed.ca).toBe(true);
    expect(parsed.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    expect(Date.parse(parsed.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(parsed.validTo)).toBeGreaterThan(Date.parse("2999-01-01"));
  });

  it("is the same in PEM and in DER, and never made twice", () => {
    expect(Buffer.from(made.der).equals(parsed.raw)).toBe(true);
    const serials = Array.from({ length: 5 }, () => new X509Certificate(createCertificate().certificate).serialNumber);
    expect(new Set(serials).size).toBe(5);
  });
});
