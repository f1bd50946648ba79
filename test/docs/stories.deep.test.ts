import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { type BundledCommand, bundledCommand } from "../frontends/cli/bundled-command.ts";
import { installedProvider } from "../frontends/terraform/installed-provider.ts";
import { ServedProvider } from "../frontends/terraform/served-provider.ts";
import { hasTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { checkStory } from "./check-story.ts";
import { STORIES, TERRAFORM_STORIES } from "./pages.ts";
import { terraformVariables } from "./run-page.ts";

const command = inject("commandFile");
let bundled: BundledCommand;
let served: ServedProvider;
beforeAll(async () => {
  [bundled, served] = await Promise.all([bundledCommand(), ServedProvider.open()]);
});
afterAll(() => served.close());

describe.each(Object.entries(PROFILES))("on a service of the kind %s", (_, service) => {
  test.each([...STORIES.keys()].filter((page) => !page.startsWith("examples/")))(
    "%s tells what its commands print",
    async (page) => {
      await checkStory(page, { command, ...bundled, service });
    },
    60_000,
  );

  test.for([...TERRAFORM_STORIES.keys()])(
    "%s tells what terraform prints",
    { timeout: 300_000 },
    async (page, { skip }) => {
      skip(!hasTerraform, "no terraform on the PATH");
      const { cliConfiguration } = await installedProvider();
      await checkStory(page, {
        command,
        service,
        variables: { ...terraformVariables(cliConfiguration), ...served.environment },
      });
    },
  );
});
