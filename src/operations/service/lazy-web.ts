import type { Web } from "../../core/model/web.ts";
import type { OperationContext, Ports } from "../context.ts";
import { duration } from "../configuration/environment-names.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** HTTP with servers other than the service. Loaded and opened at the first call, closed when the command ends. */
export function lazyWeb(
  context: OperationContext,
  limits: { readonly maxResponseBytes?: number } = {},
): () => Promise<Web> {
  let opening: Promise<Web> | null = null;
  const open = async (): Promise<Web> => {
    const { nodeWeb } = await import("../../service/api/node-web.ts");
    const web = nodeWeb(context.clock, {
      ...limits,
      environment: context.environment,
      hide: (secret) => context.redactor.add(secret),
    });
    context.atEnd(() => Promise.resolve(web.close()));
    return web;
  };
  return () => (opening ??= open());
}

/** How long one request may take. */
export function requestTimeoutMs(context: Ports): number {
  return duration(context, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS);
}
