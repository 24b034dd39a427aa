import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "../../shared/kernel/data-folder.ts";
import { narrow, privateFile } from "../../shared/kernel/private-files.ts";

/** Key store of the operating system, private to this account. */
export interface KeyStore {
  /** Whether there is a key store that protects anything. */
  isAvailable(): Promise<boolean>;
  seal(text: string): Promise<Buffer>;
  /** @throws Error if it was sealed for another account or computer, or the store was emptied. */
  unseal(sealed: Buffer): Promise<string>;
}

/**
 * Key that encrypts the replica's token. It lies in the data folder, sealed by the key store, so that a copy of the
 * folder is useless elsewhere. Undefined without a usable key store.
 */
export async function folderKey(dataDir: string, keyStore: KeyStore): Promise<string | undefined> {
  const file = join(dataDir, "token-key");
  try {
    if (!(await keyStore.isAvailable())) return undefined;
    const kept = existsSync(file) ? await unsealKey(readFileSync(file), keyStore) : undefined;
    if (kept !== undefined) return kept;
    const key = randomBytes(32).toString("base64url");
    const sealed = await keyStore.seal(key);
    makeDataFolder(dataDir);
    writeFileSync(file, sealed, { mode: privateFile });
    narrow(file);
    return key;
  } catch {
    // The token then stays unencrypted. The replica reports a folder that cannot be written.
    return undefined;
  }
}

/** Undefined if sealed for another account or computer. The user then has to sign in again. */
async function unsealKey(sealed: Buffer, keyStore: KeyStore): Promise<string | undefined> {
  try {
    return await keyStore.unseal(sealed);
  } catch {
    return undefined;
  }
}
