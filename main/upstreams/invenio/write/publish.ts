import type { UpstreamAttemptRow } from "../../../../shared/database/schema.ts";
import { inDocuments } from "../../../../shared/documents/document-thread.ts";
import type { PublishDraft } from "../../../../shared/drafts/draft.schema.ts";
import { sameJson } from "../../../../shared/kernel/json.ts";
import { documentIn, filesOf, md5Of } from "../read/family.ts";
import { inputForm } from "../read/input-form.ts";
import { filesOfRecord, readTheirRecord, type TheirFile, type TheirRecord } from "../read/their-record.ts";
import { differencesOf, publishedOtherwise } from "../seen-draft.ts";
import type { Site } from "../site.ts";
import type { Attempts } from "./attempts.ts";
import { deleteAttempt, findSeen, hasOpenChanges } from "./journal.repository.ts";
import { type Result, refused, refusedBy, type Writing, waits } from "./outcome.ts";

const publishMs = 600_000;

/** What is known of a call. */
interface Known {
  /** Just before it: the record's revision, if the draft edits a published record. */
  record: number | null;
  /** The user was told that the outcome is unknown. */
  isUnanswered?: true;
}

/** Whether a known draft does not exist any more: it was published or discarded. */
export async function isDraftOver(site: Site, id: string): Promise<boolean> {
  const shadow = await site.shadowOf(id);
  return shadow !== undefined && shadow.revisions[`draft:${id}`] === undefined;
}

/** Whether a draft there is what the user saw when they pressed, but for the ways in which the site rewrites texts. */
async function isAsSeen(
  site: Site,
  operationId: string,
  draft: TheirRecord,
  files: readonly TheirFile[] | undefined,
): Promise<boolean> {
  const seen = await findSeen(site.db, operationId);
  if (seen === undefined) return true;
  return differencesOf(JSON.parse(seen), draft, { files }).length === 0;
}

/** Why the draft there is not what the user saw; undefined if it is. */
async function differenceOf(site: Site, operationId: string, draft: TheirRecord): Promise<string | undefined> {
  const { name } = site.options;
  if (await hasOpenChanges(site.db, draft.id, operationId))
    return `${name} has not taken every change to this draft. Decide on the refused ones, then publish it.`;
  const shadow = await site.shadowOf(draft.id);
  const document = shadow && documentIn(shadow, draft.id);
  if (!shadow || !document) return `The draft was changed on ${name} meanwhile. Look at it again, then publish it.`;
  const [fault] = shadow.faults[draft.id] ?? [];
  if (fault) return `${name} did not take ${fault.field}: ${fault.messages.join(" ")} Correct it, then publish.`;
  const files = await site.filesOfDraft(draft.id);
  const named = (key: unknown, md5: unknown) => `${key}\n${md5}`;
  const shown = filesOf(shadow, "draft", draft.id).map(({ key, md5 }) => named(key, md5));
  const there = files.map(({ key, checksum }) => named(key, md5Of(checksum) ?? null));
  const isEdit = shadow.bundle.rows.record?.some((row) => row.id === draft.id) === true;
  const isUnchanged = sameJson(await inDocuments("inputOf", document.state), inputForm(draft));
  const isSame = isUnchanged && (await isAsSeen(site, operationId, draft, isEdit ? undefined : files));
  if (isSame && (isEdit || sameJson(shown.sort(), there.sort()))) return undefined;
  await site.keepDraft(draft, files);
  return `The draft was changed on ${name} meanwhile. Look at it again, then publish it.`;
}

/** The refusal of a draft that somebody published before this computer heard of it; undefined if nobody did. */
async function publishedElsewhere(site: Site, id: string, record: TheirRecord | undefined) {
  if (!record || (await site.shadowOf(id))?.revisions[`record:${id}`] === record.revision_id) return undefined;
  await site.keepRecord(record, { isAlone: true });
  return refused(409, `${site.options.name} has published this draft already, though not by this press.`);
}

/**
 * Publishes what the user saw, with one call. If the answer is lost, looks for the effect and never calls again.
 * @param isPressed the user pressed the button just now, while online
 */
export async function publishAt(
  writing: Writing,
  operationId: string,
  { id }: PublishDraft,
  isPressed: boolean,
): Promise<Result> {
  const { site, attempts } = writing;
  if (await attempts.find(operationId)) return lookFor(writing, operationId, id);
  const noDraft = refused(409, `${site.options.name} has no draft to publish here any more.`);
  if (!isPressed) return (await isDraftOver(site, id)) ? noDraft : waits;
  const [record, draft] = [await site.lookAtRecord(id), await site.lookAtDraft(id)];
  if (!draft) return (await publishedElsewhere(site, id, record)) ?? noDraft;
  const difference = await differenceOf(site, operationId, draft);
  if (difference !== undefined) return refused(409, difference);
  const known: Known = { record: record?.revision_id ?? null };
  const path = `/api/records/${id}/draft/actions/publish`;
  const written = await attempts.send(operationId, "publish", known, () =>
    site.line.write("POST", path, { timeoutMs: publishMs }),
  );
  if (written.certainty === "unknown") {
    const attempt = await attempts.find(operationId);
    if (attempt) await noteUnanswered(attempts, attempt);
    return waits;
  }
  if (written.certainty === "refused") {
    await attempts.forget(operationId);
    return refusedBy(site.options.name, written);
  }
  return published(writing, operationId, readTheirRecord(written.body));
}

/**
 * What the published record has otherwise than the user saw it. Somebody may have saved the draft in the second between
 * the look and the call, or while nobody knew whether it was published.
 */
async function changedIn(site: Site, operationId: string, record: TheirRecord): Promise<string[]> {
  const seen = await findSeen(site.db, operationId);
  if (seen === undefined) return [];
  // The files of an edit are those of its record.
  const isEdit = (await site.shadowOf(record.id))?.bundle.rows.record?.some(({ id }) => id === record.id) === true;
  return differencesOf(JSON.parse(seen), record, {
    files: isEdit ? undefined : filesOfRecord(record),
    isPublished: true,
  });
}

async function published({ site, attempts }: Writing, operationId: string, record: TheirRecord): Promise<Result> {
  const result = { id: record.id };
  const changed = await changedIn(site, operationId, record);
  const isAsSeen = changed.length === 0;
  const seq = await site.keepRecord(record, {
    isAlone: true,
    isOwn: true,
    also: (tx, at) =>
      isAsSeen
        ? attempts.finish(tx, [operationId], "publish", { seq: at, result })
        : deleteAttempt(tx, operationId).then(() => undefined),
  });
  if (isAsSeen) return { outcome: "applied", seq, result };
  return refused(409, publishedOtherwise(site.options.name, changed));
}

async function noteUnanswered(attempts: Attempts, attempt: UpstreamAttemptRow): Promise<void> {
  const known = JSON.parse(attempt.known) as Known;
  if (!known.isUnanswered) await attempts.learn(attempt, { ...known, isUnanswered: true } satisfies Known);
}

/** Looks whether an unanswered call has published. */
async function lookFor(writing: Writing, operationId: string, id: string): Promise<Result> {
  const { site, attempts } = writing;
  const attempt = await attempts.find(operationId);
  if (!attempt) return waits;
  // The process may have ended before it could store that.
  await noteUnanswered(attempts, attempt);
  if (!attempts.isDue(attempt)) return waits;
  const before = JSON.parse(attempt.known) as Known;
  const [record, draft] = [await site.lookAtRecord(id), await site.lookAtDraft(id)];
  const isPublished = record && !draft && record.revision_id !== before.record;
  if (isPublished) return published(writing, operationId, record);
  if (!(await attempts.lookedInVain(attempt))) return waits;
  return refused(409, `${site.options.name} did not publish this. Look at the draft, then press Publish again.`);
}
