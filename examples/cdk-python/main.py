from cdktf import App

from webhooks_stack import WebhooksStack

app = App()
WebhooksStack(app, "webhooks")
app.synth()
