import { isDeepStrictEqual } from "node:util";
import type { AccessService } from "../access/access.service.ts";
import { publicAccess } from "../access/access-input.schema.ts";
import type { DraftRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { placeAt } from "../documents/layout.ts";
import type { Caller } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField, type Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { findRecord } from "../records/record.reader.ts";
import type { RecordService } from "../records/record.service.ts";
import { listConflicts } from "./conflict.repository.ts";
import { findDocument } from "./draft.repository.ts";
import { type DraftBody, readDraftBody } from "./draft-body.schema.ts";
import { assertEntriesExist, type DraftContentService, type SentDraft } from "./draft-content.service.ts";
import { type DraftEditService, Moved, type ShownDraft, type WithDraft } from "./draft-edit.service.ts";
import { type DraftHistory, type PastDocument, stateName } from "./draft-history.ts";
import { missingFilesMessage } from "./files-options.schema.ts";

/** The result of a save, which is never refused for its metadata (records 3.3). */
export interface Saved {
  id: string;
  problems: Problem[];
  /** Fields that others had changed since the body's revision; present after a merge. */
  merged?: string[];
  /** The draft right after the save, without later edits; undefined when a call was repeated. */
  shown?: ShownDraft | undefined;
}

/** The state on which a `replace` is based. */
export interface Basis {
  /** The required revision. */
  ifMatch?: number | undefined;
  /** Whether to merge instead of refusing when the draft has changed since (`Prefer: handling=merge`). */
  prefersMerge?: boolean;
  /** The state that the caller saw (`Draft-State` of a replica), more exact than its revision. */
  state?: string | undefined;
  /** The open editor that saves (`Draft-Editor`). */
  editor?: string | undefined;
}

/** Turns whole REST bodies into commands. */
export interface DraftService {
  /**
   * Creates a draft from a REST body (records 3.1), with `also` in the same transaction.
   * @throws Failure 400 for access values or unknown vocabulary entries; 403 for an anonymous caller.
   */
  createFrom(caller: Caller, body: unknown, also?: WithDraft): Promise<Saved>;
  /**
   * Replaces the content of a draft by a REST body; an unchanged body changes nothing (records 3.1, 3.3). A body based on
   * an earlier revision is merged if the caller prefers that and the revision is still stored. Where both sides changed a
   * value, the present one stays and the caller's becomes a conflict (hosts-and-sync 4).
   * @throws Failure 400, 403, 404, 412.
   */
  replace(caller: Caller, id: string, body: unknown, basis?: Basis): Promise<Saved>;
  /** The present state of a draft. @throws Failure 404, 410. */
  look(id: string): Promise<ShownDraft>;
  /**
   * Stores a state that is about to be shown, since the caller's next edit may be based on it.
   * @returns on a replica, the name of the document.
   */
  show(shown: ShownDraft): string | undefined;
}

const partsOf = (draft: DraftRow): Pick<SentDraft, "access" | "files"> => ({
  access: JSON.parse(draft.access),
  files: {
    enabled: draft.files_enabled === 1,
    default_preview: draft.default_preview,
    order: JSON.parse(draft.file_order),
  },
});

const changedSince = async (base: PastDocument, current: PastDocument): Promise<string[][]> =>
  (await inDocuments("changesOfStates", base.state, current.state)).map(({ path }) => path);

const microsPerDay = 86_400_000_000;

export interface DraftServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  content: DraftContentService;
  edits: DraftEditService;
  history: DraftHistory;
}

/** Adds the present values of absent parts to a PUT body, where the contract says so (records 3.2). */
const filled = (body: DraftBody, from: Pick<SentDraft, "access" | "files">): SentDraft => ({
  metadata: body.metadata,
  custom_fields: body.custom_fields,
  access: body.access ?? from.access,
  pids: body.pids,
  files: body.files === undefined ? from.files : body.files,
});

/** The field of a change's path; a list is one field: `metadata.creators`. */
function fieldOf(path: readonly string[]): string {
  const list = path.findIndex((_part, at) => placeAt(path.slice(0, at + 1))?.kind === "list");
  return (list < 0 ? path : path.slice(0, list + 1)).join(".");
}

/** Reads row and document at the same moment. Otherwise text that only one of them has would be lost or doubled. */
async function look({ host, records }: Pick<DraftServices, "host" | "records">, id: string): Promise<ShownDraft> {
  if (host.abilities.numbersRevisions) return { ...(await records.findOpenDraft(host.db, id)), document: undefined };
  let draft = await records.findDraft(host.db, id);
  for (;;) {
    const document = await findDocument(host.db, id);
    const again = await records.findDraft(host.db, id);
    if (isDeepStrictEqual(again, draft)) return { draft, document };
    draft = again;
  }
}

/** The state to compare the body with: the present one, or that of the caller's revision. */
async function baseOf(
  { host, history }: Pick<DraftServices, "host" | "history">,
  draft: DraftRow,
  current: PastDocument,
  { ifMatch, prefersMerge, state, saver }: Basis & { saver: string | undefined },
): Promise<PastDocument> {
  if (prefersMerge && state !== undefined) {
    const named = stateName(current.state) === state ? current : history.findState(draft.id, state);
    if (!named) throw new Failure("stale", "The draft has changed, and what it was before is not known any more.");
    return named;
  }
  const isPast = prefersMerge === true && ifMatch !== undefined && ifMatch !== draft.revision_id;
  const past = isPast ? await history.find(host.db, draft.id, ifMatch, saver) : undefined;
  // The save is late, or an answer was lost: merged like a change of somebody else, its text would be stored twice.
  if (past?.isOvertaken)
    throw new Failure("stale", "An earlier save of this editor has arrived meanwhile. Read the draft again.");
  if (!past) assertRevision(ifMatch, draft.revision_id);
  return past ?? current;
}

/**
 * Ids of the caller's conflicts, for an operation that may be executed later. A host that decides finds them itself, in
 * the transaction of the edit.
 */
async function knownConflicts({ db, abilities }: Host, { userId }: Caller, { id }: DraftRow) {
  if (abilities.decides) return undefined;
  const open = await listConflicts(db, id);
  return open.filter(({ user_id }) => user_id === userId).map((conflict) => conflict.id);
}

/** A published record may be restricted only within some days (records 7.1). */
async function assertMayRestrict(host: Host, draft: DraftRow, next: string): Promise<void> {
  if (draft.is_edit !== 1 || next !== "restricted") return;
  const record = await findRecord(host.db, draft.id);
  if (!record || JSON.parse(record.access).record === "restricted") return;
  if (host.byServer(host.now()) - record.created <= host.settings.restrict_within_days * microsPerDay) return;
  throw invalidField("access.record", "Record visibility can not be changed to restricted anymore.");
}

export function draftService({ host, access, records, content, edits, history }: DraftServices): DraftService {
  async function createFrom(caller: Caller, sent: unknown, also?: WithDraft): Promise<Saved> {
    if (caller.userId === null) throw forbidden();
    const body = readDraftBody(sent);
    const files = body.files === undefined ? { enabled: true } : withoutNames(body.files);
    const filled: SentDraft = {
      metadata: body.metadata,
      custom_fields: body.custom_fields,
      access: body.access ?? publicAccess,
      pids: body.pids,
      files,
    };
    // Nothing is stored of a new draft: any id that no other has will do.
    const read = await content.read(host.db, filled, content.emptySituation("", host.now()));
    assertEntriesExist(read);
    const [id = "", parentId = ""] = await host.takeRecordIds(2);
    let shown: ShownDraft | undefined;
    const wrote = (after: ShownDraft) => {
      // What is done besides may change the draft.
      if (!also) shown = after;
    };
    const basis = { also, hasFreeIds: true, entries: read.entries, wrote };
    const created = await edits.create(caller, { id, parentId, input: read.input }, basis);
    return { id: created.id, problems: read.problems, shown };
  }

  async function replaceOnce(caller: Caller, id: string, body: unknown, basis: Basis): Promise<Saved> {
    const { draft, parent, document: current, has } = await records.findWholeDraft(host.db, id);
    const family = await access.requireDraft(host.db, caller, draft, "edit", parent);
    const saver = basis.editor === undefined ? undefined : `${caller.userId} ${basis.editor}`;
    const base = await baseOf({ host, history }, draft, current, { ...basis, saver });
    const situation = await content.situationOf(host.db, draft, host.now(), has);
    const parts = base === current ? partsOf(draft) : await inDocuments("inputOf", base.state);
    const read = await content.read(host.db, filled(readDraftBody(body), parts), situation);
    assertEntriesExist(read);
    await assertMayRestrict(host, draft, read.input.access.record);
    const made = await inDocuments("ownEdit", base.state, read.input, host.newClientId());
    const { update, changes, orders } = made;
    const shown: ShownDraft = { draft, document: current, family, files: situation.entries };
    if (update !== null) {
      const known = await knownConflicts(host, caller, draft);
      const edit = { update: Buffer.from(update).toString("base64"), changes, orders, known };
      const command = { id: draft.id, epoch: base.epoch, ...edit };
      const at = { revision: draft.revision_id, state: current.state, ...(base === current ? { made } : {}) };
      const wrote = (after: ShownDraft) => void Object.assign(shown, after);
      await edits.edit(caller, command, { ...at, saver, entries: read.entries, wrote });
    }
    const isBare = read.input.files.enabled && situation.entries.length === 0;
    const missing = isBare ? [{ field: "files.enabled", messages: [missingFilesMessage] }] : [];
    const merged = base === current ? {} : { merged: [...new Set((await changedSince(base, current)).map(fieldOf))] };
    return { id: draft.id, problems: [...read.problems, ...missing], ...merged, shown };
  }

  async function replace(caller: Caller, id: string, body: unknown, basis: Basis = {}): Promise<Saved> {
    for (;;) {
      try {
        return await replaceOnce(caller, id, body, basis);
      } catch (error) {
        // The draft changed between reading and writing. The edit is made again on the present draft.
        if (!(error instanceof Moved)) throw error;
      }
    }
  }

  return {
    createFrom,
    replace,
    look: (id) => look({ host, records }, id),
    show: ({ draft, document }) => (document ? history.shown(draft, document) : undefined),
  };
}

/** Removes file names from the options of a new draft, which has no files yet (records 6.6). */
const withoutNames = (files: unknown): unknown =>
  typeof files === "object" && files !== null && !Array.isArray(files)
    ? { ...files, default_preview: null, order: [] }
    : files;
