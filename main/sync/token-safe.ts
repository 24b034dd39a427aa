import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const mark = "closed.";
const [nonceBytes, tagBytes] = [12, 16];

/** Closes tokens before they are written down, with a key that the operating system keeps; without one they stay open. */
export class TokenSafe {
  readonly #key: Buffer | undefined;

  constructor(key?: string) {
    this.#key = key === undefined ? undefined : createHash("sha256").update(key).digest();
  }

  close(token: string): string {
    if (!this.#key) return token;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const closed = Buffer.concat([nonce, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return mark + closed.toString("base64url");
  }

  /** @returns undefined when it was closed with another key. */
  open(kept: string): string | undefined {
    if (!kept.startsWith(mark)) return kept;
    const closed = Buffer.from(kept.slice(mark.length), "base64url");
    if (!this.#key || closed.length < nonceBytes + tagBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, closed.subarray(0, nonceBytes));
    decipher.setAuthTag(closed.subarray(-tagBytes));
    try {
      return decipher.update(closed.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }

  /** Whether it is written down more openly than it must be. */
  isTooOpen(kept: string): boolean {
    return this.#key !== undefined && !kept.startsWith(mark);
  }
}
