import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface DiskFloorOptions {
  sizeBytes: number;
  chunkBytes?: number;
  /** Digests computed while copying, as the product does. */
  digests?: string[];
  /** Folder on the disk to measure; a temporary folder by default. */
  folder?: string;
}

/** Baseline of this disk: reads, hashes and writes a file, with one fsync at the end. @returns bytes per second. */
export async function measureDiskFloor(options: DiskFloorOptions): Promise<number> {
  const { sizeBytes, chunkBytes = 1 << 20, digests = ["sha256", "md5"] } = options;
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), "carrel-disk-"));
  try {
    const chunk = Buffer.alloc(chunkBytes, "carrel");
    const source = await open(join(folder, "source"), "w+");
    for (let done = 0; done < sizeBytes; done += chunkBytes) {
      await source.write(chunk, 0, Math.min(chunkBytes, sizeBytes - done), done);
    }
    await source.sync();
    const target = await open(join(folder, "target"), "w");
    const hashes = digests.map((name) => createHash(name));
    const started = performance.now();
    for (let done = 0; done < sizeBytes; ) {
      const { bytesRead } = await source.read(chunk, 0, chunkBytes, done);
      const piece = chunk.subarray(0, bytesRead);
      for (const hash of hashes) hash.update(piece);
      await target.write(piece, 0, bytesRead, done);
      done += bytesRead;
    }
    for (const hash of hashes) hash.digest();
    await target.sync();
    const elapsedMs = performance.now() - started;
    await source.close();
    await target.close();
    return (sizeBytes / elapsedMs) * 1000;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
