import { Script } from "node:vm";

export interface Modules {
  /** The text of a module: a function of CommonJS. */
  readonly textOf: (name: string) => string;
  /** V8's code cache of a module; empty if it has none. V8 ignores the one of another V8. */
  readonly cacheOf: (name: string) => Buffer;
}

interface Module {
  readonly exports: unknown;
}

type Code = (exports: unknown, require: (name: string) => unknown, module: Module) => void;

/** Runs the command from its modules, each compiled when it is first needed, because most runs need few. Returns a map that gets the compiled ones. */
export function runCommandFrom({ textOf, cacheOf }: Modules): ReadonlyMap<string, Script> {
  const compiled = new Map<string, Script>();
  const loaded = new Map<string, Module>();
  const load = (name: string): unknown => {
    if (!name.startsWith("./")) return process.getBuiltinModule(name);
    const found = loaded.get(name);
    if (found) return found.exports;
    const module: Module = { exports: {} };
    loaded.set(name, module);
    const cachedData = cacheOf(name);
    const script = new Script(textOf(name), { filename: name, ...(cachedData.length > 0 ? { cachedData } : {}) });
    compiled.set(name, script);
    const code = script.runInThisContext() as Code;
    code(module.exports, load, module);
    return module.exports;
  };
  load("./outreach.js");
  return compiled;
}
