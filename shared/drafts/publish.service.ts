import type { Access, AccessService } from "../access/access.service.ts";
import { isAtLeast } from "../access/level.policy.ts";
import type { Db, Tx } from "../database/open.ts";
import type { DocumentRow, DraftRow, RecordRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { pathAfter } from "../documents/former-keys.ts";
import { readPath, writePath } from "../documents/path-text.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, invalid, type Problem } from "../kernel/failure.ts";
import { type CommandHandler, type Decision, type Host, handles, type WriteResult } from "../kernel/host.ts";
import { findRecord } from "../records/record.reader.ts";
import type { RecordService } from "../records/record.service.ts";
import { findRequest, findReview } from "../requests/request.reader.ts";
import { listConflicts, moveConflict } from "./conflict.repository.ts";
import { hashOf } from "./content-hash.ts";
import { endsReview, isReviewOpen } from "./draft.lifecycle.ts";
import type { WholeDraft } from "./draft.reader.ts";
import { deleteDraft, handFilesToRecord } from "./draft.repository.ts";
import { type DraftId, type PublishDraft, publishDraft } from "./draft.schema.ts";
import { titleOf } from "./draft-store.service.ts";
import { inputOfRecord } from "./edit-published.service.ts";
import { insertFormerKeys } from "./former-key.repository.ts";
import { registerParentDoi } from "./parent-doi.ts";
import {
  findQueuedReviewCommand,
  insertRecord,
  registerPids,
  retireOtherVersions,
  updateRecord,
} from "./publish.repository.ts";
import type { PublishCheck } from "./publish-check.service.ts";

/** A record that was just published, and the caller's level on its family. */
export interface PublishedRecord {
  record: RecordRow;
  family: Access;
}

export interface PublishService {
  /** Publishes a draft. @param wrote called in the transaction. @throws Failure 400 with all `errors`, 403, 404, 409 when another content is expected. */
  publish(caller: Caller, command: PublishDraft, wrote?: (after: PublishedRecord) => void): Promise<Decision<DraftId>>;
  /**
   * Publishes a draft inside another write, such as accepting a review. The caller checks permission and review, and
   * must report the family as touched.
   * @param now microseconds UTC. @throws Failure 400 with all `errors`, 404.
   */
  publishWithin(tx: Tx, caller: Caller, draftId: string, now: number): Promise<RecordRow>;
  /** All problems that prevent publishing now (records 3.4); empty when there are none. */
  problemsOf(db: Db, draft: WholeDraft, now: number): Promise<Problem[]>;
  /** The hash of the content that the user sees now, for `expected`. */
  hashOf(db: Db, draft: DraftRow): Promise<string>;
  commands: CommandHandler[];
}

export function publishService(services: {
  host: Host;
  access: AccessService;
  records: RecordService;
  check: PublishCheck;
}): PublishService {
  const { host, access, records, check } = services;

  async function publishRow(tx: Tx, whole: WholeDraft, now: number): Promise<RecordRow> {
    const { draft, document, has } = whole;
    const { columns, problems } = await check.judge(tx, whole, now);
    if (problems.length > 0) throw invalid(problems);
    const before = draft.is_edit === 1 ? await findRecord(tx, draft.id) : undefined;
    const { is_edit: _isEdit, expires_at: _expires, request_id: _request, ...kept } = draft;
    const revision_id = draft.revision_id + 1;
    const times = { created: before?.created ?? now, updated: now, revision_id };
    const place = { is_latest: before?.is_latest ?? 1, tombstone: null };
    const record: RecordRow = { ...kept, ...columns, ...times, ...place };
    if (before) await updateRecord(tx, record);
    else {
      // A first version has no others.
      if (draft.version_index > 1) await retireOtherVersions(tx, draft.parent_id);
      await insertRecord(tx, record);
      if (has.files === 1) await handFilesToRecord(tx, draft.id);
    }
    await registerPids(tx, record, has.pids === 1);
    await registerParentDoi(tx, host.settings, record);
    await keepKeys(tx, record, document, has.conflicts === 1);
    await deleteDraft(tx, draft.id, has.removedFiles === 1);
    return record;
  }

  /**
   * Keeps the former keys of renamed items, and moves conflicts to the new keys, so that earlier edits find their
   * items.
   */
  async function keepKeys(tx: Tx, record: RecordRow, document: DocumentRow, hasConflicts: boolean): Promise<void> {
    const former = await inDocuments("formerKeysIn", document.state, inputOfRecord(record));
    if (former.length === 0) return;
    await insertFormerKeys(tx, record, former);
    if (!hasConflicts) return;
    for (const { id, path } of await listConflicts(tx, record.id))
      await moveConflict(tx, id, writePath(pathAfter(former, readPath(path))));
  }

  async function assertNoOpenReview(tx: Tx, draft: DraftRow): Promise<void> {
    const review = await findReview(tx, draft);
    const queued = host.abilities.decides ? undefined : await findQueuedReviewCommand(tx, draft);
    if (queued === undefined ? !isReviewOpen(review?.status) : endsReview(queued)) return;
    const request = await findRequest(tx, review?.request_id ?? "");
    const name = request ? ` (${request.title || request.number})` : "";
    throw new Failure("invalid", `The draft has an open review request${name}.`);
  }

  async function publish(
    caller: Caller,
    command: PublishDraft,
    wrote?: (after: PublishedRecord) => void,
  ): Promise<Decision<DraftId>> {
    return host.decide(caller, publishDraft, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      const whole = await records.findWholeDraft(tx, command.id);
      const { draft, parent } = whole;
      const family = await access.of(tx, caller, draft.parent_id, parent);
      if (!isAtLeast((await access.ofDraftIn(tx, caller, family, draft.id)).level, "edit")) throw forbidden();
      await assertNoOpenReview(tx, draft);
      if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {
        throw new Failure("conflict", "The draft was changed meanwhile: look at it again before publishing it.");
      }
      const record = await publishRow(tx, whole, now);
      wrote?.({ record, family });
      const touched = [{ kind: "family" as const, id: draft.parent_id }];
      const object = { kind: "draft", id: draft.id };
      return { result: { id: record.id }, touched, object, title: `Publish ${titleOf(record)}` };
    });
  }

  return {
    publish,
    publishWithin: async (tx, _caller, draftId, now) => publishRow(tx, await records.findWholeDraft(tx, draftId), now),
    problemsOf: async (db, draft, now) => (await check.judge(db, draft, now)).problems,
    hashOf,
    commands: [handles(publishDraft, (caller, command) => publish(caller, command))],
  };
}
