// oxlint loads this file only with -c, and only from beside src/: it enforces src/import-table.json.
import { readFileSync } from "node:fs";

const table = JSON.parse(readFileSync(new URL("src/import-table.json", import.meta.url), "utf8"));
const roomNames = Object.keys(table.rooms);
/** How deep folders within a room may be. */
const DEPTHS = [0, 1];

const AMBIENT = ["process", "globalThis", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "performance", "crypto", "Date"];
const CHANCE = ["randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID", "webcrypto"];

const noAmbient = {
  "no-restricted-globals": ["error", ...AMBIENT.map((name) => ({ name, message: "Pass it in from a main: see src/platform." }))],
  "no-restricted-properties": ["error", { object: "Math", property: "random", message: "Pass it in from a main: see src/platform." }],
};

/** A wing stands for all its rooms. */
function expand(names) {
  return names.flatMap((name) => (table.rooms[name] === undefined ? roomNames.filter((room) => room.startsWith(`${name}/`)) : [name]));
}

/** The rule for the files of a room that are `depth` folders below it. `also`: what they may import beyond the table. */
function importRule(room, depth, also = { rooms: [], modules: [] }) {
  const rooms = expand([...table.rooms[room].rooms, ...also.rooms]);
  const modules = [...table.rooms[room].modules, ...also.modules, ...table.pureModules];
  const out = "../".repeat(depth + 1);
  const [wing] = room.split("/");
  const toSource = room.includes("/") ? `${out}../` : out;
  // A room of the same wing is written with one step less.
  const ways = rooms.map((name) => (room.includes("/") && name.startsWith(`${wing}/`) ? `${out}${name.slice(wing.length + 1)}` : `${toSource}${name}`));
  const packages = modules.filter((name) => !name.startsWith("node:"));
  const withChance = ["platform", "doors/terraform"].includes(room);
  return [
    "error",
    {
      paths: withChance ? [] : [{ name: "node:crypto", importNames: CHANCE, message: "Pass randomness in from a main: see src/platform." }],
      // The order counts: what one pattern lets through is not looked at by the next.
      patterns: [
        { regex: String.raw`^\./.*\.\./|[^./]/\.\./`, message: "Write the shortest path." },
        { group: [`${out}**`, ...ways.map((way) => `!${way}/**`)], message: `${room} may import: ${rooms.join(", ") || "nothing of ours"} (src/import-table.json)` },
        { group: ["**", "!./**", "!../**", ...modules.map((name) => `!${name}`), ...packages.map((name) => `!${name}/**`)], message: `${room} may not use this module (src/import-table.json)` },
      ],
    },
  ];
}

const governed = roomNames.filter((room) => table.rooms[room] !== "everything");
const ofRooms = governed.flatMap((room) => DEPTHS.map((depth) => ({ files: [`src/${room}/${"*/".repeat(depth)}*.ts`], rules: { "no-restricted-imports": importRule(room, depth) } })));
const ofMains = Object.entries(table.mains).map(([room, also]) => ({ files: [`src/${room}/main.ts`], rules: { "no-restricted-imports": importRule(room, 0, also) } }));

export default {
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["dist/**", "**/generated/**", "cdktf.out/**"],
  rules: {
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "typescript/no-require-imports": "error",
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: true }],
    "max-lines-per-function": ["error", { max: 70 }],
  },
  overrides: [
    { files: ["src/**"], rules: noAmbient },
    { files: ["src/platform/**", "src/*/main.ts", "src/doors/*/main.ts", "src/generate/**"], rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" } },
    ...ofRooms,
    ...ofMains,
    { files: ["test/**", "src/generate/openapi*.ts"], rules: { "max-lines-per-function": "off" } },
    { files: ["*.config.*", "test/counts-reporter.ts"], rules: { "import/no-default-export": "off" } },
  ],
};
