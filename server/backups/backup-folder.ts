import { readdir, rm, stat } from "node:fs/promises";
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

/** Whether a broken disk would take both folders. @param folder may not exist yet. */
export async function isOnSameDisk(folder: string, dataDir: string): Promise<boolean> {
  let existing = folder;
  while (!(await isThere(existing)) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  return (await deviceOf(existing)) === (await deviceOf(dataDir));
}

/** Deletes what an interrupted backup left. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (ownPartial.test(name)) await rm(path.join(folder, name), { force: true });
  }
}
