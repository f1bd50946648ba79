import { expect, it } from "vitest";
import { terraformCommand } from "../../../src/frontends/terraform/terraform-command.ts";

it.each([
  ["an ordinary apply", ["apply", "-refresh=true", "-var", "import=refresh"], {}, []],
  ["terraform import", ["-chdir=/home/a user/import it", "import", "outreach_webhook.a", "hoo_1"], {}, ["only reads"]],
  ["terraform refresh", ["refresh"], {}, ["only reads"]],
  ["-refresh-only", ["apply", "-refresh-only"], {}, ["only reads"]],
  ["--refresh-only=true", ["plan", "--refresh-only=true"], {}, ["only reads"]],
  ["-refresh-only=false", ["plan", "-refresh-only=false"], {}, []],
  ["-refresh=false", ["plan", "-refresh=false"], {}, ["skips reads"]],
  ["arguments of the environment", ["plan"], { TF_CLI_ARGS_plan: "-compact-warnings --refresh=0" }, ["skips reads"]],
  ["arguments of all commands", ["apply"], { TF_CLI_ARGS: "-refresh-only" }, ["only reads"]],
  ["arguments of another command", ["apply"], { TF_CLI_ARGS_plan: "-refresh=false" }, []],
  ["arguments that are not known", [], {}, []],
])("a command says which reads it does: %s", (_, words, environment, says) => {
  const { onlyReads, skipsReads } = terraformCommand(words.length > 0 ? ["terraform", ...words] : [], environment);
  expect([...(onlyReads ? ["only reads"] : []), ...(skipsReads ? ["skips reads"] : [])]).toEqual(says);
});
