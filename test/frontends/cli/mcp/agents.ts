import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly result: { readonly [name: string]: unknown };
  readonly truncated: boolean;
}

interface Agent {
  readonly client: Client;
  /** Calls a tool. */
  ask(
    name: string,
    given?: { readonly [name: string]: unknown },
    options?: { readonly signal: AbortSignal },
  ): Promise<Answer>;
}

/** Projects, and agents that are connected to the tools of the built command. */
export function useAgents() {
  const openProject = useProjects();
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });

  /** The SDK's own client, with the built command as its server. */
  async function connect(project: Project, words: readonly string[] = []): Promise<Agent> {
    const env = Object.fromEntries(
      Object.entries({
        PATH: process.env["PATH"],
        HOME: project.folder,
        OUTREACH_SETTLE: "0s",
        ...project.environment,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [project.command, "mcp", ...words],
      cwd: project.folder,
      env,
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    opened.push(() => client.close());
    await client.connect(transport);
    await client.listTools();
    const ask: Agent["ask"] = async (name, given = {}, options) => {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: given },
        undefined,
        options,
      );
      const { result = {}, truncated = false } = (structuredContent ?? {}) as Partial<Answer>;
      return {
        isError: isError === true,
        text: (content as readonly { readonly text: string }[]).map(({ text }) => text).join("\n"),
        result,
        truncated,
      };
    };
    return { client, ask };
  }

  /** A project of real time: its server is a process. */
  async function open(
    configuration = oneWebhook("target_url: https://crm.example.com/hooks\nsecret: { env: S }"),
  ): Promise<Project> {
    const project = await openProject();
    project.pauseMs = 0;
    project.environment["S"] = "first-secret-value";
    project.write("outreach.yaml", configuration);
    return project;
  }

  return { connect, open };
}
