import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../../src/frontends/cli/program/program.ts";
import { openFleetMetrics } from "../../src/fleet/observe/fleet-metrics.ts";
import { type FleetServer, openFleetServer } from "../../src/fleet/page/fleet-server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { ROOT, read } from "../docs/pages.ts";
import { NOW_MS, fleetDouble, fleetOf, teamOf } from "../fleet/page/fleet-double.ts";

const FOLDER = "examples/fleet";
const VERSION = (JSON.parse(read("package.json")) as { readonly version: string }).version;
/** Variables that the command itself reads. */
const READ_VARIABLES = ["OUTREACH_DATABASE", "PG_CONN_STR", "OUTREACH_BASE_URL", "OUTREACH_CONTROLLER_TOKEN"];

const program = await createProgram({ words: ["controller"] });
let server: FleetServer;
beforeAll(async () => {
  server = await openFleetServer({
    store: fleetDouble().store,
    metrics: openFleetMetrics(VERSION),
    process: () => ({ isInForce: true, isStopping: false }),
    token: null,
    version: VERSION,
    clock: nodeClock,
    log: () => undefined,
    listen: { host: "127.0.0.1", port: 0 },
    allowedHosts: [],
  });
});
afterAll(() => server.close());

/** The options in the words of a command line that outreach controller does not have. */
function unknownOptions(words: readonly string[]): readonly string[] {
  const controller = program.commands.find((command) => command.name() === "controller");
  const known = (controller?.options ?? []).flatMap(({ short, long }) => [short, long]);
  return words.filter((word) => word.startsWith("-") && !known.includes(word));
}

function portOf(words: readonly string[]): number {
  return Number(words[words.indexOf("--listen") + 1]?.split(":").at(-1));
}

test("a mistyped option would be found", () => {
  expect(unknownOptions(["--listen", "0.0.0.0:4040", "--log-form", "json"])).toEqual(["--log-form"]);
});

describe("the container", () => {
  const lines = read(`${FOLDER}/Containerfile`)
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const after = (word: string): string =>
    lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? "";

  test("runs the controller of this version, and not as root", () => {
    expect(after("FROM")).toBe("node:20-slim");
    expect(after("RUN")).toContain(`outreach-as-code@${VERSION} `);
    expect(after("USER")).toBe("1000:1000");
    const [entry, words] = [JSON.parse(after("ENTRYPOINT")), JSON.parse(after("CMD"))] as readonly [
      readonly string[],
      readonly string[],
    ];
    expect(entry).toEqual(["outreach", "controller"]);
    expect(unknownOptions(words)).toEqual([]);
    expect(after("EXPOSE")).toBe(String(portOf(words)));
  });

  test("is healthy while the controller is ready", async () => {
    const [, program = "[]"] = after("HEALTHCHECK").split(" CMD ");
    const [, ...words] = JSON.parse(program) as readonly string[];
    const code = async (script: string): Promise<unknown> => {
      const child = spawn(
        process.execPath,
        words.map((word) => word.replace("http://127.0.0.1:4040", script)),
        { stdio: "ignore" },
      );
      return ((await once(child, "close")) as readonly unknown[])[0];
    };
    expect(await Promise.all([code(server.url), code(`${server.url}/teams`)])).toEqual([0, 1]);
  });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: { readonly [name: string]: string };
  };
  readonly data?: { readonly [file: string]: string };
}

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly envFrom: readonly [{ readonly secretRef: { readonly name: string } }];
  readonly ports: readonly [{ readonly name: string; readonly containerPort: number }];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
  readonly resources: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

describe("the manifests for Kubernetes", () => {
  const parsed = parseAllDocuments(read(`${FOLDER}/kubernetes.yaml`));
  const documents = parsed.map((document) => document.toJS() as unknown);
  const manifest = (kind: string): Manifest => documents.find((one) => (one as Manifest).kind === kind) as Manifest;
  const { replicas, template } = (manifest("Deployment") as unknown as Deployment).spec;
  const [container] = template.spec.containers;

  test("are all in one namespace, and select the pods of the deployment", () => {
    expect(parsed.flatMap(({ errors }) => errors)).toEqual([]);
    const manifests = documents as readonly Manifest[];
    expect(manifests.map(({ kind }) => kind)).toEqual([
      "Namespace",
      "ConfigMap",
      "Deployment",
      "PodDisruptionBudget",
      "Service",
      "NetworkPolicy",
    ]);
    for (const { kind, metadata } of manifests)
      expect(metadata.namespace).toBe(kind === "Namespace" ? undefined : manifest("Namespace").metadata.name);
    const { labels } = template.metadata;
    expect(manifest("Deployment")).toMatchObject({ spec: { selector: { matchLabels: labels } } });
    expect(manifest("PodDisruptionBudget")).toMatchObject({ spec: { selector: { matchLabels: labels } } });
    expect(manifest("Service")).toMatchObject({
      spec: {
        selector: labels,
        ports: [{ port: container.ports[0].containerPort, targetPort: container.ports[0].name }],
      },
    });
    expect(manifest("NetworkPolicy")).toMatchObject({
      spec: { podSelector: { matchLabels: labels }, ingress: [{ ports: [{ port: container.ports[0].name }] }] },
    });
  });

  test("run three controllers with options that exist, as a user without rights", () => {
    expect(replicas).toBe(3);
    expect(unknownOptions(container.args)).toEqual([]);
    expect(portOf(container.args)).toBe(container.ports[0].containerPort);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.resources).toMatchObject({
      requests: { memory: expect.any(String) as string },
      limits: { memory: expect.any(String) as string },
    });
    // The runs in flight have 30 seconds, the requests and traces a few more.
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(40);
  });

  test("probe addresses that the controller answers", async () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
      ({ httpGet }) => httpGet,
    );
    expect(probes.map(({ port }) => port)).toEqual(probes.map(() => container.ports[0].name));
    const { annotations = {} } = manifest("Service").metadata;
    expect(annotations["prometheus.io/port"]).toBe(String(container.ports[0].containerPort));
    for (const place of [...probes.map(({ path: probed }) => probed), annotations["prometheus.io/path"]])
      expect([place, (await fetch(`${server.url}${place ?? ""}`)).status]).toEqual([place, 200]);
  });

  test("give the controller the configuration and its variables", () => {
    const { data = {}, metadata } = manifest("ConfigMap");
    const [file = "", configuration = ""] = Object.entries(data)[0] ?? [];
    const mount = container.volumeMounts.find(
      ({ name }) => template.spec.volumes.find((volume) => volume.name === name)?.configMap?.name === metadata.name,
    );
    expect(container.args[container.args.indexOf("--config") + 1]).toBe(path.posix.join(mount?.mountPath ?? "", file));
    expect(container.env.map(({ name }) => name).filter((name) => !READ_VARIABLES.includes(name))).toEqual([]);
    // As a user checks it before it reaches the cluster.
    const folder = mkdtempSync(path.join(tmpdir(), "outreach-manifest-"));
    try {
      writeFileSync(path.join(folder, file), configuration);
      const { status, stdout } = spawnSync(
        process.execPath,
        [path.join(ROOT, "dist/bin/outreach.js"), "validate", "--config", file],
        {
          cwd: folder,
          encoding: "utf8",
        },
      );
      expect([status, stdout]).toEqual([0, expect.stringContaining("Success! The configuration is valid.")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the unit of systemd", () => {
  const unit = read(`${FOLDER}/controller.service`);
  const [command = "", ...words] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "").split(" ");

  test("runs the controller with options that exist, as a user of its own", () => {
    expect(words[0]).toBe("controller");
    expect(unknownOptions(words)).toEqual([]);
    for (const line of ["DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict"])
      expect(unit).toContain(`\n${line}\n`);
    const named = [...(/^# (OUTREACH_.*)$/m.exec(unit)?.[1] ?? "").matchAll(/[A-Z]+(?:_[A-Z]+)+/g)].map(
      ([name]) => name,
    );
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !READ_VARIABLES.includes(name))).toEqual([]);
  });

  test("is understood by systemd", ({ skip }) => {
    skip(spawnSync("systemd-analyze", ["--version"]).status !== 0, "no systemd-analyze on the PATH");
    const folder = mkdtempSync(path.join(tmpdir(), "outreach-unit-"));
    try {
      const verified = (content: string): string => {
        const file = path.join(folder, "outreach-controller.service");
        writeFileSync(file, content.replace(command, process.execPath));
        const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
        return (stdout + stderr)
          .split("\n")
          .filter((line) => line.includes("outreach-controller.service"))
          .join("\n");
      };
      expect(verified(unit)).toBe("");
      expect(verified(unit.replace("ProtectClock", "ProtectClok"))).toContain("ProtectClok");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the alerts", () => {
  const { groups } = parse(read(`${FOLDER}/alerts.yaml`)) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

  test("ask for metrics that the controller has", async () => {
    expect(rules.length).toBeGreaterThan(4);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const { alert, expr, annotations } of rules) {
      expect(annotations.summary, alert).toBeTruthy();
      const [name = ""] = /outreach_fleet_\w+(?:\{[^}]*\})?/.exec(expr) ?? [];
      expect(metrics, alert).toMatch(new RegExp(`^${name.replaceAll(/[{}]/g, String.raw`\$&`)}[{ ]`, "m"));
    }
  });

  /** What Prometheus would scrape each minute of a fleet whose one failing team runs for half of the time. */
  async function slowFailingTeam(): Promise<readonly string[]> {
    const metrics = openFleetMetrics(VERSION);
    const failing = { failures: 3, failingSinceMs: NOW_MS - 60_000 };
    const states = ["running", "failed"] as const;
    return Promise.all(
      Array.from({ length: 90 }, (_, minute) =>
        metrics.text(
          fleetOf([teamOf("good"), teamOf("slow", { ...failing, state: states[minute % 2] ?? "running" })]),
          true,
        ),
      ),
    );
  }

  test("see one slow team that fails, whether or not it runs when Prometheus asks", async () => {
    const scrapes = await slowFailingTeam();
    const fires = rules
      .filter(({ expr, for: duration }) => holds(expr, scrapes) >= minutesOf(duration))
      .map(({ alert }) => alert);
    expect(fires).toEqual(["OutreachTeamsFailing"]);
  });

  test("fire in Prometheus itself for that team", async ({ skip }) => {
    skip(!hasPromtool, "no promtool on the PATH");
    const scrapes = await slowFailingTeam();
    const names = [...(scrapes[0] ?? "").matchAll(/^(outreach_fleet_(?!run_)\w+(?:\{[^}]*\})?) /gm)].map(
      ([, name = ""]) => name,
    );
    const folder = mkdtempSync(path.join(tmpdir(), "outreach-alerts-"));
    try {
      const series = names.map((name) => ({
        series: name,
        values: scrapes.map((text) => valueOf(name, text)).join(" "),
      }));
      const tests = [
        {
          interval: "1m",
          input_series: series,
          alert_rule_test: rules.map(({ alert, labels, annotations: { summary, description } }) => ({
            eval_time: "80m",
            alertname: alert,
            exp_alerts:
              alert === "OutreachTeamsFailing"
                ? [
                    {
                      exp_labels: labels,
                      exp_annotations: { summary, description: description.replace("{{ $value }}", "1") },
                    },
                  ]
                : [],
          })),
        },
      ];
      writeFileSync(
        path.join(folder, "test.json"),
        JSON.stringify({ rule_files: [path.join(ROOT, FOLDER, "alerts.yaml")], tests }),
      );
      const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", path.join(folder, "test.json")], {
        encoding: "utf8",
      });
      expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
      const lint = spawnSync("promtool", ["check", "metrics"], { encoding: "utf8", input: scrapes[0] ?? "" });
      expect([lint.status, lint.stdout + lint.stderr]).toEqual([0, ""]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly [name: string]: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

function valueOf(series: string, scrape: string): number {
  const line = scrape.split("\n").find((one) => one.startsWith(`${series} `));
  if (line === undefined) throw new Error(`no ${series}`);
  return Number(line.slice(series.length + 1));
}

/** For how many scrapes in a row the expression of an alert has held at the end: `max(SERIES) > 0`, or `absent(METRIC)`. */
function holds(expr: string, scrapes: readonly string[]): number {
  const missing = /^absent\((\w+)\)$/.exec(expr)?.[1];
  const [, series = "", operator = "", limit = ""] =
    /^(?:max|min)\((\w+(?:\{[^}]*\})?)\) (>|==) (\d+)$/.exec(expr) ?? [];
  if (missing === undefined && series === "") throw new Error(`unknown form: ${expr}`);
  const isTrue = (scrape: string): boolean => {
    if (missing !== undefined) return !new RegExp(`^${missing}[{ ]`, "m").test(scrape);
    const value = valueOf(series, scrape);
    return operator === ">" ? value > Number(limit) : value === Number(limit);
  };
  const last = scrapes.findLastIndex((scrape) => !isTrue(scrape));
  return scrapes.length - 1 - last;
}

function minutesOf(duration: string): number {
  const [, count = "", unit = ""] = /^(\d+)([mh])$/.exec(duration) ?? [];
  return Number(count) * (unit === "h" ? 60 : 1);
}

test("the script runs a fleet until each team is reconciled, and leaves nothing running", async () => {
  const words = ["--import", "tsx", `${FOLDER}/run-locally.ts`, "--once", "--teams", "12"];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], timeout: 100_000 });
  const [printed, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect([code, failed]).toEqual([0, ""]);
  expect(printed.match(/^Controller \d: http:\/\/127\.0\.0\.1:\d+ /gm)).toHaveLength(3);
  expect(printed).toMatch(/^12 teams: (?:\d+ (?:running|applied|unchanged)(?:, )?)+$/m);
  for (const [address] of printed.matchAll(/http:\/\/127\.0\.0\.1:\d+/g))
    await expect(fetch(address)).rejects.toThrow("fetch failed");
}, 110_000);
