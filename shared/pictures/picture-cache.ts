import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { privateFile, privateFolder } from "../kernel/private-files.ts";

interface Kept {
  name: string;
  sizeBytes: number;
  usedMs: number;
}

/** Uses are noted at most this often, so that reading does not write. */
const noteMs = 60 * 60_000;

/**
 * Drawn pictures as files of one folder, bounded: the ones that were not used for longest go first. Anything here can be
 * drawn again, so an error of the disk costs time only.
 */
export class PictureCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  #bytes: number | undefined;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  async read(name: string): Promise<Buffer | undefined> {
    const file = join(this.#folder, name);
    try {
      const bytes = await readFile(file);
      const now = Date.now();
      if (now - (await stat(file)).mtimeMs > noteMs) await utimes(file, new Date(now), new Date(now));
      return bytes;
    } catch {
      return undefined;
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: privateFolder });
      // Another process of this server may write the same picture.
      const fresh = join(this.#folder, `${randomUUID()}.new`);
      await writeFile(fresh, bytes, { mode: privateFile });
      await rename(fresh, join(this.#folder, name));
      this.#bytes = (this.#bytes ?? total(await this.#list())) + bytes.length;
      if (this.#bytes > this.#maxBytes) await this.#shrink();
    } catch {
      // A full disk: the picture is sent and not kept.
    }
  }

  async #list(): Promise<Kept[]> {
    const found = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const file = await stat(join(this.#folder, name)).catch(() => undefined);
        return file ? [{ name, sizeBytes: file.size, usedMs: file.mtimeMs }] : [];
      }),
    );
    return found.flat();
  }

  /** Leaves three quarters, so that the next picture does not ask for room again. */
  async #shrink(): Promise<void> {
    const kept = (await this.#list()).sort((a, b) => a.usedMs - b.usedMs);
    let bytes = total(kept);
    for (const { name, sizeBytes } of kept) {
      if (bytes <= 0.75 * this.#maxBytes) break;
      await rm(join(this.#folder, name), { force: true });
      bytes -= sizeBytes;
    }
    this.#bytes = bytes;
  }
}

const total = (kept: readonly Kept[]): number => kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
