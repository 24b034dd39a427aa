import { ServerError } from "../../../sync/transport.ts";
import { readTheirRecord, type TheirRecord } from "../read/their-record.ts";
import type { Site } from "../site.ts";

/**
 * The draft; if it was published elsewhere meanwhile, the edit of the record.
 * @throws ServerError to try again
 */
export async function draftOrEdit(site: Site, id: string): Promise<TheirRecord | undefined> {
  const draft = await site.lookAtDraft(id);
  if (draft) return draft;
  const record = await site.lookAtRecord(id);
  if (!record) return undefined;
  await site.keepRecord(record, { isAlone: true });
  const begun = await site.line.write("POST", `/api/records/${id}/draft`);
  // The edit may have begun, so the draft is not gone: a later call finds it.
  if (begun.certainty === "unknown") throw new ServerError(begun.why);
  return begun.certainty === "done" ? readTheirRecord(begun.body) : undefined;
}
