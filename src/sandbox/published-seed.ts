import { DEFAULT_SEED } from "./default-seed.ts";
import type { SandboxSeed } from "./seed.ts";

/** Where the automation tools of the seed receive events. Each activation of a flow has its own URL. */
const AUTOMATION = "https://hooks.automation.example";
const FLOWS = "https://flows.automation.example";

/**
 * The default seed and the webhooks that automation tools have left in the first team, years ago: one for each activation of a flow. Some
 * have the same type, campaign and automation id, some no type and no campaign, and the oldest a placeholder in their path. Their ids leave the counter of new ids at its start.
 */
export const PUBLISHED_SEED: SandboxSeed = {
  ...DEFAULT_SEED,
  webhooks: [
    {
      _id: "hoo_Vq3mZt7KpR",
      targetUrl: `${AUTOMATION}/hooks/standard/{{accountId}}/a81c05/`,
      createdAt: "2020-11-03T15:20:11Z",
    },
    {
      _id: "hoo_Hd81LwXe2c",
      targetUrl: `${AUTOMATION}/hooks/standard/{{accountId}}/a81c06/`,
      createdAt: "2020-11-03T15:24:48Z",
    },
    ...["b09f41", "b09f42", "b09f43"].map((flow, index) => ({
      _id: `hoo_Ty5nBs0Jq${String(index)}`,
      targetUrl: `${AUTOMATION}/hooks/standard/18220/${flow}/`,
      type: "emailsReplied",
      campaignId: "cam_Fz4uWm8Ye1",
      automationId: "37709957",
      createdAt: `2021-02-16T08:${String(2 + 3 * index).padStart(2, "0")}:42Z`,
    })),
    {
      _id: "hoo_Cg6rPx9Na4",
      targetUrl: `${AUTOMATION}/hooks/standard/18220/c77d10/`,
      type: "emailsInterested",
      automationId: "37719004",
      createdAt: "2021-02-16T09:31:05Z",
    },
    ...["emailsOpened", "emailsClicked"].map((type, index) => ({
      _id: `hoo_Kj2vEo7Sd${String(index)}`,
      targetUrl: `${FLOWS}/catch/v1/${type.toLowerCase()}-5512/events`,
      type,
      isFirst: true,
      automationId: "41220016",
      createdAt: `2022-05-09T13:4${String(index)}:57Z`,
    })),
    {
      _id: "hoo_Wb8yMi3Ul5",
      targetUrl: `${FLOWS}/catch/v1/crm-sync-5513/events?source=outreach`,
      automationId: "lead-sync",
      createdAt: "2022-05-10T07:12:30Z",
    },
    {
      _id: "hoo_Rn1tGk6Vf9",
      targetUrl: `${FLOWS}/catch/v1/invites-6020/events`,
      type: "networkInviteAccepted",
      createdAt: "2023-09-27T16:05:00Z",
    },
  ],
};
