import { expect } from "vitest";

/** All that a plan without changes prints to stdout. */
export const NO_CHANGES = expect.stringMatching(
  /^No changes\. Your webhooks match the configuration\.\nRequests: \d+, at least 0 s at 20 per 2 s\n$/,
) as string;

/** All that the first plan of a project prints to stderr, where nothing else is to be said. */
export const noStateYet = (place: string): string =>
  `Note: No state exists yet [state_missing]\n\nThe state ${place} does not exist: outreach manages nothing yet.\n\n`;
export const NO_STATE_YET = noStateYet("outreach.state.json");
