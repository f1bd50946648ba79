import { App } from "cdktn";
import { WebhooksStack } from "./webhooks-stack.js";

const app = new App();
new WebhooksStack(app, "webhooks");
app.synth();
