import { expect, onTestFinished, test } from "vitest";
import { startReceiver, WAIT } from "../../../sandbox/delivery/receiver.ts";
import { startTlsFront } from "../../../service/network.ts";
import { type Project, type Running, useProjects } from "../project.ts";

const openProject = useProjects();

/** Starts `outreach sandbox` with webhooks, and trust in a certificate. `says` waits for its output, `trigger` records an event. */
async function sandboxWith(webhooks: readonly object[], options = "", certificate?: string) {
  const project: Project = await openProject();
  project.write(
    "seed.json",
    JSON.stringify({
      webhooks,
      campaigns: [{ _id: "cam_1", name: "One" }],
      leads: [{ campaignId: "cam_1", email: "ada@example.com" }],
    }),
  );
  if (certificate !== undefined) project.write("ca.pem", certificate);
  const trust = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: `${project.folder}/ca.pem` };
  const { child, ended }: Running = project.start(`sandbox --port 0 --seed seed.json ${options}`, trust);
  let said = "";
  child.stdout?.on("data", (text: string) => (said += text));
  const says = async (words: string | RegExp): Promise<void> =>
    void (await expect.poll(() => said, WAIT).toMatch(words));
  await says("Ctrl-C stops it.");
  const control = /control API +(\S+)/.exec(said)?.[1] ?? "";
  const trigger = async (type: string): Promise<void> => {
    const answer = await fetch(`${control}/events`, { method: "POST", body: JSON.stringify({ type }) });
    expect(answer.status).toBe(200);
  };
  return { child, ended, says, trigger, said: () => said };
}

test("outreach sandbox shows one line for each attempt, and trusts the authority of NODE_EXTRA_CA_CERTS", async () => {
  const receiver = await startReceiver();
  const front = await startTlsFront(receiver.port, "localhost");
  onTestFinished(() => front.close());
  const targetUrl = `https://localhost:${String(front.port)}/hook`;
  const { says, trigger, said } = await sandboxWith(
    [{ targetUrl, secret: "correct-horse" }],
    "",
    front.certificate.certificate,
  );
  await trigger("connectionIssue");
  await says(
    /^\d\d:\d\d:\d\d\.\d{3} {2}EVENT {3}connectionIssue {2}https:\/\/localhost:\d+\/hook {2}204 {2}\d+ ms {2}act_000001 {2}hoo_000001$/m,
  );
  expect(receiver.received).toMatchObject([{ body: { type: "connectionIssue", secret: "correct-horse" } }]);
  expect(said()).not.toContain("correct-horse");
});

test("--deliver none sends nothing, and says so once for each webhook", async () => {
  const receiver = await startReceiver();
  const { says, trigger, said } = await sandboxWith([{ targetUrl: receiver.url }], "--deliver none");
  await trigger("connectionIssue");
  await trigger("warmupPaused");
  await says(
    "[skipped: The sandbox delivers no events. To deliver to this machine, start it with --deliver loopback.]",
  );
  expect(
    said()
      .split("\n")
      .filter((line) => line.includes("EVENT")),
  ).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});

test("a signal ends the sandbox while attempts and retries are under way", async () => {
  const hanging = await startReceiver(() => undefined);
  const failing = await startReceiver((_request, response) => void response.writeHead(500).end());
  const { child, ended, says, trigger } = await sandboxWith([{ targetUrl: hanging.url }, { targetUrl: failing.url }]);
  await trigger("connectionIssue");
  await says(/500 .*\[retry 1 in 5 s\]/);
  await expect.poll(() => hanging.received.length, WAIT).toBe(1);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, err: "The sandbox has stopped.\n" });
});
