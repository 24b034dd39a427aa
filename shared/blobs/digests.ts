import { createHash, type Hash } from "node:crypto";

/** The sha256, md5 and length of bytes that arrive in order. */
export class Digests {
  #sha256: Hash = createHash("sha256");
  #md5: Hash = createHash("md5");
  offset = 0;

  update(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    this.#md5.update(chunk);
    this.offset += chunk.byteLength;
  }

  /** Lower-case hex digests. The object cannot be updated afterwards. */
  finish(): { sha256: string; md5: string } {
    return { sha256: this.#sha256.digest("hex"), md5: this.#md5.digest("hex") };
  }
}
