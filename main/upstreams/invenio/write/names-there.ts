import { transaction } from "../../../../shared/database/open.ts";
import { freeConflictName } from "../../../../shared/files/file.lifecycle.ts";
import { dayOf } from "../../../../shared/kernel/timestamps.ts";
import { type Announcement, findKeyThere, isOwnUpload, listAnnouncements, nameEntry } from "../places.repository.ts";
import { md5Of } from "../read/family.ts";
import type { TheirFile } from "../read/their-record.ts";
import type { Site } from "../site.ts";

/** A file as a command names it. */
interface Named {
  draftId: string;
  entryId: string;
  key: string;
}

/** The name that a file has there, or will have: another file may have had its name first. */
export const keyThere = async ({ db }: Site, { draftId, entryId, key }: Named): Promise<string> =>
  (await findKeyThere(db, draftId, entryId)) ?? key;

/** Whether the file of a name is whole and not the one of this entry. */
export async function isTaken(site: Site, file: Named, present: readonly TheirFile[]): Promise<boolean> {
  const there = present.find(({ key }) => key === file.key);
  if (there?.status !== "completed") return false;
  return !(await isOwnUpload(site.db, { ...file, md5: md5Of(there.checksum) }));
}

/**
 * Names a file apart from another one of its name, as the later of the two (hosts-and-sync 4). The name is stored before
 * it is announced, so that it is announced once.
 */
export async function nameApart<F extends Named & { operationId: string }>(
  site: Site,
  file: F,
  present: readonly TheirFile[],
): Promise<F> {
  const { now, user } = site.options;
  const taken = new Set(present.map(({ key }) => key));
  const key = freeConflictName(file.key, user.username, dayOf(now()), taken);
  await transaction(site.db, (tx) => nameEntry(tx, file.draftId, key, file.entryId, file.operationId));
  return { ...file, key };
}

/** What announces files of a draft there. @param keys their names there */
export async function announcementsOf({ db }: Site, draftId: string, keys: readonly string[]): Promise<Announcement[]> {
  const known = await listAnnouncements(db, draftId);
  return keys.map((key) => known.get(key) ?? { key });
}
