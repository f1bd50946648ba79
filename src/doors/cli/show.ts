import type { Value } from "../../core/model/value.ts";
import { jsonText } from "../../output/json-text.ts";
import { planJson } from "../../output/plan-json.ts";
import { planText } from "../../output/plan-text.ts";
import { stateJson } from "../../output/state-json.ts";
import { stateText } from "../../output/state-text.ts";
import type { StateOptions } from "./options.ts";
import { modeOf } from "./plan.ts";
import { readPlan } from "./plan-file.ts";
