/** `CI`, and what the CIs set that have no `CI`. */
const VARIABLES = ["CI", "TF_BUILD", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID", "JENKINS_URL"];
const NOT_SET = ["", "0", "false"];

/** Whether a job of a CI runs this process. */
export function isInCi(environment: { readonly [name: string]: string | undefined }): boolean {
  return VARIABLES.some((name) => !NOT_SET.includes((environment[name] ?? "").toLowerCase()));
}
