import { expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";

const openProject = useProjects();
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const members = (count: number, member: (index: number) => string): string =>
  `{${numbers(count).map(member).join(",")}}`;
const stack = (blocks: string): string => `{"//":{},"resource":{"outreach_webhook":${blocks}}}`;
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

test.each([
  ["nested brackets", nested(1_000_000), "levels deep"],
  ["nested brackets in an argument", stack(`{"a":{"target_url":${nested(100_000)}}}`), "levels deep"],
  [
    "nested brackets in an expression",
    stack(`{"a":{"target_url":"\${${nested(100_000)}}","type":"emailsSent"}}`),
    "nested more than 64 levels deep",
  ],
  ["a list in place of an object", `[${"1,".repeat(1_000_000)}1]`, "Not a synthesized stack"],
  [
    "brackets in a dependency",
    stack(
      `{"a":{"target_url":"https://x.example.com/","type":"emailsSent","depends_on":["${"[".repeat(1_000_000)}"]}}`,
    ),
    "depends_on",
  ],
  ["NUL bytes", "\0".repeat(1_000_000), "Not a synthesized stack"],
  ["a text that is cut off", stack('{"a":{"target_url":"x"}}').slice(0, -4), "Not a synthesized stack"],
  ["a long text", stack(`{"a":{"target_url":"${"x".repeat(5_000_000)}","type":"emailsSent"}}`), "Invalid target URL"],
  [
    "bad resources",
    stack(members(5_000, (index) => `"h${String(index)}":{"target_url":"ftp://x","type":"x${String(index)}"}`)),
    "ended after 500 mistakes",
  ],
  [
    "bad references",
    stack(members(5_000, (index) => `"h${String(index)}":{"target_url":"\${outreach_webhook.g${String(index)}.id}"}`)),
    "ended after 500 mistakes",
  ],
  ["keys without a meaning", members(20_000, (index) => `"t${String(index)}":{}`), "more mistakes like these"],
  [
    "a local that contains another twice, 40 times",
    `{"//":{},"locals":${members(40, (index) => `"l${String(index)}":["\${local.l${String(index + 1)}}","\${local.l${String(index + 1)}}"]`).replace(/}$/, ',"l40":"x"}')}}`,
    "more than 200000 parts",
  ],
  [
    "many blocks with many instances",
    stack(
      members(
        50,
        (index) =>
          `"a${String(index)}":{"count":100000,"target_url":"https://x.example.com/\${count.index}","type":"emailsSent"}`,
      ),
    ),
    "create more than 100000 instances together",
  ],
  [
    "names of JavaScript's own",
    '{"//":{},"resource":{"__proto__":{"a":{}},"toString":{"a":{}},"outreach_webhook":{"constructor":{"hasOwnProperty":2}}}}',
    "Error: ",
  ],
])(
  "a stack with %s gives a short message",
  async (_name, text, said) => {
    const { write, run } = await openProject();
    write("hooks/cdk.tf.json", text);
    const { code, out, err } = await run("validate -c hooks");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(said);
    expect(err).toContain("hooks/cdk.tf.json");
    expect(err).not.toMatch(/bug in outreach|^\s+at /m);
    expect(err.length).toBeLessThan(100_000);
  },
  120_000,
);
