import type { AccessService } from "../access/access.service.ts";
import type { Db, Tx } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { pathAfter } from "../documents/former-keys.ts";
import { readPath, writePath } from "../documents/path-text.ts";
import { listEntries } from "../files/file.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalid, type Problem } from "../kernel/failure.ts";
import { type CommandHandler, type Decision, type Host, handles, type WriteResult } from "../kernel/host.ts";
import { findRecord } from "../records/record.reader.ts";
import type { RecordService } from "../records/record.service.ts";
import { findRequest, findReview } from "../requests/request.reader.ts";
import { listConflicts, moveConflict } from "./conflict.repository.ts";
import { contentHash } from "./content-hash.ts";
import { endsReview, isReviewOpen } from "./draft.lifecycle.ts";
import { deleteDraft, findDocument, handFilesToRecord } from "./draft.repository.ts";
import { type DraftId, type PublishDraft, publishDraft } from "./draft.schema.ts";
import { titleOf } from "./draft-store.service.ts";
import { inputOfRecord } from "./edit-published.service.ts";
import { insertFormerKeys } from "./former-key.repository.ts";
import { registerParentDoi } from "./parent-doi.ts";
import { findReviewWish, insertRecord, registerPids, retireOtherVersions, updateRecord } from "./publish.repository.ts";
import type { PublishCheck } from "./publish-check.service.ts";

export interface PublishService {
  /** Publishes a draft. @throws Failure 400 with all `errors`, 403, 404, 409 when another content is expected. */
  publish(caller: Caller, command: PublishDraft): Promise<Decision<DraftId>>;
  /**
   * Publishes a draft inside another write, such as accepting a review. The caller checks permission and review, and
   * must report the family as touched.
   * @param now microseconds UTC. @throws Failure 400 with all `errors`, 404.
   */
  publishWithin(tx: Tx, caller: Caller, draftId: string, now: number): Promise<RecordRow>;
  /** All problems that prevent publishing now (records 3.4); empty when there are none. */
  problemsOf(db: Db, draft: DraftRow, now: number): Promise<Problem[]>;
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

  async function publishRow(tx: Tx, draft: DraftRow, now: number): Promise<RecordRow> {
    const { columns, problems } = await check.judge(tx, draft, now);
    if (problems.length > 0) throw invalid(problems);
    const before = draft.is_edit === 1 ? await findRecord(tx, draft.id) : undefined;
    const { is_edit: _isEdit, expires_at: _expires, request_id: _request, ...kept } = draft;
    const revision_id = draft.revision_id + 1;
    const times = { created: before?.created ?? now, updated: now, revision_id };
    const place = { is_latest: before?.is_latest ?? 1, tombstone: null };
    const record: RecordRow = { ...kept, ...columns, ...times, ...place };
    if (before) await updateRecord(tx, record);
    else {
      await retireOtherVersions(tx, draft.parent_id);
      await insertRecord(tx, record);
      await handFilesToRecord(tx, draft.id);
    }
    await registerPids(tx, record);
    await registerParentDoi(tx, host.settings, record);
    await keepKeys(tx, record);
    await deleteDraft(tx, draft.id);
    return record;
  }

  /**
   * Keeps the former keys of renamed items, and moves conflicts to the new keys, so that earlier edits find their
   * items.
   */
  async function keepKeys(tx: Tx, record: RecordRow): Promise<void> {
    const document = await findDocument(tx, record.id);
    if (!document) return;
    const former = await inDocuments("formerKeysIn", document.state, inputOfRecord(record));
    if (former.length === 0) return;
    await insertFormerKeys(tx, record, former);
    for (const { id, path } of await listConflicts(tx, record.id))
      await moveConflict(tx, id, writePath(pathAfter(former, readPath(path))));
  }

  async function assertNoOpenReview(tx: Tx, draft: DraftRow): Promise<void> {
    const review = await findReview(tx, draft);
    const wish = host.abilities.decides ? undefined : await findReviewWish(tx, draft);
    if (wish === undefined ? !isReviewOpen(review?.status) : endsReview(wish)) return;
    const request = await findRequest(tx, review?.request_id ?? "");
    const name = request ? ` (${request.title || request.number})` : "";
    throw new Failure("invalid", `The draft has an open review request${name}.`);
  }

  async function hashOf(db: Db, draft: DraftRow): Promise<string> {
    return contentHash(draft, await listEntries(db, { kind: draft.is_edit === 1 ? "record" : "draft", id: draft.id }));
  }

  async function publish(caller: Caller, command: PublishDraft): Promise<Decision<DraftId>> {
    return host.decide(caller, publishDraft, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      const draft = await records.findDraft(tx, command.id);
      await access.requireDraft(tx, caller, draft, "edit");
      await assertNoOpenReview(tx, draft);
      if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {
        throw new Failure("conflict", "The draft was changed meanwhile: look at it again before publishing it.");
      }
      const record = await publishRow(tx, draft, now);
      const touched = [{ kind: "family" as const, id: draft.parent_id }];
      const object = { kind: "draft", id: draft.id };
      return { result: { id: record.id }, touched, object, title: `Publish ${titleOf(record)}` };
    });
  }

  return {
    publish,
    publishWithin: async (tx, _caller, draftId, now) => publishRow(tx, await records.findDraft(tx, draftId), now),
    problemsOf: async (db, draft, now) => (await check.judge(db, draft, now)).problems,
    hashOf,
    commands: [handles(publishDraft, publish)],
  };
}
