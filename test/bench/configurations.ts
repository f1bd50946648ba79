/** A configuration of many webhooks that differ in their address and campaign. */
export function configuration(webhooks: number): string {
  const blocks = Array.from(
    { length: webhooks },
    (_, index) => `  hook-${numbered(index)}:\n    target_url: ${urlOf(index)}\n    type: emailsReplied\n    is_first: true\n`,
  );
  return `version: 1\nwebhooks:\n${blocks.join("")}`;
}

export const numbered = (index: number): string => String(index).padStart(6, "0");
export const urlOf = (index: number): string => `https://crm.example.com/hooks/${numbered(index)}`;
