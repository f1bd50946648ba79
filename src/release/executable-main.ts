/** What the single executable runs: the command's modules, as CommonJS. Each is compiled when it is first needed, because most runs need few. */
import { getAsset } from "node:sea";
import { Script } from "node:vm";

interface Module {
  readonly exports: unknown;
}

type Code = (exports: unknown, require: (name: string) => unknown, module: Module) => void;

const loaded = new Map<string, Module>();

function load(name: string): unknown {
  if (!name.startsWith("./")) return process.getBuiltinModule(name);
  const found = loaded.get(name);
  if (found) return found.exports;
  const module: Module = { exports: {} };
  loaded.set(name, module);
  const code = new Script(getAsset(name, "utf8"), { filename: name }).runInThisContext() as Code;
  code(module.exports, load, module);
  return module.exports;
}

load("./outreach.js");
