import type { Access, AccessService } from "../access/access.service.ts";
import type { Db, Tx } from "../database/open.ts";
import type { DocumentRow, DraftRow, FileEntryRow, ParentRow } from "../database/schema.ts";
import type { Change } from "../documents/change.ts";
import { inDocuments } from "../documents/document-thread.ts";
import type { OwnEdit } from "../documents/document-work.ts";
import { editAfter, type NamedEdit } from "../documents/former-keys.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { findRecord } from "../records/record.reader.ts";
import type { RecordService } from "../records/record.service.ts";
import { awaitsOthers } from "./awaits-others.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import { findWholeDraft } from "./draft.reader.ts";
import { findDocument, insertParent } from "./draft.repository.ts";
import { type CreateDraft, createDraft, type DraftId, type EditDraft, editDraft } from "./draft.schema.ts";
import type { DraftContent, DraftContentService } from "./draft-content.service.ts";
import type { DraftHistory, PastDocument } from "./draft-history.ts";
import {
  assertFreeIds,
  assertRecordIds,
  type DraftStore,
  type EditedDocument,
  familyOfDraft,
  titleOf,
} from "./draft-store.service.ts";
import type { EditPublishedService } from "./edit-published.service.ts";
import { listFormerKeys } from "./former-key.repository.ts";

export interface DraftEditService {
  /** @throws Failure 403 for an anonymous caller. */
  create(caller: Caller, command: CreateDraft, basis?: CreateBasis): Promise<DraftId>;
  /**
   * Merges an update into the document of a draft and updates the draft's row.
   * @throws Failure 400 for an update that breaks the document, 403, 404, 409 for an update of an earlier document.
   * `Moved` when a revision is given and the draft has changed since.
   */
  edit(caller: Caller, command: EditDraft, basis?: EditBasis): Promise<DraftId>;
  commands: CommandHandler[];
}

/** Further work in the transaction that creates a draft. @returns the objects that it touches. */
export type WithDraft = (tx: Tx, draftId: string, now: number) => Promise<ObjectRef[]>;

/** What a call has read and asks for when it creates a draft. */
export interface CreateBasis {
  /** Further work in the same transaction. */
  also?: WithDraft | undefined;
  /** Whether the ids were found free in this call. The keys of the tables refuse one that was taken since. */
  hasFreeIds?: boolean;
  /** Vocabulary entries that the call has read. */
  entries?: DraftContent["entries"];
  /** Called in the transaction with the new draft. */
  wrote?: (after: ShownDraft) => void;
}

/** The state on which an edit was based. */
export interface EditBasis {
  /** Revision of a REST body. The edit is made again when the draft has changed since. */
  revision?: number;
  /** Whether an update of a live client contains only recent changes. */
  isFresh?: boolean | undefined;
  /** The document at that revision. On a replica, one revision number may have different contents over time. */
  state?: Uint8Array;
  /** The edit as made in that document. If the document is unchanged, nothing is merged. */
  made?: OwnEdit;
  /** The user and open editor that save. */
  saver?: string | undefined;
  /** Vocabulary entries that the call has read for this edit. */
  entries?: DraftContent["entries"] | undefined;
  /** Called in the transaction with the draft after the edit. A later read may contain others' edits too. */
  wrote?: (after: ShownDraft) => void;
  /** The whole document of a live client that was offline, with the edit applied. */
  whole?: Uint8Array | undefined;
}

/** A draft and its document at the same moment, and what else of that moment is known. */
export interface ShownDraft {
  draft: DraftRow;
  document: PastDocument | undefined;
  parent?: ParentRow | undefined;
  /** The caller's level on the draft, which was checked. */
  family?: Access;
  files?: FileEntryRow[];
}

/** The draft has changed since it was read. */
export class Moved extends Error {}

const isSameState = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The document of a draft. */
export async function requireDocument(db: Db, draft: DraftRow): Promise<DocumentRow> {
  const document = await findDocument(db, draft.id);
  if (!document) throw new Error(`the draft ${draft.id} has no document`);
  return document;
}

export interface DraftEditServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  content: DraftContentService;
  store: DraftStore;
  editing: EditPublishedService;
  history: DraftHistory;
}

/**
 * The edit by path. If it was made before a publication, the keys of renamed items are replaced by the present ones.
 */
async function meaningOf(
  tx: Tx,
  document: DocumentRow,
  { epoch, changes, orders = [] }: EditDraft,
): Promise<NamedEdit> {
  let edit: NamedEdit = { changes, orders, correctPaths: [] };
  if (document.epoch === epoch) return edit;
  for (const former of await listFormerKeys(tx, document.draft_id, Math.abs(epoch))) edit = editAfter(former, edit);
  return edit;
}

/** The result of an edit that was made in the unchanged document. */
function asMade(host: Host, { state, input, changes, refused }: OwnEdit): EditedDocument {
  if (refused) throw new Failure("invalid", refused.message);
  return { state, input, lost: [], effect: host.abilities.merges ? changes : [], intended: changes };
}

/** Whether a change removes a list item or a whole text or value. */
const isRemoval = ({ before, after }: Change): boolean => before !== undefined && (after === undefined || after === "");

/** Merges edits into documents. */
function merging({ host, history }: Pick<DraftEditServices, "host" | "history">) {
  /** Repeats the author's changes by path, since the update does not fit this document. */
  async function repeat(document: DocumentRow, { changes, orders, correctPaths }: NamedEdit) {
    const intended = [...changes];
    const { state } = document;
    const repeatedChanges = await inDocuments(
      "repeatChanges",
      state,
      intended,
      orders,
      host.newClientId(),
      correctPaths,
    );
    const repeated: EditedDocument & typeof repeatedChanges = { ...repeatedChanges, intended };
    if (!host.abilities.merges) return { ...repeated, lost: [], effect: [] };
    return repeated.repair === null && repeated.lost.length === 0 ? undefined : repeated;
  }

  /**
   * Merges an update on the server; a replica only applies it. An update does not fit a new document, nor one that
   * lacks an earlier edit because it was rejected.
   */
  async function merge(
    tx: Tx,
    document: DocumentRow,
    command: EditDraft,
    edit: NamedEdit,
    live: Pick<EditBasis, "isFresh" | "whole">,
  ): Promise<EditedDocument | undefined> {
    const { epoch, update: sent, changes: intended } = command;
    const [isEarlier, isRepeatable] = [document.epoch !== epoch, intended.length + edit.orders.length > 0];
    if (isEarlier && !isRepeatable) {
      throw new Failure("conflict", "The draft was started anew since this edit was made.");
    }
    if (isEarlier) return repeat(document, edit);
    const update = Buffer.from(sent, "base64");
    const before = intended.length > 0 ? [] : await history.before(tx, document.draft_id, epoch);
    const basis = { ...live, before };
    const sentEdit = { changes: intended, hasChanges: isRepeatable, clientId: host.newClientId() };
    const merging = host.abilities.merges ? { ...sentEdit, basis } : undefined;
    const guarded = await inDocuments("takeUpdate", document.state, update, merging);
    if (!guarded.ok && guarded.reason === "gap" && isRepeatable) {
      const repeated = await repeat(document, edit);
      if (repeated === undefined && host.abilities.merges && intended.some(isRemoval)) throw awaitsOthers();
      return repeated;
    }
    if (!guarded.ok && guarded.reason === "too_costly" && isRepeatable) return repeat(document, edit);
    if (!guarded.ok) throw new Failure("invalid", guarded.message);
    if (guarded.alone) return { ...guarded.alone, lost: [], effect: [], intended };
    if (!guarded.merged) return undefined;
    const { concurrent, past, ...merged } = guarded.merged;
    // Removing a part of a deleted item does not change the document.
    if (!guarded.changed && merged.lost.length === 0) return undefined;
    if (past) await history.keepAside(tx, document.draft_id, { epoch, state: past });
    return { ...merged, intended: concurrent.length === 0 ? intended : [...concurrent, ...merged.effect] };
  }
  return merge;
}

export function draftEditService(services: DraftEditServices): DraftEditService {
  const { host, access, records, content, store, editing } = services;
  const merge = merging(services);
  async function create(caller: Caller, command: CreateDraft, basis: CreateBasis = {}): Promise<DraftId> {
    const { also, hasFreeIds, entries, wrote } = basis;
    return host.write(caller, createDraft, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      if (caller.userId === null) throw forbidden();
      const { id, parentId } = command;
      assertRecordIds(host, id, parentId);
      if (!hasFreeIds) await assertFreeIds(tx, id, parentId);
      const { input, columns } = await content.read(tx, command.input, content.emptySituation(id, now), entries);
      const parent = { id: parentId, owner_id: caller.userId, settings: "{}", created: now, viewer_level: null };
      await insertParent(tx, parent);
      const times = { created: now, updated: now, expires_at: now + draftLifeMicros };
      const common = { id, parent_id: parentId, version_index: 1, revision_id: 1, is_edit: 0, request_id: null };
      const draft: DraftRow = { ...common, ...times, ...columns };
      const document = { epoch: 1, state: await inDocuments("genesis", input) };
      await store.insert(tx, draft, document);
      const touched = [familyOfDraft(parentId), ...((await also?.(tx, id, now)) ?? [])];
      wrote?.({ draft, document, family: await access.of(tx, caller, parentId, parent), files: [] });
      return { result: { id }, touched, object: { kind: "draft", id }, title: `Create ${titleOf(draft)}` };
    });
  }

  /** The draft to edit. If it was published meanwhile, an edit draft of the record (hosts-and-sync 4). */
  async function draftFor(tx: Tx, caller: Caller, { id, epoch }: EditDraft, now: number) {
    const open = await findWholeDraft(tx, id);
    const record = open ? undefined : await findRecord(tx, id);
    const isOvertaken = record && record.revision_id > epoch;
    if (record && isOvertaken && record.tombstone === null) {
      const family = await access.require(tx, caller, record.parent_id, "edit");
      const draft = await editing.startWithin(tx, record, now);
      return { draft, document: await requireDocument(tx, draft), family, isBegun: true };
    }
    if (open) await records.assertKept(tx, open.draft);
    const { draft, parent, document, has } = open ?? (await records.findWholeDraft(tx, id));
    const family = await access.requireDraft(tx, caller, draft, "edit", parent);
    return { draft, document, has, family, isBegun: false };
  }

  async function edit(caller: Caller, command: EditDraft, basis: EditBasis = {}): Promise<DraftId> {
    const { revision, state, made, saver, entries, wrote, ...live } = basis;
    return host.write(caller, editDraft, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      const { draft, document, has, family, isBegun } = await draftFor(tx, caller, command, now);
      if (revision !== undefined && revision !== draft.revision_id) throw new Moved();
      if (state !== undefined && !isSameState(state, document.state)) throw new Moved();
      const isMade = made !== undefined && command.epoch === document.epoch;
      const edited = isMade
        ? asMade(host, made)
        : await merge(tx, document, command, await meaningOf(tx, document, command), live);
      const common = { result: { id: draft.id }, object: { kind: "draft", id: draft.id } };
      const touched: ObjectRef[] = [familyOfDraft(draft.parent_id)];
      // The edit may equal the published content. A new edit draft stays even then.
      if (!edited) return { ...common, touched: isBegun ? touched : [], title: `Edit ${titleOf(draft)}` };
      const stored = { ...edited, before: document, known: command.known, has, saver, entries };
      const after = await store.save(tx, caller, draft, stored, now);
      wrote?.({ ...after, document: { epoch: document.epoch, state: edited.state }, family });
      return { ...common, touched, title: `Edit ${titleOf(after.draft)}` };
    });
  }

  return {
    create,
    edit,
    commands: [
      handles(createDraft, (caller, command) => create(caller, command)),
      handles(editDraft, (caller, command) => edit(caller, command)),
    ],
  };
}
