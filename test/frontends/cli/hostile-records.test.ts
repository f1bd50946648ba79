import { expect, test } from "vitest";
import { checksumOf } from "../../../src/core/state/document.ts";
import { oneWebhook, useProjects } from "./project.ts";

const openProject = useProjects();
const TITLE = "\u001B]0;title\u0007";
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";

test("control characters in a lock of another program do not reach the terminal", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  project.write("outreach.state.json.lock", JSON.stringify({ id: TITLE, host: "here", pid: 1, who: "ada", operation: "apply", since: TITLE }));
  const { out, code } = await project.run("state lock");
  expect({ code, hasEscapes: out.includes("\u001B") }).toEqual({ code: 0, hasEscapes: false });
  expect(out).toContain("locked by ada on here");
});

test("control characters in addresses of a state do not reach the terminal", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  const { checksum: _, ...state } = JSON.parse(project.read("outreach.state.json")) as { readonly checksum: string; readonly instances: readonly object[] };
  const changed = { ...state, instances: [...state.instances, { ...state.instances[0], address: TITLE, id: "hoo_9" }] };
  project.write("outreach.state.json", JSON.stringify({ ...changed, checksum: checksumOf(changed) }));
  const { out, code } = await project.run("state list");
  expect({ code, hasEscapes: out.includes("\u001B") }).toEqual({ code: 0, hasEscapes: false });
  expect(out.split("\n")).toContain("outreach_webhook.crm");
  const shown = await project.run("show --json");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(shown.out)).toMatchObject({ values: { root_module: { resources: [{}, { address: TITLE, mode: "managed", name: TITLE }] } } });
});
