/**
 * The CPU time of `work`, as a multiple of the time that this machine takes to read 10 million characters one by one.
 * Unlike a time, it does not depend on how fast the machine is, and on what else runs there.
 */
export async function cpuCost(work: () => unknown): Promise<number> {
  unit ??= await cpuTime(readTenMillion);
  return (await cpuTime(work)) / unit;
}

let unit: number | undefined;

async function cpuTime(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

function readTenMillion(): number {
  const text = "abcdefghij".repeat(100_000);
  let sum = 0;
  for (let round = 0; round < 10; round++)
    for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) % 65_521;
  return sum;
}
