import type { DocumentFormat } from "./format.ts";
import { planHtml } from "./html/plan-html.ts";
import { stateHtml } from "./html/state-html.ts";

/** For browsers: one self-contained page without any request. */
export const html: DocumentFormat = { plan: planHtml, state: stateHtml };
