/** Expressions with the functions of texts, patterns, encodings and truth, and their values in Terraform. */
export const FUNCTION_CASES: readonly (readonly [expression: string, value: unknown])[] = [
  ['urlencode("")', ""],
  [
    'toset([["b", 1], ["a", 2]])',
    [
      ["a", 2],
      ["b", 1],
    ],
  ],
  ["toset([{x = 2}, {x = 1}])", [{ x: 1 }, { x: 2 }]],
  ["toset([[2], [10]])", [[10], [2]]],
  [
    'toset([["b", true], ["b", false]])',
    [
      ["b", false],
      ["b", true],
    ],
  ],
  ["toset([[{a = 1}], [{a = 0}]])", [[{ a: 0 }], [{ a: 1 }]]],
  ['toset([[null], ["a"]])', [["a"], [null]]],
  [
    'toset([{a = "x", b = "é"}, {a = "x", b = "z"}])',
    [
      { a: "x", b: "z" },
      { a: "x", b: "é" },
    ],
  ],
];

/** Those without a value, here and in Terraform. */
export const FUNCTION_FAILURES: readonly string[] = [];
