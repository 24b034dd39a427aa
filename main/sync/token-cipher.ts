import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const mark = "closed.";
const [nonceBytes, tagBytes] = [12, 16];

/**
 * Encrypts tokens before they are stored, with a key from the operating system. Without a key they are stored as they
 * are.
 */
export class TokenCipher {
  readonly #key: Buffer | undefined;

  constructor(key?: string) {
    this.#key = key === undefined ? undefined : createHash("sha256").update(key).digest();
  }

  encrypt(token: string): string {
    if (!this.#key) return token;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return mark + sealed.toString("base64url");
  }

  /** @returns undefined if the token was encrypted with another key. */
  decrypt(stored: string): string | undefined {
    if (!stored.startsWith(mark)) return stored;
    const sealed = Buffer.from(stored.slice(mark.length), "base64url");
    if (!this.#key || sealed.length < nonceBytes + tagBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, nonceBytes));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      return decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }

  /** Whether a stored token is unencrypted although there is a key. */
  needsEncryption(stored: string): boolean {
    return this.#key !== undefined && !stored.startsWith(mark);
  }
}
