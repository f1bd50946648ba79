import { X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";

/** What Terraform asks of a plugin that it starts, or why this process must not serve. */
export type Invitation =
  | { readonly kind: "serve"; readonly clientCertificate: string }
  /** `message` is for a person, on stderr; the process exits 1. */
  | { readonly kind: "refuse"; readonly message: string };

type Environment = { readonly [name: string]: string | undefined };

const COOKIE_NAME = "TF_PLUGIN_MAGIC_COOKIE";
const COOKIE_VALUE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
/** The protocol between Terraform and its plugins, and the version of the provider protocol on top of it. */
const CORE_VERSION = 1;
const PROTOCOL_VERSION = 6;
/** The system's bound is 104 bytes or more, with the final zero; a longer path is cut off without an error. */
const LONGEST_SOCKET_PATH = 100;

const STARTED_BY_HAND = `This program is the provider "outreach-as-code/outreach" for Terraform and OpenTofu.
Terraform starts it. Name it in a configuration and run "terraform init":

  terraform {
    required_providers {
      outreach = { source = "outreach-as-code/outreach" }
    }
  }
`;

/** Reads the environment that Terraform gives a plugin. */
export function readInvitation(environment: Environment): Invitation {
  if (environment[COOKIE_NAME] !== COOKIE_VALUE) return { kind: "refuse", message: STARTED_BY_HAND };
  const offered = environment["PLUGIN_PROTOCOL_VERSIONS"];
  if (offered !== undefined && !offered.split(",").includes(String(PROTOCOL_VERSION))) {
    return {
      kind: "refuse",
      message: `This provider speaks version ${String(PROTOCOL_VERSION)} of the provider protocol; the caller speaks ${offered}. Use Terraform 1.3 or later.\n`,
    };
  }
  const clientCertificate = environment["PLUGIN_CLIENT_CERT"];
  if (!clientCertificate) {
    return { kind: "refuse", message: "PLUGIN_CLIENT_CERT is not set. This provider serves over mutual TLS only.\n" };
  }
  if (!isCertificate(clientCertificate)) {
    return {
      kind: "refuse",
      message: "PLUGIN_CLIENT_CERT does not hold a certificate in PEM, so the caller could not connect.\n",
    };
  }
  return { kind: "serve", clientCertificate };
}

function isCertificate(text: string): boolean {
  try {
    void new X509Certificate(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a plugin can be reached. */
export type Endpoint =
  | {
      readonly network: "unix";
      readonly path: string;
      /** Removes the socket and its folder. */ readonly dispose: () => void;
    }
  | { readonly network: "tcp"; readonly host: string; readonly dispose: () => void };

/**
 * A fresh endpoint: a socket in a folder that only this user can enter, under the first of `folders` whose path is short
 * enough and that can be written to; a port on the loopback interface where there is none, and on Windows.
 */
export function chooseEndpoint(platform: string, folders: readonly string[]): Endpoint {
  if (platform !== "win32") {
    for (const folder of folders) {
      const endpoint = socketIn(folder);
      if (endpoint) return endpoint;
    }
  }
  return { network: "tcp", host: "127.0.0.1", dispose: () => undefined };
}

function socketIn(folder: string): Endpoint | null {
  const prefix = path.join(folder, "outreach-");
  // mkdtemp adds six characters; the socket's own name two.
  if (Buffer.byteLength(prefix) + 8 > LONGEST_SOCKET_PATH) return null;
  try {
    const created = mkdtempSync(prefix);
    chmodSync(created, 0o700);
    return {
      network: "unix",
      path: path.join(created, "s"),
      dispose: () => rmSync(created, { recursive: true, force: true }),
    };
  } catch {
    return null;
  }
}

/** The first line of the plugin's standard output: where it is, and the certificate that it shows there. */
export function handshakeLine(network: "unix" | "tcp", address: string, certificate: Uint8Array): string {
  const encoded = Buffer.from(certificate).toString("base64").replaceAll("=", "");
  return `${String(CORE_VERSION)}|${String(PROTOCOL_VERSION)}|${network}|${address}|grpc|${encoded}\n`;
}
