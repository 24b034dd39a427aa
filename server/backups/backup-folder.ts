import { access, constants, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "../../shared/settings/settings.schema.ts";

/** What an interrupted backup leaves. Other files of the folder are never touched. */
const ownPartial = /^carrel-backup-[\w.-]+[.]zip[.]\d+[.](partial|database)(-wal|-shm)?$/;

/** The folder of a server's backups. */
export const backupFolder = ({ backup }: Settings, dataDir: string): string =>
  path.resolve(backup.folder ?? path.join(dataDir, "backups"));

/** @param now microseconds UTC. */
export const backupName = (now: number, id: string): string =>
  `carrel-backup-${new Date(now / 1000).toISOString().slice(0, 19).replaceAll(":", "-")}Z-${id.slice(0, 8)}.zip`;

export const isThere = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => undefined)) !== undefined;

const deviceOf = async (place: string): Promise<number | undefined> => (await stat(place).catch(() => undefined))?.dev;

/** The folder, or the nearest one above it that exists. */
async function nearestExisting(folder: string): Promise<string> {
  let existing = folder;
  while (!(await isThere(existing)) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  return existing;
}

/** Whether a broken disk would take both folders. @param folder may not exist yet. */
export const isOnSameDisk = async (folder: string, dataDir: string): Promise<boolean> =>
  (await deviceOf(await nearestExisting(folder))) === (await deviceOf(dataDir));

/** Why no backup can be written there, such as `EACCES`; undefined if it can. @param folder may not exist yet. */
export async function whyUnwritable(folder: string): Promise<string | undefined> {
  const existing = await nearestExisting(folder);
  const isFolder = (await stat(existing).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) return "ENOTDIR";
  return access(existing, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

/** Deletes what an interrupted backup left. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (ownPartial.test(name)) await rm(path.join(folder, name), { force: true });
  }
}
