import { TerraformUnderTest } from "../terraform/terraform-under-test.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import type { Project } from "../cli/project.ts";
import { type Json, stackOf } from "./stack.ts";

const FOLDER = "cdktf.out/stacks/hooks";

/** The planned change of one resource or output. */
export interface PlannedChange {
  readonly actions: readonly string[];
  readonly after: Json | null;
  /** The address before a move. */
  readonly from?: string;
  readonly imported?: string;
}

export type PlannedChanges = { readonly [address: string]: PlannedChange };

interface ResourceChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly mode: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after: Json | null;
    readonly importing?: { readonly id: string };
  };
}

interface PlanJson {
  readonly resource_changes?: readonly ResourceChange[];
  readonly output_changes?: {
    readonly [name: string]: { readonly after?: unknown; readonly after_sensitive?: unknown };
  };
}

type Environment = { readonly [name: string]: string };
type Kind = "variable" | "output";
type Stacks = { readonly [story: string]: Json };

/** The changes of the command's plan for the stack in its project, or the error message. */
export async function planByCommand(project: Project): Promise<PlannedChanges | string> {
  const planned = await project.run(`plan -c ${FOLDER} --out plan.out --show-emails`);
  if (planned.code !== 0) return planned.err;
  const { out } = await project.run("show -json plan.out --show-emails");
  return changesIn(JSON.parse(out) as PlanJson);
}

export async function applyByCommand(project: Project): Promise<void> {
  const { code, err } = await project.run(`apply -c ${FOLDER} --auto-approve`);
  if (code !== 0) throw new Error(err);
}

export function writeForCommand(project: Project, stack: Json): void {
  project.write(`${FOLDER}/cdk.tf.json`, stackOf(stack));
}

/**
 * Many stacks in one run of the real terraform, because each run starts the provider several times. Each stack is a module named after its story,
 * so that an error message names the story. One is the root module: only that can import, and configure providers.
 */
export class StacksInTerraform {
  readonly #terraform: TerraformUnderTest;
  readonly #root: string;

  private constructor(terraform: TerraformUnderTest, root: string) {
    this.#terraform = terraform;
    this.#root = root;
  }

  static async open({ baseUrl, keys }: Sandbox, root: string): Promise<StacksInTerraform> {
    const terraform = await TerraformUnderTest.start({
      OUTREACH_BASE_URL: baseUrl,
      OUTREACH_API_KEY: keys.good,
      OUTREACH_SETTLE: "0s",
    });
    return new StacksInTerraform(terraform, root);
  }

  /** Sets variables of a story's stack. */
  give(story: string, environment: Environment): void {
    const given = Object.entries(environment).map(([name, text]) => [
      name.replace("TF_VAR_", `TF_VAR_${moduleOf(story)}--`),
      text,
    ]);
    this.#terraform.environment = { ...this.#terraform.environment, ...(Object.fromEntries(given) as Environment) };
  }

  /** Writes the stacks. The root module passes their variables and outputs through. */
  async write(stacks: Stacks): Promise<void> {
    const { [this.#root]: root = {}, ...others } = stacks;
    const modules = Object.entries(others).map(([story, stack]) => ({ name: moduleOf(story), stack }));
    for (const { name, stack } of modules)
      this.#terraform.write(`${name}/cdk.tf.json`, JSON.stringify({ terraform: PROVIDERS, ...stack }));
    const inRoot = (kind: Kind, blockOf: (block: Json, path: string) => Json): Json => {
      const passed = modules.flatMap(({ name, stack }) =>
        blocksOf(stack, kind).map(
          ([key, block]) => [`${name}--${key}`, blockOf(block, `module.${name}.${key}`)] as const,
        ),
      );
      const all = [...blocksOf(root, kind), ...passed];
      // Terraform rejects an object without a name.
      return all.length === 0 ? {} : { [kind]: Object.fromEntries(all) };
    };
    // The modules check their own conditions.
    const variables = inRoot("variable", ({ validation: _, ...block }) => block);
    const outputs = inRoot("output", ({ precondition: _, ...block }, path) => ({ ...block, value: `\${${path}}` }));
    const module = Object.fromEntries(
      modules.map(({ name, stack }) => [
        name,
        {
          source: `./${name}`,
          providers: { outreach: `outreach.${name}` },
          ...Object.fromEntries(blocksOf(stack, "variable").map(([key]) => [key, `\${var.${name}--${key}}`])),
        },
      ]),
    );
    // Each stack has a provider of its own, in which no other one declares the same webhook.
    const provider = { outreach: [...providersOf(root), ...modules.map(({ name }) => ({ alias: name }))] };
    this.#terraform.write(
      "cdk.tf.json",
      JSON.stringify({ terraform: PROVIDERS, ...root, provider, module, ...variables, ...outputs }),
    );
    await this.#run("get");
  }

  async apply(): Promise<void> {
    await this.#run("apply", "-input=false", "-auto-approve");
  }

  /** The changes by story. */
  async plan(): Promise<(story: string) => PlannedChanges> {
    await this.#run("plan", "-input=false", "-out=plan.out");
    const { resource_changes: resources = [], output_changes: outputs = {} } = JSON.parse(
      await this.#run("show", "-json", "plan.out"),
    ) as PlanJson;
    return (story) => {
      const name = story === this.#root ? "" : moduleOf(story);
      const own = (separator: RegExp, text: string): readonly string[] => {
        const [, module = "", rest = text] = separator.exec(text) ?? [];
        return module === name ? [rest] : [];
      };
      return changesIn({
        resource_changes: resources.flatMap(({ previous_address: from, ...one }) =>
          own(IN_MODULE, one.address).map((address) => ({
            ...one,
            address,
            ...(from === undefined ? {} : { previous_address: from.replace(IN_MODULE, "$2") }),
          })),
        ),
        output_changes: Object.fromEntries(
          Object.entries(outputs).flatMap(([key, change]) => own(OF_MODULE, key).map((output) => [output, change])),
        ),
      });
    };
  }

  remove(): Promise<void> {
    return this.#terraform.remove();
  }

  async #run(command: string, ...args: readonly string[]): Promise<string> {
    const { status, output, words } = await this.#terraform.run(command, "-no-color", ...args);
    if (status !== 0) throw new Error(`terraform ${command}: ${words.replace(/^.*?(?=Error:)/, "")}`);
    return output;
  }
}

/** The configurations of the provider that a stack has, or the empty one that it needs. */
function providersOf(stack: Json): readonly unknown[] {
  const { outreach = {} } = (stack["provider"] ?? {}) as { readonly outreach?: unknown };
  return [outreach].flat();
}

const PROVIDERS: Json = { required_providers: { outreach: { source: "outreach-as-code/outreach" } } };
/** A resource's address in a module. */
const IN_MODULE = /^module\.(\w+)\.(.*)$/s;
/** A module's output in the root module. */
const OF_MODULE = /^(\w+)--(.*)$/;

const moduleOf = (story: string): string => story.replaceAll(/\W+/g, "_");

function blocksOf(stack: Json, kind: Kind): readonly (readonly [name: string, block: Json])[] {
  return Object.entries((stack[kind] ?? {}) as { readonly [name: string]: Json });
}

/** Without unchanged resources, unknown values, and our own settings, which Terraform keeps in the lifecycle. */
function changesIn({ resource_changes: resources = [], output_changes: outputs = {} }: PlanJson): PlannedChanges {
  const isTold = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null && !["rotation", "protect", "secret", "id", "created_at"].includes(name);
  return Object.fromEntries([
    ...resources
      .filter(
        ({ mode, previous_address: from, change }) =>
          mode === "managed" && (change.actions[0] !== "no-op" || from !== undefined || change.importing !== undefined),
      )
      .map(
        ({
          address,
          previous_address: from,
          change: { actions, after, importing },
        }): readonly [string, PlannedChange] => [
          address,
          {
            actions,
            after: after && Object.fromEntries(Object.entries(after).filter(isTold)),
            ...(from === undefined ? {} : { from }),
            ...(importing ? { imported: importing.id } : {}),
          },
        ],
      ),
    ...Object.entries(outputs).map(
      ([name, { after = null, after_sensitive: sensitive }]): readonly [string, PlannedChange] => [
        `output.${name}`,
        { actions: [], after: { value: after, sensitive: sensitive === true } },
      ],
    ),
  ]);
}
