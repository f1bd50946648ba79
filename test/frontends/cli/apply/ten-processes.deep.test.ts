import { expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();
const PROCESSES = 10;
const WEBHOOKS = 8;

test("ten processes with one key all get through", { timeout: 300_000 }, async () => {
  const project = await openProject({ realProcess: "each has a limit of its own", rateLimit: {} });
  const names = Array.from({ length: PROCESSES }, (_, index) => `p${String(index)}`);
  for (const name of names) {
    const webhooks = Array.from(
      { length: WEBHOOKS },
      (_, index) => `  w${String(index)}: { target_url: "https://${name}.example.com/${String(index)}" }\n`,
    );
    project.write(`${name}.yaml`, `version: 1\nwebhooks:\n${webhooks.join("")}`);
  }
  const running = names.map((name) => project.start(`apply -c ${name}.yaml --state ${name}.state.json --auto-approve`));
  const ended = await Promise.all(running.map((one) => one.ended));
  expect(ended.map(({ code, err }) => [code, /Error:.*/.exec(err)?.[0]])).toEqual(names.map(() => [0, undefined]));
  expect(project.sandbox.webhooks()).toHaveLength(PROCESSES * WEBHOOKS);
  const requests = project.sandbox.requests();
  expect(requests.filter(({ method, status }) => method === "POST" && status === 200)).toHaveLength(
    PROCESSES * WEBHOOKS,
  );
  // They do compete: without repeated requests, some would have failed.
  expect(requests.some(({ status }) => status === 429)).toBe(true);
  const again = await project.run(
    `plan -c ${names[0] ?? ""}.yaml --state ${names[0] ?? ""}.state.json --detailed-exitcode`,
  );
  expect(again.code).toBe(0);
});
