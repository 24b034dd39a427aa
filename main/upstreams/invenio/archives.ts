import type { Readable } from "node:stream";
import type { ListedArchive } from "../../../shared/blobs/blob-store.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { ServerError } from "../../sync/transport.ts";
import { contentPath, entryPath, memberPath } from "./file-paths.ts";
import { findPlace } from "./places.repository.ts";
import { listedEntry, theirListing } from "./read/their-archive.ts";
import { SlowedDown } from "./rest-line.ts";
import type { Site } from "./site.ts";

/** A file that is read whole for a part of it, several times for the list of a ZIP. */
export const maxWholeBytes = 32 * 1024 * 1024;

type Place = NonNullable<Awaited<ReturnType<typeof findPlace>>>;

/** Such a name comes out mangled there, or its file cannot be opened (upstreams F13). */
const isBeyondLatin1 = ({ key }: { key: string }): boolean => /[^\0-\xff]/.test(key);

/** Archives that the server lists and opens itself. What it can do is learned from its first answers. */
export class Archives {
  readonly #site: Site;
  #givesRanges: boolean | undefined;
  #listsArchives: boolean | undefined;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Learns from an answer to a call for a range. */
  noteRange(status: number | undefined): void {
    if (status === 206 || status === 200) this.#givesRanges = status === 206;
  }

  /** @returns undefined if the archive itself tells more: by ranges, or as a whole if it is small. */
  async list(sha256: string): Promise<ListedArchive | undefined> {
    const place = await findPlace(this.#site.db, sha256);
    if (!place || (await this.#hasRanges(place)) || !(await this.#isListed(place))) return undefined;
    const { data } = theirListing.safeParse(await this.#read(`${entryPath(place)}/container`));
    if (!data || data.truncated) return undefined;
    if ((place.size ?? 0) <= maxWholeBytes && data.entries.some(isBeyondLatin1)) return undefined;
    const files = data.entries.map(({ key, size, compressed_size, crc }) => ({
      ...{ key, sizeBytes: size, compressedBytes: compressed_size, crc32: crc },
    }));
    return { files, directories: data.directories };
  }

  /** @returns undefined if the server does not open it. @throws Failure 403 */
  async read(sha256: string, key: string): Promise<Readable | undefined> {
    const place = await findPlace(this.#site.db, sha256);
    if (!place) return undefined;
    const { line } = this.#site;
    const answer = await line.open(memberPath(place, key), { accept: "*/*" });
    if (answer.statusCode === 200) return answer;
    answer.destroy();
    if (answer.statusCode !== 403) return undefined;
    await line.assertToken();
    throw new Failure("forbidden", "Permission denied.");
  }

  async #hasRanges(place: Place): Promise<boolean> {
    if (this.#givesRanges === undefined) {
      const answer = await this.#site.line.open(contentPath(place), { accept: "*/*", range: "bytes=0-0" });
      answer.destroy();
      this.noteRange(answer.statusCode);
    }
    return this.#givesRanges === true;
  }

  async #isListed(place: Place): Promise<boolean> {
    if (this.#listsArchives === undefined) {
      const entry = listedEntry.safeParse(await this.#read(entryPath(place)));
      if (entry.success) this.#listsArchives = entry.data.links.container !== undefined;
    }
    return this.#listsArchives === true;
  }

  /** @returns undefined for a refusal or an error of the server. */
  async #read(path: string): Promise<unknown> {
    try {
      const { status, body } = await this.#site.line.read(path, { urgency: "user" });
      return status === 200 ? body : undefined;
    } catch (error) {
      if (error instanceof ServerError && !(error instanceof SlowedDown)) return undefined;
      throw error;
    }
  }
}
