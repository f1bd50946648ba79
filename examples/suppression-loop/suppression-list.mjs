// @ts-check
// Prints the list of people who opted out as a CSV. outreach.yaml runs it.
import { csvText } from "./csv-list.mjs";
import { openList } from "./open-list.mjs";

const list = await openList(process.env);
process.stdout.write(csvText(await list.entries()));
await list.close();
