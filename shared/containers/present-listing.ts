import { guessType } from "../files/content-headers.ts";
import type { ContainerListing } from "./container-listing.ts";
import type { ContainerTree } from "./container-tree.ts";
import { refusalOf } from "./member-name.ts";

const encodePath = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

export interface PresentListing {
  /** Absolute URL of the archive's root listing. */
  url: string;
  /** Whether directories show sums instead of their files. */
  isFlat: boolean;
  /** Absolute URL of the next page. */
  next?: string;
}

/** The JSON of a listing (records 11). */
export function presentListing(
  tree: ContainerTree,
  listing: ContainerListing,
  { url, isFlat, next }: PresentListing,
): Record<string, unknown> {
  const contentOf = (key: string) => ({ content: `${url}/${encodePath(key)}` });
  const keys = new Map(listing.files.map((file) => [file, tree.keyOf(file)]));
  // A path opens the last member of its name, as unpacking would leave it.
  const last = new Map([...keys].map(([file, key]) => [key, file]));
  const entries = listing.files.map((file) => {
    const { key, sizeBytes, compressedBytes, crc32, isRefused } = tree.member(file);
    const flaw = isRefused ? refusalOf(key) : last.get(key) === file ? undefined : "a later member has the same name";
    return {
      key,
      size: sizeBytes,
      compressed_size: compressedBytes,
      mimetype: guessType(key),
      checksum: `crc:${crc32}`,
      ...(flaw === undefined ? { links: contentOf(key) } : { links: {}, metadata: { error: `Not opened: ${flaw}.` } }),
    };
  });
  const directories = listing.directories.map(({ directory, files }) => {
    const key = tree.directoryKeyOf(directory);
    const totals = tree.totalsOf(directory);
    const sums = isFlat ? { count: totals.files, size: totals.sizeBytes } : {};
    return { key, links: contentOf(key), entries: files.map((file) => keys.get(file)), ...sums };
  });
  const { total, truncated } = listing;
  return { entries, directories, total, truncated, ...(next === undefined ? {} : { links: { next } }) };
}
