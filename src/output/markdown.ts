import type { DocumentFormat } from "./format.ts";
import { planMarkdown } from "./markdown/plan-markdown.ts";
import { stateMarkdown } from "./markdown/state-markdown.ts";

/** For comments, issues and job summaries: GitHub's and GitLab's Markdown, bounded, with every value as literal text. */
export const markdown: DocumentFormat = { plan: planMarkdown, state: stateMarkdown };
