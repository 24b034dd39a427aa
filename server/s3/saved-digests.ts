import { createMD5, createSHA256, type IHasher } from "hash-wasm";

/** The length that precedes the first of two states. */
const headBytes = 4;

/**
 * The SHA-256 and MD5 of bytes that arrive in order. The state of Node's own hashes cannot be saved, so another process
 * would have to read all bytes again to continue.
 */
export class SavedDigests {
  readonly #sha256: IHasher;
  readonly #md5: IHasher;

  private constructor(sha256: IHasher, md5: IHasher) {
    this.#sha256 = sha256;
    this.#md5 = md5;
  }

  /** @param state of `save`. @returns undefined if another version of this program saved it in a form of its own. */
  static async load(state?: Uint8Array): Promise<SavedDigests | undefined> {
    const digests = new SavedDigests((await createSHA256()).init(), (await createMD5()).init());
    if (state === undefined || state.byteLength === 0) return digests;
    try {
      const length = Buffer.from(state.buffer, state.byteOffset, state.byteLength).readUInt32BE(0);
      digests.#sha256.load(state.slice(headBytes, headBytes + length));
      digests.#md5.load(state.slice(headBytes + length));
      return digests;
    } catch {
      return undefined;
    }
  }

  update(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    this.#md5.update(chunk);
  }

  save(): Buffer {
    const [sha256, md5] = [this.#sha256.save(), this.#md5.save()];
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(sha256.byteLength);
    return Buffer.concat([head, sha256, md5]);
  }

  /** Lower-case hex digests. Nothing can be added afterwards. */
  finish(): { sha256: string; md5: string } {
    return { sha256: this.#sha256.digest("hex"), md5: this.#md5.digest("hex") };
  }
}
