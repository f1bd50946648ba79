import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEmail } from "../../src/service/api/email-address.ts";
import { baseUrlProblem, isCampaignId, isWebhookId, serviceUrl } from "../../src/service/api/service-path.ts";

const BASE = "https://api.example.com/v1/api";
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(".", "/", "\\", "%", "2e", "?", "#", "@", ":", "a", " ", "\t", "\n", "é", "\u202e", "\ud800"),
  }),
);

describe("the address of an operation", () => {
  test("contains each segment unchanged, or is refused", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (segments) => {
        let url: URL;
        try {
          url = serviceUrl(BASE, segments);
        } catch {
          return;
        }
        expect(url.href.startsWith(`${BASE}/`)).toBe(true);
        expect(new URL(url.href).pathname.split("/").slice(3).map(decodeURIComponent)).toEqual(segments);
        expect(url.search + url.hash).toBe("");
      }),
      { numRuns: 3000 },
    );
  });

  test.each(
    [
      ["..", "."],
      ["hooks", ".."],
      ["campaigns", "..", "leads", "a@b"],
      ["hooks", "."],
      ["hooks", "\ud800"],
      ["", "hooks"],
      ["campaigns", "", "leads", "a@b"],
    ].map((segments) => [segments]),
  )("is refused for %j", (segments) => {
    expect(() => serviceUrl(BASE, segments)).toThrow();
  });

  test.each([
    ["a%2e%2e", "/v1/api/hooks/a%252e%252e"],
    ["%2e%2e", "/v1/api/hooks/%252e%252e"],
    ["a/b", "/v1/api/hooks/a%2Fb"],
    ["a\\b", "/v1/api/hooks/a%5Cb"],
    ["a?b#c", "/v1/api/hooks/a%3Fb%23c"],
    ["ü@x", "/v1/api/hooks/%C3%BC%40x"],
    ["...", "/v1/api/hooks/..."],
  ])("keeps %j in its segment", (segment, pathname) => {
    expect(serviceUrl(BASE, ["hooks", segment]).pathname).toBe(pathname);
  });

  test.each(["https://api.example.com/v1/api", "https://api.example.com/v1/api/", "https://api.example.com/v1/api//"])(
    "accepts any number of slashes at the end of %s",
    (base) => {
      expect(serviceUrl(base, ["hooks"]).href).toBe(`${BASE}/hooks`);
    },
  );

  test("keeps any text in its query unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        expect(
          new URL(serviceUrl(BASE, ["hooks"], { automationId: value }).href).searchParams.get("automationId"),
        ).toBe(value);
      }),
    );
  });
});

describe("ids and addresses that go into paths", () => {
  test("are always safe there", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          hostile.map((rest) => `hoo_${rest}`),
          hostile.map((rest) => `cam_${rest}`),
          hostile.map((rest) => `a@${rest}`),
        ),
        (text) => {
          if (!isWebhookId(text) && !isCampaignId(text) && !isEmail(text)) return;
          expect(serviceUrl(BASE, ["x", text, "y"]).pathname.split("/").slice(3).map(decodeURIComponent)).toEqual([
            "x",
            text,
            "y",
          ]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["hoo_1", true],
    ["hoo_aB-9_", true],
    [`hoo_${"a".repeat(124)}`, true],
    [`hoo_${"a".repeat(125)}`, false],
    ["cam_1", false],
    ["hoo_1/..", false],
    ["hoo_1\n", false],
    [" hoo_1", false],
    ["HOO_1", false],
    [null, false],
    [5, false],
  ])("%j is a webhook id: %s", (id, expected) => {
    expect(isWebhookId(id)).toBe(expected);
  });
});

describe("a base URL", () => {
  test.each([
    "https://api.example.com",
    "https://api.example.com/api/",
    "https://10.0.0.1:8443/x",
    "http://localhost:8080/api",
    "http://127.0.0.1",
    "http://127.8.9.1:1/",
    "http://[::1]:8080/api",
    "HTTP://LOCALHOST/",
  ])("can be %s", (text) => {
    expect(baseUrlProblem(text)).toBeUndefined();
  });

  test.each([
    ["", "not a URL"],
    ["api.example.com", "not a URL"],
    ["/api", "not a URL"],
    ["http://api.example.com", "https"],
    ["http://127.0.0.1.example.com", "https"],
    ["http://localhost.example.com", "https"],
    ["http://0.0.0.0", "https"],
    ["http://10.0.0.1", "https"],
    ["ftp://api.example.com", "https"],
    ["file:///etc/passwd", "https"],
    ["https://ada:pw@api.example.com", "user name"],
    ["https://ada@api.example.com", "user name"],
    ["https://:pw@api.example.com", "a password"],
    ["http://localhost@evil.example/", "user name"],
    ["https://api.example.com/?key=1", "query"],
    ["https://api.example.com/#x", "fragment"],
  ])("cannot be %j", (text, problem) => {
    expect(baseUrlProblem(text)).toContain(problem);
  });

  test("with a password is refused without repeating it", () => {
    expect(baseUrlProblem("https://ada:hunter22@api.example.com")).not.toContain("hunter22");
  });
});
