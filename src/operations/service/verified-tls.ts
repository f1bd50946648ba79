import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Ports } from "../context.ts";

/**
 * Refuses to work where Node verifies no certificate: the first request may already carry a password or a token. Node
 * reads this variable of the process alone, so pass the process's own environment.
 */
export function assertVerifiedTls(environment: Ports["environment"]): void {
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return;
  throw DiagnosticsError.of("tls_not_verified", "Certificate verification is off", {
    detail: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone on the network path could read the API key and the secrets.",
    hint: "Unset it. For a private certificate authority, set NODE_EXTRA_CA_CERTS.",
  });
}
