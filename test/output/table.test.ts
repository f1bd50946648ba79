import { expect, test } from "vitest";
import { tableText } from "../../src/output/text/table.ts";

test("the columns of a table are straight below wide and combining characters", () => {
  const rows = ["Q3 launch", "四半期", "Q3 🚀", "e\u0301te\u0301", "ｆｕｌｌ"].map((name, index) => ({
    name,
    id: `cam_${String(index)}`,
  }));
  expect(tableText(["name", "id"], rows)).toBe(
    [
      "NAME       ID",
      "Q3 launch  cam_0",
      "四半期     cam_1",
      "Q3 🚀      cam_2",
      "e\u0301te\u0301        cam_3",
      "ｆｕｌｌ   cam_4",
      "",
    ].join("\n"),
  );
});

test("a table can have very many rows", () => {
  expect(
    tableText(
      ["id"],
      Array.from({ length: 200_000 }, () => ({ id: "hoo" })),
    ),
  ).toHaveLength("ID\n".length + 200_000 * "hoo\n".length);
});

test("one long cell does not widen the other rows", () => {
  const long = "a".repeat(100_000);
  const [heading = "", first = "", second = ""] = tableText(
    ["name", "id"],
    [
      { name: long, id: "cam_1" },
      { name: "b", id: "cam_2" },
    ],
  ).split("\n");
  expect([heading.length, second.length]).toEqual([304, 307]);
  expect(first).toBe(`${long}  cam_1`);
});
