import json
import unittest

from cdktf import Testing

from webhooks_stack import CRM_EVENTS, WebhooksStack


def synthesize() -> dict:
    return json.loads(Testing.synth(WebhooksStack(Testing.app(), "webhooks")))


class WebhooksStackTest(unittest.TestCase):
    def test_the_crm_receives_its_events_with_its_secret(self) -> None:
        webhooks = synthesize()["resource"]["outreach_webhook"]
        crm = [webhook for name, webhook in webhooks.items() if name.startswith("crm_")]
        self.assertEqual([webhook["type"] for webhook in crm], CRM_EVENTS)
        for webhook in crm:
            self.assertEqual(webhook["secret"], "${var.crm_hook_secret}")
            self.assertEqual(webhook["lifecycle"], {"create_before_destroy": True})

    def test_every_webhook_goes_to_a_host_of_ours(self) -> None:
        for name, webhook in synthesize()["resource"]["outreach_webhook"].items():
            self.assertRegex(webhook["target_url"], r"^https://\w+\.example\.com/", name)


if __name__ == "__main__":
    unittest.main()
