import { auditTool } from "./audit-tool.ts";
import { driftTool } from "./drift-tool.ts";
import { eventsTool } from "./events-tool.ts";
import { explainTool } from "./explain-tool.ts";
import { planTool } from "./plan-tool.ts";
import type { ToolDefinition } from "./tool-call.ts";
import { validateTool } from "./validate-tool.ts";

/** Every tool. None of them writes. */
export const TOOLS: readonly ToolDefinition[] = [validateTool, planTool, explainTool, driftTool, auditTool, eventsTool];
