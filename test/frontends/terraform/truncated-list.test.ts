import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isoTime } from "../../../src/core/model/iso-time.ts";
import { parseListProfile } from "../../../src/sandbox/list-profile.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { type Kept, NO_BYTES, ProviderUnderTest, sandboxForTest, webhook } from "./provider-under-test.ts";

const WARNING = "warning: A webhook is missing from a list that may be truncated";
const START_MS = 1_767_225_600_000;

let sandbox: Sandbox;
let processes: ProviderUnderTest[];

beforeEach(async () => {
  sandbox = await sandboxForTest();
  processes = [];
});
afterEach(async () => {
  for (const one of processes) await one.kill();
  processes[0]?.removeFolder();
  await sandbox.close();
});

async function start(apiKey = sandbox.keys.good): Promise<ProviderUnderTest> {
  const folder = processes[0]?.folder;
  const started = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey,
    ...(folder === undefined ? {} : { folder }),
  });
  processes.push(started);
  return started;
}

/** So many webhooks, a minute between each and the next, as Terraform has them in its state. */
function recorded(count: number, { isDated = true } = {}): readonly Kept[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAt = isoTime(START_MS + index * 60_000 + 1);
    const target = `https://example.com/${String(index)}`;
    const { _id: id } = sandbox.add("webhooks", { targetUrl: target, createdAt });
    return {
      state: webhook({ id, target_url: target, ...(isDated ? { created_at: createdAt } : {}) }),
      private: NO_BYTES,
      said: [],
    };
  });
}

function use(words: string): void {
  sandbox.configure({ profile: parseListProfile(words).profile });
}

function remove(kept: Kept | undefined): void {
  sandbox.remove("webhooks", String(kept?.state?.["id"]));
}

/** What each read yields, all in one process: `there`, `gone`, or what is said. */
async function readAll(all: readonly Kept[], provider: ProviderUnderTest): Promise<readonly string[]> {
  const read = await Promise.all(all.map((kept) => provider.read(kept)));
  return read.map(({ state, said }) => said[0] ?? (state === null ? "gone" : "there"));
}

const count = (results: readonly string[]) =>
  Object.fromEntries([...new Set(results)].map((one) => [one, results.filter((other) => other === one).length]));

describe("a refresh of 51 webhooks", () => {
  it.each(["no-offset", "no-offset,newest-first", "cap=50,no-offset"])(
    "shows that one is gone from between the others (%s)",
    async (words) => {
      const all = recorded(51);
      use(words);
      remove(all[25]);
      const results = await readAll(all, await start());
      expect(count(results)).toEqual({ there: 50, gone: 1 });
      expect(results[25]).toBe("gone");
    },
  );

  it.each(["cap=50,no-offset", "cap=50,no-offset,newest-first", "cap=10,no-offset"])(
    "takes none for gone where the list is truncated (%s)",
    async (words) => {
      const all = recorded(51);
      use(words);
      const results = count(await readAll(all, await start()));
      expect(results).toEqual(words.includes("=10") ? { there: 10, [WARNING]: 41 } : { there: 50, [WARNING]: 1 });
    },
  );

  it("takes none for gone by an order that the list or the state does not show", async () => {
    const all = recorded(51);
    use("no-offset,no-created-at");
    remove(all[25]);
    expect(count(await readAll(all, await start()))).toEqual({ there: 50, [WARNING]: 1 });
  });

  it("takes none for gone whose time of creation is not in the state", async () => {
    const all = recorded(51, { isDated: false });
    use("no-offset");
    remove(all[25]);
    expect(count(await readAll(all, await start()))).toEqual({ there: 50, [WARNING]: 1 });
  });

  it("shows that one is gone where a process before this one has seen a longer list", async () => {
    const all = recorded(51);
    use("no-offset,no-created-at");
    const before = await start();
    expect(count(await readAll(all, before))).toEqual({ there: 51 });
    await before.shutdown();
    remove(all[50]);
    expect((await readAll(all, await start()))[50]).toBe("gone");
    expect((await (await start()).import(String(all[50]?.state?.["id"]))).said).toEqual([]);
    // Another key may be another team's.
    const other = { ...(all[50] ?? { state: null, said: [] }), private: NO_BYTES };
    expect((await (await start(sandbox.keys.sameTeam)).read(other)).said).toEqual([WARNING]);
  });
});

describe("webhooks that the provider has created", () => {
  /** So many, created by one process. */
  async function created(total: number): Promise<readonly Kept[]> {
    const provider = await start();
    const all: Kept[] = [];
    for (let index = 0; index < total; index++)
      all.push(await provider.create({ target_url: `https://example.com/${String(index)}` }));
    await provider.shutdown();
    return all;
  }

  it("are not gone where a list that is cut at an odd length has never shown them, and that is known from then on", async () => {
    use("cap=11,no-offset");
    const all = await created(13);
    for (let process = 0; process < 2; process++) {
      const provider = await start();
      expect(count(await readAll(all, provider))).toEqual({ there: 11, [WARNING]: 2 });
      await provider.shutdown();
    }
  });

  it("are gone where one that a list has shown is deleted by hand before the next process", async () => {
    use("no-offset");
    const all = await created(3);
    remove(all[2]);
    expect(await readAll(all, await start())).toEqual(["there", "there", "gone"]);
  });
});
