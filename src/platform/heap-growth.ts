/** After a collection, the heap may grow by so much before the next one. By default V8 lets it grow to several times what is in use. */
const PERCENT = 30;

/** Keeps the heap of a process small that lives long, next to many others. */
export function growHeapSlowly(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(`--heap-growing-percent=${String(PERCENT)}`);
}
