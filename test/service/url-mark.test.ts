import { describe, expect, test } from "vitest";
import { splitMark, withMark } from "../../src/service/api/url-mark.ts";

const MARK = "0123456789abcdef";

const URLS = [
  "https://crm.example.com",
  "https://crm.example.com/hooks",
  "https://crm.example.com/hooks?",
  "https://crm.example.com/hooks?evt=emailsReplied",
  "https://crm.example.com/hooks?a=1&&b=%20#part",
  "https://crm.example.com/hooks#part?not=a&query",
  "https://crm.example.com/hooks?outreach=mine",
  "https://crm.example.com/hooks?x=outreach=0123456789abcdef0",
  "HTTPS://CRM.example.com:443/ü?q=ä+b",
];

describe("a mark in a URL", () => {
  test.each(URLS)("leaves %s as it was once it is taken out", (url) => {
    const marked = withMark(url, MARK);
    expect(splitMark(marked)).toEqual({ url, mark: MARK });
    expect(new URL(marked).searchParams.getAll("outreach").at(-1)).toBe(MARK);
    expect(new URL(marked).hash).toBe(new URL(url).hash);
    expect(splitMark(url)).toEqual({ url, mark: null });
  });

  test.each(URLS)("is taken out of the form that a browser would send, too: %s", (url) => {
    const { url: rest, mark } = splitMark(new URL(withMark(url, MARK)).href);
    expect([mark, new URL(rest).href]).toEqual([MARK, new URL(url).href]);
  });

  test.each([
    [`https://a.example.com/?outreach=${MARK}&b=1`, "https://a.example.com/?b=1"],
    [`https://a.example.com/?a=1&outreach=${MARK}&b=1#x`, "https://a.example.com/?a=1&b=1#x"],
  ])("is found wherever a service has put it: %s", (url, rest) => {
    expect(splitMark(url)).toEqual({ url: rest, mark: MARK });
  });

  test.each([
    `https://a.example.com/?outreach=${MARK}0`,
    `https://a.example.com/?outreach=${MARK.toUpperCase()}`,
    `https://a.example.com/#?outreach=${MARK}`,
  ])("is none that looks otherwise: %s", (url) => expect(splitMark(url)).toEqual({ url, mark: null }));
});
