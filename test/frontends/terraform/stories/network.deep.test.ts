import path from "node:path";
import { describe, expect } from "vitest";
import { HIDDEN_HOST, startProxy, startTlsFront } from "../../../service/network.ts";
import { story, webhook } from "./story.ts";

describe("the network", { timeout: 300_000 }, () => {
  story(
    "a proxy with a password and a private certificate authority, from Terraform's environment",
    async ({ sandbox, terraform }) => {
      const password = "p@ss-word-of-the-proxy";
      const front = await startTlsFront(Number(new URL(sandbox.baseUrl).port));
      const proxy = await startProxy({ credentials: `ada:${password}` });
      // Node reads the authorities when it starts.
      terraform.hasProcesses = true;
      try {
        terraform.write("main.tf", webhook("crm"));
        terraform.write("ca.pem", front.certificate.certificate);
        terraform.environment = {
          ...terraform.environment,
          OUTREACH_BASE_URL: `https://${HIDDEN_HOST}:${String(front.port)}/api`,
          HTTPS_PROXY: `http://ada:${encodeURIComponent(password)}@127.0.0.1:${String(proxy.port)}`,
        };
        const untrusted = await terraform.apply();
        expect(untrusted.status).toBe(1);
        expect(untrusted.words).toContain("/api has a certificate that no known authority signed (OUTREACH_BASE_URL).");
        expect(untrusted.words).toContain("set NODE_EXTRA_CA_CERTS to a PEM file");

        terraform.environment = {
          ...terraform.environment,
          NODE_EXTRA_CA_CERTS: path.join(terraform.folder, "ca.pem"),
        };
        const applied = await terraform.apply();
        expect(applied.status, applied.output).toBe(0);
        expect(sandbox.webhooks()).toHaveLength(1);
        expect(new Set(proxy.tunnels)).toEqual(new Set([`${HIDDEN_HOST}:${String(front.port)}`]));

        terraform.environment = {
          ...terraform.environment,
          HTTPS_PROXY: `http://ada:${encodeURIComponent(`${password}x`)}@127.0.0.1:${String(proxy.port)}`,
        };
        const refused = await terraform.plan();
        expect(refused.words).toContain("(HTTPS_PROXY) refused to connect, with status 407.");
        expect(untrusted.output + applied.output + refused.output).not.toMatch(/p(@|%40)ss-word/);
      } finally {
        await proxy.close();
        await front.close();
      }
    },
  );
});
