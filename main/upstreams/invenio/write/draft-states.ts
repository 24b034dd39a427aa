import type { BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import { transaction } from "../../../../shared/database/open.ts";
import { inDocuments } from "../../../../shared/documents/document-thread.ts";
import type { NewVersion } from "../../../../shared/drafts/draft.schema.ts";
import { type Json, sameJson } from "../../../../shared/kernel/json.ts";
import { parseTime } from "../../../../shared/kernel/timestamps.ts";
import type { Snapshot } from "../../../sync/snapshot.ts";
import { listChangedSince } from "../own-list.ts";
import { documentIn, filesOf, isSameRevision } from "../read/family.ts";
import { inputForm } from "../read/input-form.ts";
import { readTheirRecord, type TheirRecord } from "../read/their-record.ts";
import { isSameContent } from "../same-text.policy.ts";
import { findFamilyOf, lastSeq } from "../shadow.repository.ts";
import type { Site } from "../site.ts";
import { findSeen, insertId } from "./journal.repository.ts";
import { type Result, refusedBy, unsure, type Writing, waits } from "./outcome.ts";
import { isUntouched } from "./twins.ts";

/** Clocks are off by so much at most. */
const lagMicros = 3 * 3_600_000_000;

/** Whether a draft is the same as in the shadow. */
async function isUnchanged(site: Site, present: TheirRecord): Promise<boolean> {
  const shadow = await site.shadowOf(present.id);
  if (isSameRevision(shadow, present)) return true;
  const document = shadow && documentIn(shadow, present.id);
  return document !== undefined && sameJson(await inDocuments("inputOf", document.state), inputForm(present));
}

/**
 * Whether the user had seen the shadow's state of a draft when they discarded it. The app shows a change some time after
 * it was read.
 */
async function wasShown(site: Site, operationId: string, id: string): Promise<boolean> {
  const seen = await findSeen(site.db, operationId);
  const shadow = await site.shadowOf(id);
  const document = shadow && documentIn(shadow, id);
  if (seen === undefined || !document) return true;
  const { input, files } = JSON.parse(seen) as Snapshot;
  const known = await inDocuments("inputOf", document.state);
  const isShown = ({ key, md5 }: BundleRow): boolean =>
    md5 === null || files.some((file) => file.key === key && file.md5 === md5);
  return isSameContent(input.metadata as Json, known.metadata as Json) && filesOf(shadow, "draft", id).every(isShown);
}

/** Deletes a draft that is as the user last saw it. */
export async function discardDraftAt({ site, attempts }: Writing, operationId: string, id: string): Promise<Result> {
  const present = await site.lookAtDraft(id);
  if (present) {
    const files = await site.filesOfDraft(id);
    const isAsSeen =
      (await isUnchanged(site, present)) &&
      !(await site.hasUnseenFiles(id, files)) &&
      (await wasShown(site, operationId, id));
    // An attempt: the change was read, but only after the user had discarded the draft.
    if ((await attempts.find(operationId)) || !isAsSeen) {
      await site.keepDraft(present, files);
      return { outcome: "rejected", status: 409, message: `The draft was changed on ${site.options.name} meanwhile.` };
    }
    const written = await site.line.write("DELETE", `/api/records/${id}/draft`, { ifMatch: present.revision_id });
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "refused" && written.status === 412) return waits;
    if (written.certainty === "refused" && written.status !== 404) return refusedBy(site.options.name, written);
  }
  const seq = (await site.keepGone("draft", id)) ?? (await lastSeq(site.db));
  const result = { id };
  await transaction(site.db, (tx) => attempts.finish(tx, [operationId], "discard", { seq, result }));
  return { outcome: "applied", seq, result };
}

/** Starts the edit of a published record. A second call finds the same draft. */
export async function editPublishedAt({ site, attempts }: Writing, operationId: string, id: string): Promise<Result> {
  const written = await site.line.write("POST", `/api/records/${id}/draft`);
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused") return refusedBy(site.options.name, written);
  const theirs = { ...readTheirRecord(written.body), is_published: true };
  const result = { id };
  const document = await site.advance(await site.documentOf(theirs, await site.shadowOf(id)), theirs, []);
  const seq = await site.keepDraft(theirs, undefined, {
    document,
    also: (tx, at) => attempts.finish(tx, [operationId], "edit-published", { seq: at, result }),
  });
  return { outcome: "applied", seq, result };
}

/** The draft of the next version of a record, from the user's list; undefined if that does not have it. */
async function findNextVersion(site: Site, recordId: string, sent: number): Promise<TheirRecord | undefined> {
  const family = await findFamilyOf(site.db, recordId);
  const listed = await listChangedSince(site, sent - lagMicros);
  const [next] = listed
    .filter(({ parent, is_draft, is_published }) => parent.id === family && is_draft && !is_published)
    .toSorted((a, b) => (parseTime(a.created) ?? 0) - (parseTime(b.created) ?? 0));
  return next && site.lookAtDraft(next.id);
}

/**
 * Starts the draft of the next version. Two calls at the same moment would make two drafts, so the effect of one without
 * an answer is looked for until the call is surely over. A later call finds the draft.
 */
export async function newVersionAt(
  { site, attempts }: Writing,
  operationId: string,
  command: NewVersion,
): Promise<Result> {
  const attempt = await attempts.find(operationId);
  if (attempt && !attempts.isDue(attempt)) return waits;
  const found = attempt && (await findNextVersion(site, command.recordId, attempt.sent));
  if (found) return begun({ site, attempts }, operationId, command, found);
  if (attempt && !(await attempts.lookedInVain(attempt))) return waits;
  const written = await attempts.send(operationId, "new-version", {}, () =>
    site.line.write("POST", `/api/records/${command.recordId}/versions`),
  );
  if (written.certainty === "unknown") return waits;
  if (written.certainty === "refused") {
    await attempts.forget(operationId);
    return refusedBy(site.options.name, written);
  }
  return begun({ site, attempts }, operationId, command, readTheirRecord(written.body));
}

/** The next version is there: begun by this operation, or elsewhere before it. */
async function begun(
  { site, attempts }: Pick<Writing, "site" | "attempts">,
  operationId: string,
  command: NewVersion,
  theirs: TheirRecord,
): Promise<Result> {
  const { id } = theirs;
  const { publication_date: date, ...others } = theirs.metadata;
  // InvenioRDM fills in today's date, which nobody chose. A version begun here has none.
  const metadata = date === undefined || isUntouched(theirs) ? others : theirs.metadata;
  // Another epoch than that of the draft begun here, so waiting edits are repeated by path.
  const document = { epoch: 2, state: await inDocuments("genesis", inputForm({ ...theirs, metadata })) };
  const names = new Map([[command.id, id]]);
  const result = { id };
  const seq = await site.keepDraft(theirs, await site.filesOfDraft(id), {
    document,
    also: async (tx, at) => {
      await insertId(tx, { kind: "record", local_id: command.id, remote_id: id, operation_id: operationId });
      await attempts.finish(tx, [operationId], "new-version", { seq: at, result, names });
    },
  });
  return { outcome: "applied", seq, result, names };
}
