import { Readable } from "node:stream";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { bytesNotReady } from "../files/file.lifecycle.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ListingRequest } from "./container.schema.ts";
import { rootDirectory } from "./container-index.ts";
import { type ContainerListing, listAll, listPage } from "./container-listing.ts";
import type { ContainerTree } from "./container-tree.ts";
import { listedTree } from "./listed-tree.ts";
import { blobSource, ContainerProblem, type RangeSource } from "./range-source.ts";
import { TreeCache } from "./tree-cache.ts";
import { checkedMember, openMember, openPackedMember, requireReadable } from "./zip-member.ts";
import { readZipTree } from "./zip-reader.ts";
import { writeZip, type ZipMember } from "./zip-writer.ts";

/** A directory or member of an open archive. */
export interface Place {
  tree: ContainerTree;
  file?: number;
  directory?: number;
}

/** Reads archives among files (records 11). Every error has the contract's message, with the file's name. */
export interface ContainerService {
  /** @throws Failure 400 not an archive by its name, or invalid or refused content; 503 bytes not available. */
  open(entry: FileEntryRow): Promise<ContainerTree>;
  /** The member or directory of a path; undefined if it does not exist, or the path has an empty or `..` part. */
  find(tree: ContainerTree, path: string): Place | undefined;
  list(tree: ContainerTree, directory: number, request: ListingRequest | undefined): Promise<ContainerListing>;
  /** @throws Failure 400 encrypted, unknown compression method, or not at its offset. */
  openMember(entry: FileEntryRow, tree: ContainerTree, file: number): Promise<Readable>;
  /**
   * A ZIP of everything below a directory, with relative names.
   * @throws Failure 400 when a member cannot be opened; 503 when bytes are not available, even if the tree is cached.
   */
  zipDirectory(entry: FileEntryRow, tree: ContainerTree, directory: number): Promise<Readable>;
}

const isArchive = (key: string): boolean => /\.zip$/i.test(key);

const badContent = (key: string, reason: string): Failure =>
  new Failure("invalid", `Invalid file content for file '${key}': ${reason}.`);

/** Turns a ContainerProblem into a Failure; returns other errors unchanged. */
const asFailure = (key: string, error: unknown): unknown =>
  error instanceof ContainerProblem ? badContent(key, error.message) : error;

const otherName = (key: string): ContainerProblem => new ContainerProblem(`it has no member of the name ${key}`);

function sourceOf(blobs: BlobStore, { sha256, size }: FileEntryRow): RangeSource {
  if (sha256 === null || size === null) throw bytesNotReady();
  return blobSource(blobs, sha256, size);
}

function* membersOf(source: RangeSource, tree: ContainerTree, directory: number): Generator<ZipMember> {
  const prefix = directory === rootDirectory ? 0 : tree.directoryKeyOf(directory).length + 1;
  for (const empty of tree.directoriesBelow(directory)) {
    if (tree.totalsOf(empty).files > 0 || tree.directoriesIn(empty).length > 0) continue;
    yield emptyDirectory(`${tree.directoryKeyOf(empty).slice(prefix)}/`);
  }
  for (const file of tree.filesBelow(directory)) {
    const member = tree.member(file);
    yield { ...member, name: member.key.slice(prefix), open: () => openPackedMember(source, member) };
  }
}

const earliestDosTime = 0x00210000;
const emptyDirectory = (name: string): ZipMember => ({
  name,
  dosTime: earliestDosTime,
  method: 0,
  crc32: 0,
  sizeBytes: 0,
  compressedBytes: 0,
  open: async () => Readable.from([]),
});

export function containerService(host: Pick<Host, "blobs" | "settings">): ContainerService {
  const { blobs } = host;
  const cache = new TreeCache();

  const readTree = (entry: FileEntryRow): Promise<ContainerTree> => {
    const limits = { maxMembers: host.settings.container_member_limit };
    return cache.get(entry.sha256 ?? "", () => readZipTree(sourceOf(blobs, entry), limits));
  };
  /** The tree by the list of whoever has the bytes, as long as they are elsewhere. */
  const treeOf = async (entry: FileEntryRow): Promise<ContainerTree> => {
    const sha256 = entry.sha256 ?? "";
    if (!blobs.listArchive || (await blobs.has(sha256))) return readTree(entry);
    return cache.get(`elsewhere:${sha256}`, async () => {
      const listed = await blobs.listArchive?.(sha256);
      return listed ? listedTree(listed) : readTree(entry);
    });
  };
  /** The same directory in a tree that was read from the archive itself. */
  const ownDirectory = async (entry: FileEntryRow, tree: ContainerTree, directory: number) => {
    if (!tree.isListed) return { tree, directory };
    try {
      const [own, key] = [await readTree(entry), tree.directoryKeyOf(directory)];
      const found = own.findDirectory(key.split("/"));
      if (found === undefined) throw otherName(key);
      return { tree: own, directory: found };
    } catch (error) {
      throw asFailure(entry.key, error);
    }
  };

  return {
    async open(entry) {
      if (!isArchive(entry.key)) throw new Failure("invalid", `No extractor found for the file '${entry.key}'.`);
      if (entry.sha256 === null || entry.size === null) throw bytesNotReady();
      try {
        return await treeOf(entry);
      } catch (error) {
        throw asFailure(entry.key, error);
      }
    },
    find(tree, path) {
      const isDirectoryPath = path.endsWith("/");
      const parts = (isDirectoryPath ? path.slice(0, -1) : path).split("/");
      if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
      const [file, directory] = [tree.findFile(parts), tree.findDirectory(parts)];
      if (file !== undefined && !(isDirectoryPath && directory !== undefined)) return { tree, file };
      return directory === undefined ? undefined : { tree, directory };
    },
    async list(tree, directory, request) {
      if (!request) return listAll(tree, directory, host.settings.container_listing_limit);
      return listPage(tree, { scope: directory, ...request });
    },
    async openMember(entry, tree, file) {
      const member = tree.member(file);
      try {
        if (!tree.isListed) return await openMember(sourceOf(blobs, entry), member);
        requireReadable(member);
        const bytes = await blobs.readMember?.(entry.sha256 ?? "", member.key);
        if (bytes) return checkedMember(bytes, member);
        const own = await readTree(entry);
        const found = own.findFile(member.key.split("/"));
        if (found === undefined) throw otherName(member.key);
        return await openMember(sourceOf(blobs, entry), own.member(found));
      } catch (error) {
        throw asFailure(entry.key, error);
      }
    },
    async zipDirectory(entry, asked, askedDirectory) {
      const { tree, directory } = await ownDirectory(entry, asked, askedDirectory);
      const unreadable = tree.firstUnreadable(directory);
      try {
        if (unreadable !== undefined) requireReadable(tree.member(unreadable));
      } catch (error) {
        throw asFailure(entry.key, error);
      }
      const source = sourceOf(blobs, entry);
      // Once the answer has begun, the only way to fail is to cut the connection.
      await source.read({ start: 0, end: 1 });
      return Readable.from(writeZip(membersOf(source, tree, directory)), { objectMode: false });
    },
  };
}
