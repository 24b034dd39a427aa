import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "../../shared/kernel/data-folder.ts";

/** What the operating system keeps secret for this account alone. */
export interface KeyStore {
  /** Whether there is one that protects anything. */
  isThere(): Promise<boolean>;
  seal(text: string): Promise<Buffer>;
  /** @throws Error when it was sealed for another account or computer, or the store was emptied. */
  open(sealed: Buffer): Promise<string>;
}

/**
 * The key with which the replica closes its token: in the data folder, sealed by the key store, so that a copy of the
 * folder is worth nothing elsewhere. Undefined where there is no key store, or it cannot be used now.
 */
export async function folderKey(dataDir: string, keyStore: KeyStore): Promise<string | undefined> {
  const file = join(dataDir, "token-key");
  try {
    if (!(await keyStore.isThere())) return undefined;
    const kept = existsSync(file) ? await opened(readFileSync(file), keyStore) : undefined;
    if (kept !== undefined) return kept;
    const key = randomBytes(32).toString("base64url");
    const sealed = await keyStore.seal(key);
    makeDataFolder(dataDir);
    writeFileSync(file, sealed, { mode: 0o600 });
    chmodSync(file, 0o600);
    return key;
  } catch {
    // The token is then kept as where there is no key store; a folder that cannot be written is told of by the replica.
    return undefined;
  }
}

/** Undefined: it is of another account or computer; so is the token, and the person signs in again. */
async function opened(sealed: Buffer, keyStore: KeyStore): Promise<string | undefined> {
  try {
    return await keyStore.open(sealed);
  } catch {
    return undefined;
  }
}
