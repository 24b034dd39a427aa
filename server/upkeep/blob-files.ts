import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Path of a blob in the blob folder. */
export const blobFile = (folder: string, sha256: string): string =>
  path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/** Size of a file in bytes; undefined if it does not exist. */
export async function sizeOfFile(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest("hex");
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** Digests of the blobs in the folder. */
export async function* listBlobFiles(folder: string): AsyncGenerator<string> {
  for (const first of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for (const second of await namesIn(path.join(folder, first))) {
      for (const name of await namesIn(path.join(folder, first, second))) {
        if (/^[0-9a-f]{64}$/.test(name) && name.startsWith(first + second)) yield name;
      }
    }
  }
}

/** Ids of the uploads that have files. */
export const listUploadFiles = (folder: string): Promise<string[]> => namesIn(path.join(folder, "uploads"));
