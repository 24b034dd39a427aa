import { transaction } from "../../../shared/database/open.ts";
import { findDraft } from "../../../shared/drafts/draft.reader.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { snapshotOf } from "../../sync/snapshot.ts";
import type { ShownDraft } from "../../sync/upstream.ts";
import { filesOfRecord, type TheirRecord } from "./read/their-record.ts";
import { differencesOf, publishedOtherwise } from "./seen-draft.ts";
import { findShadow } from "./shadow.repository.ts";
import type { Site } from "./site.ts";
import { hasOpenChanges } from "./write/journal.repository.ts";

/** The draft as the user sees it now; undefined if it is not on this computer. */
export async function shownDraft({ db }: Site, id: string): Promise<ShownDraft | undefined> {
  const row = await findDraft(db, id);
  const text = row && (await transaction(db, (tx) => snapshotOf(tx, { object_kind: "draft", object_id: id })));
  return text ? { ...JSON.parse(text), request_id: row.request_id } : undefined;
}

/** The draft that accepting a request publishes; undefined if accepting it publishes none. */
export async function draftOfRequest({ db }: Site, id: string): Promise<string | undefined> {
  const { request = [], foreign_request = [] } = (await findShadow(db, { kind: "request", id }))?.bundle.rows ?? {};
  const topic = request[0]?.topic_record_id;
  return foreign_request[0]?.type === "community-submission" && typeof topic === "string" ? topic : undefined;
}

/**
 * A draft that is published or submitted now must be there as the user saw it, with all of their changes.
 * @throws Failure 409
 */
export async function assertAsShown(site: Site, id: string, shown: ShownDraft | undefined): Promise<void> {
  const { name } = site.options;
  if (await hasOpenChanges(site.db, id)) {
    const message = `Not every change to this draft is on ${name} yet. Wait until they are sent, or decide on the refused ones.`;
    throw new Failure("conflict", message);
  }
  const theirs = await site.lookAtDraft(id, { urgency: "user" });
  if (!theirs) return;
  const files = await site.filesOfDraft(id, { urgency: "user" });
  const isEdit = await site.isEdit(id);
  const isSameReview = shown?.request_id === (theirs.parent.review?.id ?? null);
  if (shown && isSameReview && differencesOf(shown, theirs, { files: isEdit ? undefined : files }).length === 0) return;
  await site.keepDraft(theirs, files);
  throw new Failure(
    "conflict",
    shown
      ? `The draft was changed on ${name} meanwhile. Look at it again.`
      : "The draft was not on this computer. It is now: look at it, then decide.",
  );
}

/** What a decision published otherwise than the user saw it. @throws Failure 409 */
export function assertPublishedAsShown({ options }: Site, shown: ShownDraft | undefined, record: TheirRecord): void {
  const files = filesOfRecord(record);
  const fields = shown ? differencesOf(shown, record, { files, isPublished: true }) : [];
  if (fields.length > 0) throw new Failure("conflict", publishedOtherwise(options.name, fields));
}
