import assert from "node:assert/strict";
import { test } from "node:test";
import { App, Testing } from "cdktn";
import { WebhooksStack } from "./webhooks-stack.js";

/** The synthesized stack. `true` also runs the checks of the constructs: event types, URLs, ids. */
function synthesize(): {
  readonly resource: {
    readonly outreach_webhook: Record<string, { readonly target_url: string; readonly secret: string }>;
  };
} {
  return JSON.parse(Testing.synth(new WebhooksStack(new App(), "webhooks"), true));
}

void test("every webhook has a secret, and goes to a host of ours", () => {
  const webhooks = Object.entries(synthesize().resource.outreach_webhook);
  assert.notEqual(webhooks.length, 0);
  for (const [name, { target_url, secret }] of webhooks) {
    assert.match(target_url, /^https:\/\/\w+\.example\.com\//, name);
    assert.match(secret, /^\$\{var\.\w+\}$/, name);
  }
});
