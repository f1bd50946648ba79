import type { Sandbox } from "./server.ts";

/**
 * The text to print when a sandbox has started: its profile as it was chosen, its address, its keys and their purposes, and a first
 * command to copy. Ends without a line break.
 */
export function startMessage(sandbox: Sandbox, profile: string): string {
  const { baseUrl, controlUrl } = sandbox;
  const names = new Map(sandbox.records("keys").map((record) => [record.key, record.name]));
  const keys = [...names].map(([key, name]) => `  ${name.padEnd(12)}  ${key}`);
  const good = sandbox.keys.good;
  return [
    "The sandbox is a local copy of the service. It keeps everything in memory.",
    "",
    `  base URL      ${baseUrl}`,
    `  control API   ${controlUrl}`,
    `  profile       ${profile}`,
    "",
    "API keys:",
    ...keys,
    "",
    "Try, in another terminal:",
    "",
    `  export OUTREACH_BASE_URL=${baseUrl} OUTREACH_API_KEY=${/^[\w.-]+$/.test(good) ? good : `'${good.replaceAll("'", "'\\''")}'`}`,
    "  outreach plan",
    "  outreach sandbox trigger emailsReplied  # delivers an event to the webhooks that match it",
    "",
    "Ctrl-C stops it. Requests:",
  ].join("\n");
}
