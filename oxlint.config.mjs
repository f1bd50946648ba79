// oxlint loads this file only with -c, and only next to src/. It enforces src/import-table.json.
import { readFileSync } from "node:fs";
import path from "node:path";

const table = JSON.parse(readFileSync(new URL("src/import-table.json", import.meta.url), "utf8"));
const moduleNames = Object.keys(table.modules);
/** The allowed depths of folders within a module. */
const DEPTHS = [0, 1, 2];

const AMBIENT = [
  "process",
  "globalThis",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "fetch",
  "performance",
  "crypto",
  "Date",
];
const CHANCE = ["randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID", "webcrypto"];
/** These modules create ids and certificates. */
const CHANCE_MODULES = new Set(["platform", "frontends/terraform"]);

const CAN_PARSE = {
  object: "URL",
  property: "canParse",
  message: "On Node.js 20 it soon answers wrong for texts with ü or é: use parseUrl.",
};

const noAmbient = {
  "no-restricted-globals": [
    "error",
    ...AMBIENT.map((name) => ({ name, message: "Pass it in from a main: see src/platform." })),
  ],
  "no-restricted-properties": [
    "error",
    CAN_PARSE,
    { object: "Math", property: "random", message: "Pass it in from a main: see src/platform." },
  ],
};

/** Expands a wing to its modules. */
function expand(names) {
  return names.flatMap((name) =>
    table.modules[name] === undefined ? moduleNames.filter((module) => module.startsWith(`${name}/`)) : [name],
  );
}

/**
 * The import rule for the files of a module that are `depth` folders deep. `also`: additional allowed imports. A single group,
 * because a group cannot forbid what another one allows.
 */
function importRule(module, depth, also = { modules: [], libraries: [] }) {
  const modules = expand([...table.modules[module].modules, ...also.modules]);
  const libraries = [...table.modules[module].libraries, ...also.libraries, ...table.pureLibraries];
  const out = "../".repeat(depth + 1);
  const [wing] = module.split("/");
  const toSource = module.includes("/") ? `${out}../` : out;
  // The path to a module of the same wing has one step less.
  const ways = modules.map((name) =>
    module.includes("/") && name.startsWith(`${wing}/`) ? `${out}${name.slice(wing.length + 1)}` : `${toSource}${name}`,
  );
  const own = [
    "./**",
    ...Array.from({ length: depth }, (_, index) => "../".repeat(index + 1)).flatMap((up) => [
      `${up}[!.]*`,
      `${up}[!.]*/**`,
    ]),
  ];
  const packages = libraries.filter((name) => !name.startsWith("node:")).map((name) => `${name}/**`);
  const allowed = [...own, ...ways.map((way) => `${way}/**`), ...libraries, ...packages];
  const detours = ["./../**", "**/[!.]*/../**"];
  return [
    "error",
    {
      paths: CHANCE_MODULES.has(module)
        ? []
        : [{ name: "node:crypto", importNames: CHANCE, message: "Pass randomness in from a main: see src/platform." }],
      patterns: [
        {
          group: ["**", ...allowed.map((pattern) => `!${pattern}`), ...detours],
          message: `${module} may import ${[...modules, ...libraries].join(", ")}, each by the shortest path (src/import-table.json).`,
        },
      ],
    },
  ];
}

const governed = moduleNames.filter((module) => table.modules[module] !== "everything");
const ofModules = governed.flatMap((module) =>
  DEPTHS.map((depth) => ({
    files: [`src/${module}/${"*/".repeat(depth)}*.ts`],
    rules: { "no-restricted-imports": importRule(module, depth) },
  })),
);
/** Single files that may import more than their module. */
const ofFiles = Object.entries(table.files).map(([file, also]) => {
  const module = governed.find((name) => file.startsWith(`${name}/`));
  const depth = path.posix.relative(module, file).split("/").length - 1;
  return { files: [`src/${file}`], rules: { "no-restricted-imports": importRule(module, depth, also) } };
});

export default {
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["dist/**", "**/generated/**", "cdktf.out/**"],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/no-duplicates": "error",
    "unicorn/prefer-node-protocol": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: true }],
    "no-empty": "error",
    "typescript/return-await": ["error", "in-try-catch"],
    // The two that end an expression have no stack: a configuration can cause millions of them.
    "typescript/only-throw-error": [
      "error",
      { allow: [{ from: "file", name: ["ExpressionFailure", "SyntaxFailure"] }] },
    ],
    "max-lines-per-function": ["error", { max: 95 }],
    "no-unused-vars": [
      "error",
      { argsIgnorePattern: "^_+$", varsIgnorePattern: "^_+$", destructuredArrayIgnorePattern: "^_+$" },
    ],
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    // The service's records have _id.
    "no-underscore-dangle": "off",
    // Creating a construct registers it, so its value may be unused.
    "no-new": "off",
    // Data from outside is checked, and then cast.
    "typescript/no-unsafe-type-assertion": "off",
    // Records of functions have no this.
    "typescript/unbound-method": "off",
    // The compiler checks that every case returns.
    "typescript/consistent-return": "off",
    // Its promise has no value.
    "promise/always-return": "off",
    // Strings are spread into code points on purpose.
    "typescript/no-misused-spread": "off",
    "typescript/no-meaningless-void-operator": "off",
    "unicorn/consistent-function-scoping": "off",
    "import/no-named-as-default-member": "off",
  },
  overrides: [
    { files: ["src/**"], rules: noAmbient },
    {
      files: [
        "src/platform/**",
        "src/frontends/*/main.ts",
        "src/frontends/cli/start.ts",
        "src/service/receiver/index.ts",
        "src/generate/**",
        "src/release/**",
      ],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
    },
    ...ofModules,
    ...ofFiles,
    {
      files: ["test/**"],
      rules: {
        "max-lines-per-function": "off",
        "no-shadow": "off",
        "unicorn/no-array-reverse": "off",
        "unicorn/no-array-sort": "off",
        "vitest/require-to-throw-message": "off",
        "typescript/no-base-to-string": "off",
        "typescript/require-array-sort-compare": "off",
        "vitest/no-standalone-expect": ["error", { additionalTestBlockFunctions: ["story"] }],
        // The others assert for several tests.
        "vitest/expect-expect": [
          "error",
          {
            assertFunctionNames: [
              "expect",
              "expectPlan",
              "expectRejected",
              "expectTheSame",
              "fc.assert",
              "check",
              "checkStory",
              "judge",
              "survives",
              "tell",
            ],
          },
        ],
        "vitest/no-conditional-expect": "off",
        "vitest/valid-title": "off",
      },
    },
    {
      files: ["*.config.*", "docs/.vitepress/config.ts", "test/counts-reporter.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
};
