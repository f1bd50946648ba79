import type { SandboxSeed } from "./seed.ts";

/**
 * The seed of a sandbox that was told nothing else: two teams, a key of each kind, and a first team with
 * campaigns in every status, schedules, leads and mailboxes.
 */
export const DEFAULT_SEED: SandboxSeed = {
  version: 1,
  teams: [
    { _id: "tea_000001", name: "Northwind Sales" },
    { _id: "tea_000002", name: "Southwind Sales" },
  ],
  users: [
    { _id: "usr_000001", teamId: "tea_000001", name: "Grace Hopper", email: "grace@northwind.example.com" },
    { _id: "usr_000002", teamId: "tea_000001", name: "Alan Turing", email: "alan@northwind.example.com" },
    { _id: "usr_000003", teamId: "tea_000001", name: "Former Colleague", email: "left@northwind.example.com", blocked: true },
    { _id: "usr_000004", teamId: "tea_000002", name: "Mary Somerville", email: "mary@southwind.example.com" },
  ],
  keys: [
    { name: "good", key: "sandbox-key-good", userId: "usr_000001" },
    { name: "sameTeam", key: "sandbox-key-same-team", userId: "usr_000002" },
    { name: "otherTeam", key: "sandbox-key-other-team", userId: "usr_000004" },
    { name: "blocked", key: "sandbox-key-blocked", userId: "usr_000003" },
    { name: "withoutUser", key: "sandbox-key-without-user" },
  ],
  schedules: [
    { _id: "skd_000001", name: "Office hours, Paris", secondsToWait: 120, timezone: "Europe/Paris", start: "09:00", end: "17:30", createdAt: "2026-01-05T09:00:00Z" },
    { _id: "skd_000002", name: "Mornings, New York", secondsToWait: 90, timezone: "America/New_York", start: "08:00", end: "12:00", weekdays: [2, 3, 4], public: true, createdAt: "2026-01-05T09:05:00Z" },
    { _id: "skd_000003", name: "Old office hours", timezone: "Europe/London", createdAt: "2025-11-03T10:00:00Z", deletedAt: "2026-02-01T08:00:00Z", deletedBy: "usr_000002" },
    { _id: "skd_000004", name: "Office hours, Sydney", teamId: "tea_000002", timezone: "Australia/Sydney", createdAt: "2026-01-12T00:00:00Z" },
  ],
  campaigns: [
    { _id: "cam_000001", name: "Q3 launch", labels: ["launch", "emea"], createdAt: "2026-06-01T08:00:00Z", scheduleIds: ["skd_000001", "skd_000002"] },
    { _id: "cam_000002", name: "Spring webinar follow-up", labels: ["webinar"], createdAt: "2026-03-16T09:30:00Z", createdBy: "usr_000002", scheduleIds: ["skd_000001"] },
    { _id: "cam_000003", name: "Win-back 2026", labels: ["win-back", "emea"], createdAt: "2026-04-07T14:00:00Z", status: "paused", errors: ["missing sender"], senders: [], scheduleIds: ["skd_000002"] },
    { _id: "cam_000004", name: "Partner outreach", labels: ["partners"], createdAt: "2026-05-19T11:15:00Z", status: "draft" },
    { _id: "cam_000005", name: "New year greetings", createdAt: "2025-12-15T10:00:00Z", status: "ended", scheduleIds: ["skd_000003"] },
    { _id: "cam_000006", name: "Beta programme", labels: ["beta"], createdAt: "2025-09-01T07:45:00Z", status: "archived", exportOutcome: "error" },
    { _id: "cam_000007", name: "Trade fair leads", labels: ["launch", "events"], createdAt: "2026-06-22T16:20:00Z", createdBy: "usr_000002", scheduleIds: ["skd_000001"] },
    { _id: "cam_000008", name: "Renewals", createdAt: "2026-02-10T13:00:00Z", status: "errors", errors: ["a sender with no email provider", "an invalid sender mailbox"] },
    { _id: "cam_000101", name: "Southern summer", teamId: "tea_000002", labels: ["apac"], createdAt: "2026-01-20T00:00:00Z", scheduleIds: ["skd_000004"] },
  ],
  leads: [
    { _id: "lea_000001", contactId: "ctc_000001", campaignId: "cam_000001", email: "ada@example.com" },
    { _id: "lea_000002", contactId: "ctc_000002", campaignId: "cam_000001", email: "charles@example.com" },
    { _id: "lea_000003", contactId: "ctc_000003", campaignId: "cam_000001", email: "linus@example.org", isPaused: true },
    { _id: "lea_000004", contactId: "ctc_000001", campaignId: "cam_000002", email: "ada@example.com" },
    { _id: "lea_000005", contactId: "ctc_000004", campaignId: "cam_000002", email: "katherine@example.net" },
    { _id: "lea_000006", contactId: "ctc_000005", campaignId: "cam_000007", email: "edsger@example.org" },
    { _id: "lea_000007", contactId: "ctc_000006", campaignId: "cam_000101", email: "ruby@example.com" },
  ],
  mailboxes: [
    { _id: "usm_000001", userId: "usr_000001", dailyLimit: 40, warmupTemplate: "friendly", warmEmailRampup: 3, activeAt: "2026-02-02T08:00:00Z", deliverability: { score: 97, lastAt: "2026-06-30T06:00:00Z" } },
    { _id: "usm_000002", userId: "usr_000002", dailyLimit: 25, activeAt: "2026-03-01T08:00:00Z", deliverability: { score: 88, lastAt: "2026-06-30T06:00:00Z" }, shape: "sample" },
    { _id: "usm_000101", userId: "usr_000004", active: false, activeAt: "2026-01-15T00:00:00Z", deliverability: { score: 71, lastAt: "2026-06-29T22:00:00Z" } },
  ],
};
