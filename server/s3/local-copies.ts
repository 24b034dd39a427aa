import { createWriteStream } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { privateFile } from "../../shared/kernel/private-files.ts";

/** The newest stay, for readers that open them by name. */
const maxCopies = 16;

/** Files with the bytes of single blobs, for programs that need a name, in a folder that ends with the process. */
export class LocalCopies {
  readonly #read: (sha256: string) => Promise<Readable>;
  #folder: Promise<string> | undefined;
  /** In the order of their last use. */
  readonly #files = new Map<string, Promise<string>>();

  constructor(read: (sha256: string) => Promise<Readable>) {
    this.#read = read;
  }

  async fileOf(sha256: string): Promise<string> {
    const file = this.#files.get(sha256) ?? this.#fetch(sha256);
    this.#files.delete(sha256);
    this.#files.set(sha256, file);
    file.catch(() => this.#files.delete(sha256));
    await this.#removeOldest();
    return file;
  }

  async #fetch(sha256: string): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), "carrel-bytes-"));
    const file = join(await this.#folder, sha256);
    const partial = `${file}.partial`;
    try {
      await pipeline(await this.#read(sha256), createWriteStream(partial, { mode: privateFile }));
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    return file;
  }

  async #removeOldest(): Promise<void> {
    if (this.#files.size <= maxCopies) return;
    const [oldest] = this.#files;
    if (!oldest) return;
    this.#files.delete(oldest[0]);
    const file = await oldest[1].catch(() => undefined);
    if (file !== undefined) await rm(file, { force: true });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#files.values());
    const folder = await this.#folder;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
