import { expect } from "vitest";
import { ids, items, MESSAGES, names } from "./row.ts";
import type { Row } from "./row.ts";

export const CAMPAIGNS: Row[] = [
  [
    "All query parameters are optional; the response is a JSON array.",
    async ({ get }) => expect(items(await get("/campaigns"))).toHaveLength(8),
  ],
  [
    "`version`: only `v2`, the default.",
    async ({ get }) => {
      expect((await get("/campaigns?version=v2")).text).toBe((await get("/campaigns")).text);
      expect((await get("/campaigns?version=v1")).status).toBe(400);
    },
  ],
  [
    "`offset`: offset from the start, for pagination.",
    async ({ get }) => {
      const all = ids(await get("/campaigns"));
      expect(ids(await get("/campaigns?offset=3"))).toEqual(all.slice(3));
      expect(ids(await get("/campaigns?offset=8"))).toEqual([]);
      expect((await get("/campaigns?offset=-1")).status).toBe(400);
    },
  ],
  [
    "`page`: page number to retrieve.",
    async ({ get }) => {
      const all = ids(await get("/campaigns"));
      expect(ids(await get("/campaigns?limit=3&page=1"))).toEqual(all.slice(0, 3));
      expect(ids(await get("/campaigns?limit=3&page=3"))).toEqual(all.slice(6));
      expect((await get("/campaigns?page=x")).status).toBe(400);
    },
  ],
  [
    "`limit`: number of campaigns to return.",
    async ({ get }) => {
      expect(items(await get("/campaigns?limit=2"))).toHaveLength(2);
      for (const limit of ["0", "-1", "x", "1.5"]) expect((await get(`/campaigns?limit=${limit}`)).status).toBe(400);
    },
  ],
  [
    "`sortBy`: only `createdAt` is supported.",
    async ({ get }) => {
      expect((await get("/campaigns?sortBy=createdAt")).text).toBe((await get("/campaigns")).text);
      expect((await get("/campaigns?sortBy=name")).status).toBe(400);
    },
  ],
  [
    "`sortOrder`: `desc` sorts descending; any other value or omission sorts ascending.",
    async ({ get }) => {
      const times = async (query: string): Promise<unknown[]> =>
        items(await get(`/campaigns${query}`)).map((one) => one["createdAt"]);
      const ascending = await times("");
      expect(ascending).toEqual([...ascending].sort());
      expect(await times("?sortOrder=asc")).toEqual(ascending);
      expect(await times("?sortOrder=whatever")).toEqual(ascending);
      expect(await times("?sortOrder=desc")).toEqual([...ascending].reverse());
    },
  ],
  [
    "`status`: filter by campaign status, of the six values.",
    async ({ get }) => {
      const counts: number[] = [];
      for (const status of ["running", "draft", "archived", "ended", "paused", "errors"])
        counts.push(items(await get(`/campaigns?status=${status}`)).length);
      expect(counts).toEqual([3, 1, 1, 1, 1, 2]);
      expect((await get("/campaigns?status=done")).status).toBe(400);
    },
  ],
  [
    "`createdBy`: filter to campaigns created by this user id.",
    async ({ get }) => {
      const reply = await get("/campaigns?createdBy=usr_000002");
      expect(names(reply)).toEqual(["Spring webinar follow-up", "Trade fair leads"]);
      expect(items(await get("/campaigns?createdBy=usr_999999"))).toEqual([]);
    },
  ],
  [
    "Filters, order and paging work together.",
    async ({ get }) => {
      const reply = await get("/campaigns?status=running&sortOrder=desc&limit=1&offset=1&sortBy=createdAt&version=v2");
      expect(names(reply)).toEqual(["Q3 launch"]);
    },
  ],
  [
    "Error bodies (JSON strings): the four of authentication.",
    async ({ get, sandbox }) => {
      const { wrong, blocked, withoutUser } = sandbox.keys;
      const replies = [
        [null, MESSAGES.none],
        [wrong, MESSAGES.wrong],
        [blocked, MESSAGES.blocked],
        [withoutUser, MESSAGES.withoutUser],
      ] as const;
      for (const [key, message] of replies) {
        const reply = await get("/campaigns", key);
        expect(reply.json).toBe(message);
        expect(reply.headers["content-type"]).toContain("application/json");
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
      }
    },
  ],
];

export const CAMPAIGN_PARTS: Row[] = [
  [
    "Export start has no body and is a GET.",
    async ({ get, send }) => {
      expect((await get("/campaigns/cam_000001/export/start")).status).toBe(200);
      expect((await send({ method: "POST", path: "/campaigns/cam_000001/export/start" })).status).toBe(405);
    },
  ],
  [
    "Export start: `Bad team`, `Campaign not found`; and nothing starts.",
    async ({ get, sandbox }) => {
      expect((await get("/campaigns/cam_000101/export/start")).json).toBe("Bad team");
      expect((await get("/campaigns/cam_999999/export/start")).json).toBe("Campaign not found");
      expect(sandbox.records("exports")).toEqual([]);
    },
  ],
  [
    "Schedules: the path ends in a slash.",
    async ({ get }) => {
      expect(ids(await get("/campaigns/cam_000001/schedules/"))).toEqual(["skd_000001", "skd_000002"]);
      expect((await get("/campaigns/cam_000001/schedules")).status).toBe(404);
    },
  ],
  [
    "Schedules: the campaign must belong to the caller's team; `Bad team`, `Campaign not found`.",
    async ({ get, sandbox }) => {
      expect((await get("/campaigns/cam_000101/schedules/")).json).toBe("Bad team");
      expect((await get("/campaigns/cam_999999/schedules/")).json).toBe("Campaign not found");
      expect(ids(await get("/campaigns/cam_000101/schedules/", sandbox.keys.otherTeam))).toEqual(["skd_000004"]);
    },
  ],
  [
    "Schedules: a campaign without schedules has an empty array.",
    async ({ get }) => expect(items(await get("/campaigns/cam_000004/schedules/"))).toEqual([]),
  ],
  [
    "Warm-up settings: `Bad team`.",
    async ({ get }) => expect((await get("/warmup/usm_000101/settings")).json).toBe("Bad team"),
  ],
  [
    "Warm-up settings: `The authentication you supplied is incorrect`.",
    async ({ get, sandbox }) =>
      expect((await get("/warmup/usm_000001/settings", sandbox.keys.wrong)).json).toBe(MESSAGES.wrong),
  ],
  [
    "Unsubscribe: the path takes the lead's email address, encoded or not, in any case.",
    async ({ send, sandbox }) => {
      for (const email of ["ada%40example.com", "charles@example.com", "LINUS%40example.ORG"])
        expect((await send({ method: "DELETE", path: `/campaigns/cam_000001/leads/${email}` })).status).toBe(200);
      const left = sandbox.records("leads").filter((lead) => lead.unsubscribedAt === null);
      expect(left.map((lead) => lead.campaignId)).not.toContain("cam_000001");
    },
  ],
  [
    "Unsubscribe: only from that campaign.",
    async ({ send, sandbox }) => {
      await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada%40example.com" });
      const lead = sandbox.records("leads").find((one) => one._id === "lea_000004");
      expect(lead).toMatchObject({ email: "ada@example.com", unsubscribedAt: null });
    },
  ],
  [
    "Unsubscribe: `Bad team`, `Lead not found`.",
    async ({ send }) => {
      const answers: unknown[] = [];
      for (const path of [
        "cam_000101/leads/ruby@example.com",
        "cam_000001/leads/nobody@example.com",
        "cam_999999/leads/ada@example.com",
      ])
        answers.push((await send({ method: "DELETE", path: `/campaigns/${path}` })).json);
      expect(answers).toEqual(["Bad team", "Lead not found", "Lead not found"]);
    },
  ],
  [
    "Operations beyond those listed in Endpoints do not exist.",
    async ({ get, send }) => {
      const paths = [
        "/",
        "/users/usr_000001",
        "/campaigns/cam_000001",
        "/campaigns/cam_000001/leads",
        "/hooks/",
        "/teams",
      ];
      for (const path of paths) expect((await get(path)).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/" })).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/.." })).json).toBe("Lead not found");
      expect((await send({ method: "DELETE", path: "/campaigns/cam_000001/leads/%E0%A4%A" })).status).toBe(404);
      expect((await send({ method: "DELETE", path: "/campaigns" })).headers["allow"]).toBe("GET");
    },
  ],
];
