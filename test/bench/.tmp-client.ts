import { measureClient } from "./client.ts";
void measureClient().then((f) => console.log(f[0]?.measured, f[0]?.ratio));
