import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listAll, listPage } from "../../shared/containers/container-listing.ts";
import type { ContainerTree } from "../../shared/containers/container-tree.ts";
import { ContainerProblem } from "../../shared/containers/range-source.ts";
import { openMember } from "../../shared/containers/zip-member.ts";
import { readZipTree } from "../../shared/containers/zip-reader.ts";
import { fileSource } from "../support/file-source.ts";
import { makeManyEntries, makeSparseZip } from "../support/huge-zips.ts";

const limits = { maxMembers: 1_000_000 };
const fixture = (name: string) => path.join(import.meta.dirname, "../support/zip-fixtures", name);
const treeOf = async (file: string) => readZipTree(await fileSource(file), limits);
const keysOf = (tree: ContainerTree) => listAll(tree, 0, 10_000).files.map((file) => tree.keyOf(file));
const directoriesOf = (tree: ContainerTree) =>
  listAll(tree, 0, 10_000).directories.map(({ directory }) => tree.directoryKeyOf(directory));

async function textOf(file: string, key: string): Promise<string> {
  const tree = await treeOf(file);
  const member = tree.findFile(key.split("/"));
  if (member === undefined) throw new Error(`no ${key}`);
  return String(await buffer(await openMember(await fileSource(file), tree.member(member))));
}

const files = ["readme.txt", "data/table.csv", "data/deep/er/leaf.json", "data/empty.bin", "pictures/été 日本.svg"];

describe("archives of many makers are read alike (records 11)", () => {
  test.each([
    "info-zip.zip",
    "info-zip-extras.zip",
    "info-zip-stream.zip",
    "info-zip-zip64.zip",
    "python.zip",
    "python-stream.zip",
    "seven-zip.zip",
    "prepended.zip",
    "prepended-adjusted.zip",
    "prepended-zip64.zip",
  ])("%s", async (name) => {
    const tree = await treeOf(fixture(name));
    expect(keysOf(tree).sort()).toEqual([...files].sort());
    expect(
      directoriesOf(tree)
        .filter((key) => key !== "hollow")
        .sort(),
    ).toEqual(["data", "data/deep", "data/deep/er", "pictures"].sort());
    expect(await textOf(fixture(name), "readme.txt")).toBe("Read me first.\n");
    expect(await textOf(fixture(name), "data/table.csv")).toHaveLength(2004);
    expect(await textOf(fixture(name), "data/empty.bin")).toBe("");
    expect(await textOf(fixture(name), "pictures/été 日本.svg")).toContain("<svg");
  });

  test("an empty directory is listed when the archive names it", async () => {
    expect(directoriesOf(await treeOf(fixture("info-zip.zip")))).toContain("hollow");
  });

  test("names of CP437 and with backslashes are decoded", async () => {
    expect(keysOf(await treeOf(fixture("cp437.zip")))).toEqual(["café.txt", "Ä/inside.txt"]);
    expect(keysOf(await treeOf(fixture("backslash.zip")))).toEqual(["dir/from-windows.txt"]);
    expect(keysOf(await treeOf(fixture("dots.zip")))).toEqual(["here.txt", "a/b.txt", "a:b.txt"]);
  });

  test("an empty archive is an empty listing", async () => {
    expect(listAll(await treeOf(fixture("empty.zip")), 0, 1000)).toEqual({
      files: [],
      directories: [],
      total: 0,
      truncated: false,
    });
  });

  test("of two members with one name the later one opens", async () => {
    expect(await textOf(fixture("twice.zip"), "same.txt")).toBe("second");
  });
});

describe("what is wrong with an archive is said in words (records 11)", () => {
  test.each([
    ["truncated.zip", "cut off"],
    ["not-a-zip.zip", "no ZIP file"],
    ["nothing.zip", "no ZIP file"],
    ["bad-count.zip", "shorter"],
  ])("%s is refused", async (name, words) => {
    const attempt = treeOf(fixture(name));
    await expect(attempt).rejects.toBeInstanceOf(ContainerProblem);
    await expect(attempt).rejects.toThrow(words);
  });

  test("more members than the limit are refused before any is read", async () => {
    const source = await fileSource(fixture("python.zip"));
    await expect(readZipTree(source, { maxMembers: 4 })).rejects.toThrow("5 members, more than the 4");
  });

  test.each(["encrypted.zip", "seven-zip-aes.zip", "bzip2.zip", "bad-header.zip"])(
    "%s is listed, its odd member does not open",
    async (name) => {
      const tree = await treeOf(fixture(name));
      const source = await fileSource(fixture(name));
      await expect(openMember(source, tree.member(0))).rejects.toBeInstanceOf(ContainerProblem);
    },
  );

  test.each([
    ["parent.zip", ["good.txt", "../evil.txt"], "leads out"],
    ["inner-parent.zip", ["a/../../evil.txt"], "leads out"],
    ["absolute.zip", ["/etc/evil"], "starts with a slash"],
  ])("%s is listed, its unsafe member is refused and in no directory (app M10)", async (name, keys, words) => {
    const tree = await treeOf(fixture(name));
    const source = await fileSource(fixture(name));
    expect(keysOf(tree)).toEqual(keys);
    expect(directoriesOf(tree)).toEqual([]);
    await expect(openMember(source, tree.member(keys.length - 1))).rejects.toThrow(words);
  });

  test("other members of a partly encrypted archive open", async () => {
    expect(await textOf(fixture("encrypted.zip"), "readme.txt")).toBe("Read me first.\n");
    expect(await textOf(fixture("bzip2.zip"), "plain.txt")).toBe("plain");
    expect(await textOf(fixture("parent.zip"), "good.txt")).toBe("good");
  });

  test.each(["bad-crc.zip", "bad-size.zip"])("%s breaks off while it is read", async (name) => {
    const tree = await treeOf(fixture(name));
    const stream = await openMember(await fileSource(fixture(name)), tree.member(0));
    await expect(buffer(stream)).rejects.toBeInstanceOf(ContainerProblem);
  });
});

/** How often everything else that waits may run while the work goes on, were the clock to go on by 10 ms at each look. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [nowMs, turns] = [0, 0];
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 10));
  let tick = setImmediate(function next() {
    turns += 1;
    tick = setImmediate(next);
  });
  await work().finally(() => {
    clearImmediate(tick);
    clock.mockRestore();
  });
  return turns;
}

describe("huge archives (records 11)", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "carrel-zips-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("a ZIP64 of over 5 GB is listed, and a member behind the 5 GB opens", async () => {
    const file = path.join(folder, "sparse.zip");
    await makeSparseZip(file, 5.5 * 1024 ** 3);
    const tree = await treeOf(file);
    expect(keysOf(tree)).toEqual(["zeros.bin", "far/small.txt"]);
    expect(tree.member(0).sizeBytes).toBe(5.5 * 1024 ** 3);
    expect(await textOf(file, "far/small.txt")).toBe("behind five gigabytes\n");
  });

  test("100,000 members are listed page by page, without anybody waiting long", async () => {
    const file = path.join(folder, "many.zip");
    await makeManyEntries(file, 100_000, (index) => `part-${index % 100}/file-${index}.txt`);
    expect(await turnsDuring(() => treeOf(file))).toBeGreaterThanOrEqual(Math.floor(100_000 / 256));
    const tree = await treeOf(file);
    expect(tree.totalsOf(0)).toMatchObject({ files: 100_000, directories: 100 });
    const whole = listAll(tree, 0, 1000);
    expect(whole.files.length + whole.directories.length).toBe(1000);
    expect(whole).toMatchObject({ total: 100_000, truncated: true });
    const scope = tree.findDirectory(["part-7"]) ?? -1;
    const page = await listPage(tree, { scope, isFlat: true, text: "", page: 2, size: 300 });
    expect(page).toMatchObject({ total: 1000, truncated: true, directories: [] });
    expect(tree.keyOf(page.files[0] ?? -1)).toBe("part-7/file-30007.txt");
    const found = await listPage(tree, { scope: 0, isFlat: false, text: "FILE-9999", page: 1, size: 1000 });
    expect(found.total).toBe(11);
  });
});
