import { expect, test } from "vitest";
import { matchesHost, parseHostPattern } from "../../../../src/frontends/cli/commands/doctor/host-pattern.ts";

function matches(pattern: string, url: string): boolean {
  const parsed = parseHostPattern(pattern);
  if (!parsed) throw new Error(`${pattern} is no pattern`);
  return matchesHost(new URL(url), [parsed]);
}

test.each([
  [
    "crm.example.com",
    ["https://crm.example.com/hooks", "https://CRM.example.com:8443"],
    ["https://example.com", "https://crm.example.com.evil.example", "https://xcrm.example.com"],
  ],
  ["CRM.Example.com", ["https://crm.example.com"], []],
  [
    "crm.example.com:8443",
    ["https://crm.example.com:8443/a"],
    ["https://crm.example.com", "https://crm.example.com:443"],
  ],
  ["crm.example.com:443", ["https://crm.example.com/a"], ["https://crm.example.com:8443"]],
  [
    "*.example.com",
    ["https://crm.example.com", "https://a.b.example.com:8443"],
    ["https://example.com", "https://notexample.com", "https://example.com.evil.example"],
  ],
  ["*.example.com:8443", ["https://crm.example.com:8443"], ["https://crm.example.com"]],
  ["bücher.example", ["https://xn--bcher-kva.example"], ["https://bucher.example"]],
  ["127.0.0.1", ["http://127.0.0.1:3000", "http://2130706433:3000"], ["http://localhost:3000", "http://127.0.0.2"]],
  ["[::1]:3000", ["http://[::1]:3000"], ["http://[::1]:3001", "http://[::2]:3000"]],
  [
    "example.com",
    [],
    ["https://example.com@evil.example/", "https://evil.example/example.com", "https://evil.example#example.com"],
  ],
] as const)("%s names these hosts, and no other", (pattern, named, others) => {
  expect(named.filter((url) => !matches(pattern, url))).toEqual([]);
  expect(others.filter((url) => matches(pattern, url))).toEqual([]);
});

test.each([
  "",
  "crm.example.com,hooks.example.com",
  "crm.example.com.",
  "*.example.com.",
  "crm.example.com.:8443",
  "*",
  "*.",
  "*.com",
  "*.localhost",
  "*.127.0.0.1",
  "*.0.0.1",
  "*.168.1.1",
  "*.*.example.com",
  "crm.*.example.com",
  "https://crm.example.com",
  "crm.example.com/hooks",
  "user@crm.example.com",
  "crm.example.com:99999",
  "crm.example.com:",
  "a b.example",
  "::1",
  "[::1",
  "%65xample.com",
  "crm.example.com?x",
  "crm.example.com#x",
  "\\\\crm",
  ".",
  "exa\u200bmple..com",
])("%j is no host", (text) => {
  expect(parseHostPattern(text)).toBeNull();
});
