import type { BundleRow } from "../../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../../shared/database/open.ts";
import { findDigest, isOwnUpload, listNames } from "./places.repository.ts";
import { filesOf, type KnownFiles, md5Of } from "./read/family.ts";
import type { TheirFile } from "./read/their-record.ts";
import type { Shadow } from "./shadow.repository.ts";
import { isUnsent } from "./write/journal.repository.ts";

/** A complete file of a draft there. */
interface CompleteFile {
  key: string;
  md5: string;
}

/**
 * The ids that entries of a draft have here, by name. An entry that has other bytes now than at the last look, or was
 * gone or without bytes then, is another file, unless this user brings it: a removal that waits must not take it.
 * @param before the files that were there at the last look; undefined if nobody has looked
 */
async function entryIdsOf(
  db: Db,
  draftId: string,
  files: readonly CompleteFile[],
  before: readonly BundleRow[] | undefined,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { key, entryId, operationId } of await listNames(db, draftId)) {
    const file = files.find((one) => one.key === key);
    const known = before?.find(({ id }) => id === entryId);
    const mayBeOther = file && before && known?.md5 !== file.md5;
    const isOther =
      mayBeOther && !(await isUnsent(db, operationId)) && !(await isOwnUpload(db, { draftId, ...file, entryId }));
    if (!isOther) ids.set(key, entryId);
  }
  return ids;
}

/** What this computer knows of the files of a draft or record: ids of entries, and digests by MD5. */
export async function knownFiles(
  db: Db,
  contentId: string,
  files: readonly TheirFile[],
  before: Shadow | undefined,
): Promise<KnownFiles> {
  const digests = new Map<string, string>();
  const complete: CompleteFile[] = [];
  for (const { key, status, checksum, size } of files) {
    const md5 = md5Of(checksum);
    if (md5 === undefined) continue;
    const sha256 = await findDigest(db, md5, size ?? 0);
    if (sha256 !== undefined) digests.set(md5, sha256);
    if (status === "completed") complete.push({ key, md5 });
  }
  const rows = before && filesOf(before, "draft", contentId);
  return { entryIds: await entryIdsOf(db, contentId, complete, rows), digests };
}
