import type { Step } from "../step.ts";
import { DISK } from "./disk.ts";
import { JOURNAL_STEPS } from "./journal.ts";
import { LOCK } from "./lock.ts";
import { MARK_STEPS } from "./marks.ts";
import { PACING } from "./pacing.ts";
import { PLANS } from "./plans.ts";
import { PROVIDER } from "./provider.ts";
import { RECOVERY_STEPS } from "./recovery.ts";
import { REMOTE } from "./remote.ts";
import { SERVICE } from "./service.ts";
import { WRITE_STEPS } from "./write.ts";

/** Every protective step of the product. */
export const STEPS: readonly Step[] = [
  ...DISK,
  ...LOCK,
  ...JOURNAL_STEPS,
  ...WRITE_STEPS,
  ...RECOVERY_STEPS,
  ...MARK_STEPS,
  ...SERVICE,
  ...PLANS,
  ...REMOTE,
  ...PROVIDER,
  ...PACING,
];
