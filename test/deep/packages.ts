import path from "node:path";

/** The folder of a package that only deep tests need: `npm run test:deep` installs them from the `package.json` next to this file. */
export const deepPackage = (name: string): string => path.join(import.meta.dirname, "node_modules", name);
