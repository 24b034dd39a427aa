import { Failure } from "../kernel/failure.ts";
import type { BlobFacts } from "./blob-store.ts";

/** The size and digests that were announced before the content. */
export interface Announced {
  sizeBytes?: number | undefined;
  md5?: string | undefined;
  sha256?: string | undefined;
}

export const cutShort = (): Failure =>
  new Failure("invalid", "The connection broke off: fewer bytes arrived than the request announced.");
export const takenOver = (): Failure => new Failure("conflict", "A newer upload of this content took over.");
export const begunAnew = (): Failure =>
  new Failure("stale", "Another upload of this content has begun since. Begin anew with a PUT.");
export const wrongOffset = (offset: number, isComplete: boolean): Failure =>
  new Failure("conflict", `The upload stands at ${offset}; go on there.`, {
    headers: { "Upload-Offset": String(offset), "Upload-Complete": isComplete ? "?1" : "?0" },
  });

/** Compares the content with what the entry or call announced. @throws Failure 400 */
export function checkAgainst(expected: Announced, length: number | null, sha256: string | null) {
  return (facts: BlobFacts): void => {
    const { sizeBytes, md5, sha256: named } = expected;
    for (const size of [sizeBytes, length ?? undefined]) {
      if (size === undefined || size === facts.sizeBytes) continue;
      throw new Failure("invalid", `The content has ${facts.sizeBytes} bytes, ${size} were announced.`);
    }
    const isSame =
      (md5 ?? facts.md5) === facts.md5 && [named, sha256].every((one) => (one ?? facts.sha256) === facts.sha256);
    if (!isSame) throw new Failure("invalid", "The checksum of the content is not the one that was announced.");
  };
}
