import type { AccessService } from "../access/access.service.ts";
import { keepLastRevision } from "../database/last-revision.ts";
import type { Tx } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { settled } from "../kernel/settled.ts";
import { forgetRequest } from "../notifications/forget-request.service.ts";
import type { RecordService } from "../records/record.service.ts";
import { findRequest } from "../requests/request.reader.ts";
import { deleteConflicts } from "./conflict.repository.ts";
import { hashOf } from "./content-hash.ts";
import {
  deleteDraft,
  deleteDraftFiles,
  deleteFamilyAccess,
  deleteParent,
  deleteRequest,
  deleteReservedPids,
  isEmptyFamily,
} from "./draft.repository.ts";
import { type DiscardDraft, type DraftId, discardDraft } from "./draft.schema.ts";
import { titleOf } from "./draft-store.service.ts";

export interface DiscardService {
  /**
   * Deletes a draft with everything that belongs only to it (records 3.6). On a replica the server deletes it only while
   * its content is what the replica has now (hosts-and-sync 4).
   * @param ifMatch the required revision. @throws Failure 400 while its review is submitted, 403, 404, 412.
   */
  discard(caller: Caller, command: DraftId, ifMatch?: number): Promise<DraftId>;
  commands: CommandHandler[];
}

export function discardService(services: {
  host: Host;
  access: AccessService;
  records: RecordService;
}): DiscardService {
  const { host, access, records } = services;

  /** Deletes a review that was never submitted; a closed one stays readable (requests-users-groups 4.3). */
  async function releaseReview(tx: Tx, draft: DraftRow): Promise<ObjectRef[]> {
    const request = draft.request_id === null ? undefined : await findRequest(tx, draft.request_id);
    if (!request) return [];
    if (request.status === "submitted") {
      throw new Failure("invalid", "The draft is under review: cancel the review before deleting the draft.");
    }
    const review: ObjectRef = { kind: "request", id: request.id };
    if (request.status !== "draft") return [review];
    await deleteRequest(tx, request.id);
    return [review, ...(await forgetRequest(host, tx, request.id))];
  }

  /** The command with the content that the user sees on this replica. */
  async function withSeen({ id }: DraftId): Promise<DiscardDraft> {
    const { draft, record } = host.abilities.decides ? {} : await records.findRows(host.db, id);
    if (!draft) return { id };
    return { id, expected: await hashOf(host.db, draft), ...(record && { published: record.revision_id }) };
  }

  /** A replica hides the draft until the server has decided. */
  async function assertSeen(tx: Tx, draft: DraftRow, { expected }: DiscardDraft): Promise<void> {
    if (!host.abilities.decides || expected === undefined) return;
    if (expected !== (await hashOf(tx, draft))) {
      throw new Failure("conflict", "The draft was changed meanwhile: look at it again before deleting it.");
    }
  }

  /** Whether a draft that is gone was discarded, and not published, since the user saw it. */
  async function isDiscarded(tx: Tx, caller: Caller, { id, published }: DiscardDraft): Promise<boolean> {
    const { record } = await records.findRows(tx, id);
    if (record) await access.require(tx, caller, record.parent_id, "edit");
    return record?.revision_id === published;
  }

  async function findDraft(tx: Tx, caller: Caller, command: DiscardDraft): Promise<DraftRow> {
    try {
      return await records.findDraft(tx, command.id);
    } catch (error) {
      const isGone = error instanceof Failure && error.kind === "not_found" && isDelayed(caller);
      throw isGone && (await isDiscarded(tx, caller, command)) ? settled(error) : error;
    }
  }

  async function execute(caller: Caller, command: DiscardDraft, ifMatch?: number): Promise<DraftId> {
    return host.write(caller, discardDraft, command, async (tx): Promise<WriteResult<DraftId>> => {
      const draft = await findDraft(tx, caller, command);
      await access.require(tx, caller, draft.parent_id, "edit");
      assertRevision(ifMatch, draft.revision_id);
      const object = { kind: "draft", id: draft.id };
      const title = `Delete ${titleOf(draft)}`;
      // The draft was created twice and merged into one that this user has not seen and that has others' work.
      if (draft.id !== command.id) return { result: { id: draft.id }, touched: [], object, title };
      await assertSeen(tx, draft, command);
      const reviews = await releaseReview(tx, draft);
      await deleteDraft(tx, draft.id);
      await deleteConflicts(tx, draft.id);
      await deleteReservedPids(tx, draft.id);
      if (draft.is_edit === 0) await deleteDraftFiles(tx, draft.id);
      else if (host.abilities.numbersRevisions) await keepLastRevision(tx, "draft", draft.id, draft.revision_id);
      // A replica may hold the draft of the next version, and not yet the record before it.
      if (await isEmptyFamily(tx, draft.parent_id)) {
        await deleteFamilyAccess(tx, draft.parent_id);
        await deleteParent(tx, draft.parent_id);
      }
      const touched: ObjectRef[] = [{ kind: "family", id: draft.parent_id }, ...reviews];
      return { result: { id: draft.id }, touched, object, title };
    });
  }

  return {
    discard: async (caller, command, ifMatch) => execute(caller, await withSeen(command), ifMatch),
    commands: [handles(discardDraft, (caller, command) => execute(caller, command))],
  };
}
