import type { AccessService } from "../access/access.service.ts";
import { publicAccess } from "../access/access-input.schema.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { encodeChange } from "../documents/merge.ts";
import type { Caller } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { forbidden, invalidField, type Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { RecordService } from "../records/record.service.ts";
import { type DraftBody, readDraftBody } from "./draft-body.schema.ts";
import { assertEntriesExist, type DraftContentService, type SentDraft } from "./draft-content.service.ts";
import { type DraftEditService, Moved, requireDocument, type WithDraft } from "./draft-edit.service.ts";
import { missingFilesMessage } from "./files-options.schema.ts";

/** What became of a body that is never refused for its metadata (records 3.3). */
export interface Saved {
  id: string;
  problems: Problem[];
}

/** Drafts as REST sees them: whole bodies, turned into commands. */
export interface DraftService {
  /**
   * Saves a new draft from a REST body (records 3.1), and does with it what `also` does, or neither.
   * @throws Failure 400 for access values, unknown vocabulary entries; 403 anonymous.
   */
  createFrom(caller: Caller, body: unknown, also?: WithDraft): Promise<Saved>;
  /**
   * Makes a draft say what a REST body says; an unchanged body changes nothing (records 3.1, 3.3).
   * @param ifMatch revision demanded by the caller. @throws Failure 400, 403, 404, 412.
   */
  replace(caller: Caller, id: string, body: unknown, ifMatch: number | undefined): Promise<Saved>;
}

const microsPerDay = 86_400_000_000;

export interface DraftServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  content: DraftContentService;
  edits: DraftEditService;
}

/** A PUT body whose absent parts stay as they are, where the contract says so (records 3.2). */
const filled = (draft: DraftRow, body: DraftBody): SentDraft => ({
  metadata: body.metadata,
  custom_fields: body.custom_fields,
  access: body.access ?? JSON.parse(draft.access),
  pids: body.pids,
  files: body.files ?? {
    enabled: draft.files_enabled === 1,
    default_preview: draft.default_preview,
    order: JSON.parse(draft.file_order),
  },
});

export function draftService({ host, access, records, content, edits }: DraftServices): DraftService {
  async function createFrom(caller: Caller, sent: unknown, also?: WithDraft): Promise<Saved> {
    if (caller.userId === null) throw forbidden();
    const body = readDraftBody(sent);
    const id = await host.takeRecordId();
    const files = body.files === undefined ? { enabled: true } : withoutNames(body.files);
    const filled: SentDraft = {
      metadata: body.metadata,
      custom_fields: body.custom_fields,
      access: body.access ?? publicAccess,
      pids: body.pids,
      files,
    };
    const read = await content.read(host.db, filled, content.emptySituation(id, host.now()));
    assertEntriesExist(read);
    const created = await edits.create(caller, { id, parentId: await host.takeRecordId(), input: read.input }, also);
    return { id: created.id, problems: read.problems };
  }

  /** A published record may be restricted for some days only (records 7.1). */
  async function assertMayRestrict(db: Db, draft: DraftRow, next: string): Promise<void> {
    if (draft.is_edit !== 1 || next !== "restricted") return;
    const record = await records.rows.findRecord(db, draft.id);
    if (!record || JSON.parse(record.access).record === "restricted") return;
    if (host.now() - record.created <= host.settings.restrict_within_days * microsPerDay) return;
    throw invalidField("access.record", "Record visibility can not be changed to restricted anymore.");
  }

  async function replaceOnce(caller: Caller, id: string, body: unknown, ifMatch: number | undefined): Promise<Saved> {
    const draft = await records.findDraft(host.db, id);
    await access.requireDraft(host.db, caller, draft, "edit");
    assertRevision(ifMatch, draft.revision_id);
    const situation = await content.situationOf(host.db, draft, host.now());
    const read = await content.read(host.db, filled(draft, readDraftBody(body)), situation);
    assertEntriesExist(read);
    await assertMayRestrict(host.db, draft, read.input.access.record);
    const { state, epoch } = await requireDocument(host.db, draft);
    const { update, changes } = encodeChange(state, read.input, host.newClientId());
    if (update !== null) {
      const command = { id: draft.id, epoch, update: Buffer.from(update).toString("base64"), changes };
      await edits.edit(caller, command, { revision: draft.revision_id });
    }
    const isBare = read.input.files.enabled && situation.entries.length === 0;
    const missing = isBare ? [{ field: "files.enabled", messages: [missingFilesMessage] }] : [];
    return { id: draft.id, problems: [...read.problems, ...missing] };
  }

  async function replace(caller: Caller, id: string, body: unknown, ifMatch: number | undefined): Promise<Saved> {
    for (;;) {
      try {
        return await replaceOnce(caller, id, body, ifMatch);
      } catch (error) {
        // Somebody was faster between reading and writing: the last one wins, on top of what stands now.
        if (!(error instanceof Moved)) throw error;
      }
    }
  }

  return { createFrom, replace };
}

/** A draft that is just made has no files that its options could name (records 6.6). */
const withoutNames = (files: unknown): unknown =>
  typeof files === "object" && files !== null && !Array.isArray(files)
    ? { ...files, default_preview: null, order: [] }
    : files;
