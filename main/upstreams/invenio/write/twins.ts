import type { TheirRecord } from "../read/their-record.ts";
import type { Site } from "../site.ts";
import { operationIn } from "./attempt.policy.ts";
import { findAttempt, findMade } from "./journal.repository.ts";

/** Whether a draft holds only what the first call of a creation sends. */
const isBare = ({ metadata, files }: TheirRecord): boolean =>
  Object.keys(metadata).every((key) => ["title", "version", "publication_date"].includes(key)) &&
  Number(files.count ?? 0) === 0;

/**
 * Whether a listed draft belongs to an unfinished creation of this replica, or is a second copy (a twin) of a draft that
 * one created. The operation itself finds the first kind. A twin without content is discarded.
 */
export async function isUnclaimed(site: Site, hit: TheirRecord): Promise<boolean> {
  const operation = operationIn(hit.metadata.version);
  if (operation === undefined || !hit.is_draft) return false;
  const made = await findMade(site.db, operation);
  if (made === undefined) return (await findAttempt(site.db, operation)) !== undefined;
  if (made === hit.id) return false;
  const present = await site.lookAtDraft(hit.id, { urgency: "poll" });
  if (!present) return true;
  if (!isBare(present)) return false;
  await site.line.write("DELETE", `/api/records/${hit.id}/draft`, { ifMatch: present.revision_id });
  return true;
}
