import { expect } from "vitest";
import type { Project, ProjectOptions, Ran } from "../project.ts";

export const ADA = "ada@example.com";
export const PEOPLE = [ADA, "mary@example.net", "john@example.org"];
export const LIST = "lists/opted-out.csv";
export const STATE = "outreach.state.json";
export const SEED = {
  campaigns: [
    { _id: "cam_000001", name: "Q3 launch", status: "running" },
    { _id: "cam_000002", name: "Webinar", status: "draft" },
  ],
  leads: [{ campaignId: "cam_000001", email: ADA }],
} as const;
const BLOCK = "    campaign_id: CAMPAIGN\n    emails_from: lists/opted-out.csv\n    recheck: 0s\n";

/** The blocks `b0`, `b1` and so on, with the same list. */
export function unsubscribing(...campaigns: readonly string[]): string {
  return `version: 1\nlead_unsubscriptions:\n${campaigns.map((campaign, index) => `  b${String(index)}:\n${BLOCK.replace("CAMPAIGN", campaign)}`).join("")}`;
}

export function list(people: readonly string[]): string {
  return `email\n${people.join("\n")}\n`;
}

/** The files that contain a text, in whatever case. */
export function filesWith(project: Project, text: string): readonly string[] {
  return Object.entries(project.files()).flatMap(([file, content]) =>
    content.toLowerCase().includes(text.toLowerCase()) ? [file] : [],
  );
}

export interface Certificate {
  readonly people: readonly {
    readonly argument: number;
    readonly hash: string | null;
    readonly done: number;
    readonly waiting: number;
    readonly before: number;
  }[];
  readonly erased: readonly { readonly kind: string; readonly name: string; readonly count: number }[];
  readonly not_reached: readonly {
    readonly kind: string;
    readonly file?: string;
    readonly line?: number;
    readonly detail?: string;
  }[];
}

export function certificateOf({ out }: Ran): Certificate {
  return JSON.parse(out) as Certificate;
}

/** A project where Ada is done in one campaign and waits in the other; two states were written, and a plan was saved. */
export async function opened(
  openProject: (options?: ProjectOptions) => Promise<Project>,
  options: ProjectOptions = {},
): Promise<Project> {
  const project = await openProject({ seed: SEED, ...options });
  project.write("outreach.yaml", unsubscribing("cam_000001"));
  project.write(LIST, list(PEOPLE));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", unsubscribing("cam_000001", "cam_000002"));
  expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(filesWith(project, ADA)).toEqual([LIST, STATE, `${STATE}.backup`, "saved.plan"].toSorted());
  return project;
}
