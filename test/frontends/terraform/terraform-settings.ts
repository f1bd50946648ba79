/** For every terraform that tests run: no requests of its own, and no garbage collection, which takes a fifth of its time. The largest plan needs 0.3 GB. */
export const TERRAFORM_SETTINGS = { CHECKPOINT_DISABLE: "1", GOGC: "off" };
