import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAll } from "../../shared/containers/container-listing.ts";
import { ContainerProblem } from "../../shared/containers/range-source.ts";
import { TreeCache } from "../../shared/containers/tree-cache.ts";
import { openMember, openPackedMember } from "../../shared/containers/zip-member.ts";
import { readZipTree } from "../../shared/containers/zip-reader.ts";
import { dosTimeOf, writeZip, type ZipMember } from "../../shared/containers/zip-writer.ts";
import { fileSource } from "../support/file-source.ts";

const limits = { maxMembers: 1_000_000 };
const fixture = (name: string) => path.join(import.meta.dirname, "../support/zip-fixtures", name);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-writer-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const stored = (name: string, text: string): ZipMember => ({
  name,
  dosTime: dosTimeOf(new Date("2024-05-17T12:30:40Z")),
  method: 0,
  crc32: undefined,
  sizeBytes: Buffer.byteLength(text),
  compressedBytes: Buffer.byteLength(text),
  open: async () => Readable.from([Buffer.from(text)]),
});

async function writtenTo(name: string, members: ZipMember[]) {
  const file = path.join(folder, name);
  await writeFile(file, await buffer(Readable.from(writeZip(members))));
  return fileSource(file);
}

async function contentOf(source: Awaited<ReturnType<typeof fileSource>>): Promise<Record<string, string>> {
  const tree = await readZipTree(source, limits);
  const content: Record<string, string> = {};
  for (const file of listAll(tree, 0, 1000).files) {
    content[tree.keyOf(file)] = String(await buffer(await openMember(source, tree.member(file))));
  }
  return content;
}

/** Members of a fixture as a directory ZIP copies them. */
async function packedMembers(name: string): Promise<ZipMember[]> {
  const source = await fileSource(fixture(name));
  const tree = await readZipTree(source, limits);
  return listAll(tree, 0, 1000).files.map((file) => {
    const member = tree.member(file);
    return { ...member, name: member.key, open: () => openPackedMember(source, member) };
  });
}

describe("ZIPs streamed out (records 6.5, 11)", () => {
  test("keep names as they are, in any script and with colons", async () => {
    const source = await writtenTo("names.zip", [
      stored("a:b.txt", "colon"),
      stored("日本/é.txt", "text"),
      stored("e", ""),
    ]);
    expect(await contentOf(source)).toEqual({ "a:b.txt": "colon", "日本/é.txt": "text", e: "" });
  });

  test("copy packed members without packing them again", async () => {
    const source = await writtenTo("copy.zip", await packedMembers("python.zip"));
    expect(await contentOf(source)).toEqual(await contentOf(await fileSource(fixture("python.zip"))));
  });

  test.each(["bad-crc.zip", "bad-size.zip"])(
    "break off at a member that disagrees with its checksum: %s",
    async (name) => {
      await expect(writtenTo("broken.zip", await packedMembers(name))).rejects.toBeInstanceOf(ContainerProblem);
    },
  );

  test("break off when a member has fewer bytes than said", async () => {
    await expect(writtenTo("short.zip", [{ ...stored("a", "abc"), compressedBytes: 4 }])).rejects.toThrow(
      "3 bytes, not 4",
    );
  });

  test("use ZIP64 for more members than 16 bits count", async () => {
    const members = Array.from({ length: 70_000 }, (_, index) => stored(`${index}`, ""));
    const tree = await readZipTree(await writtenTo("many.zip", members), limits);
    expect(tree.fileCount).toBe(70_000);
  });
});

describe("the cache of tables of contents", () => {
  test("reads an archive once for all who ask, and forgets the least used", async () => {
    const source = await fileSource(fixture("python.zip"));
    const tree = await readZipTree(source, limits);
    const cache = new TreeCache(tree.sizeBytes * 2);
    let reads = 0;
    const read = async () => {
      reads += 1;
      return tree;
    };
    await Promise.all([cache.get("a", read), cache.get("a", read)]);
    expect(reads).toBe(1);
    await cache.get("b", read);
    await cache.get("a", read);
    await cache.get("c", read);
    await cache.get("a", read);
    expect(reads).toBe(3);
    await cache.get("b", read);
    expect(reads).toBe(4);
  });
});
