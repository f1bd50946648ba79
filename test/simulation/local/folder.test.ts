import { expect, it } from "vitest";
import { Folder } from "./folder.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function folderWith(...files: readonly string[]): Folder {
  const folder = new Folder("/work");
  for (const file of files) folder.put(`/work/${file}`, bytes("before"));
  return folder;
}

const contents = (folder: Folder): readonly string[] =>
  folder.entries().map(({ file, bytes: found }) => `${file} ${new TextDecoder().decode(found)}`);

it("loses, keeps or tears what was not flushed", () => {
  const folder = folderWith("state");
  folder.append(folder.at("/work/state") ?? 0, bytes(" after"));
  const left = new Set(folder.afterPowerFailure().flatMap(contents));
  expect(left).toEqual(new Set(["/work/state before", "/work/state before after", "/work/state before af"]));
});

it("leaves one world after a power failure where all is flushed and synced", () => {
  expect(folderWith("state").afterPowerFailure().map(contents)).toEqual([["/work/state before"]]);
});

it("leaves one world where only a file without a name was not flushed", () => {
  const folder = folderWith("state");
  folder.append(folder.create("/work/state.tmp"), bytes("half"));
  folder.remove("/work/state.tmp");
  expect(folder.afterPowerFailure().map(contents)).toEqual([["/work/state before"]]);
  expect(folder.copy().afterPowerFailure().map(contents)).toEqual([["/work/state before"]]);
});
