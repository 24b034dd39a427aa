import { isDeepStrictEqual } from "node:util";
import type { AccessService } from "../access/access.service.ts";
import { publicAccess } from "../access/access-input.schema.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { placeAt } from "../documents/layout.ts";
import type { Caller } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField, type Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { RecordService } from "../records/record.service.ts";
import { listConflicts } from "./conflict.repository.ts";
import { findDocument } from "./draft.repository.ts";
import { type DraftBody, readDraftBody } from "./draft-body.schema.ts";
import { assertEntriesExist, type DraftContentService, type SentDraft } from "./draft-content.service.ts";
import {
  type DraftEditService,
  Moved,
  requireDocument,
  type ShownDraft,
  type WithDraft,
} from "./draft-edit.service.ts";
import { type DraftHistory, type PastDocument, stateName } from "./draft-history.ts";
import { missingFilesMessage } from "./files-options.schema.ts";

/** What became of a body that is never refused for its metadata (records 3.3). */
export interface Saved {
  id: string;
  problems: Problem[];
  /** Fields that others had changed since the revision that the body was based on; present when it was merged. */
  merged?: string[];
  /** The draft as it stands after a `replace`, and no later. */
  shown?: ShownDraft;
}

/** What a replacing call is based on. */
export interface Basis {
  /** The revision demanded by the caller. */
  ifMatch?: number | undefined;
  /** She prefers merging to being refused when the draft has changed since (`Prefer: handling=merge`). */
  prefersMerge?: boolean;
  /** The state that the caller saw (`Draft-State` of a replica), more exact than its revision. */
  state?: string | undefined;
}

/** Drafts as REST sees them: whole bodies, turned into commands. */
export interface DraftService {
  /**
   * Saves a new draft from a REST body (records 3.1), and does with it what `also` does, or neither.
   * @throws Failure 400 for access values, unknown vocabulary entries; 403 anonymous.
   */
  createFrom(caller: Caller, body: unknown, also?: WithDraft): Promise<Saved>;
  /**
   * Makes a draft say what a REST body says; an unchanged body changes nothing (records 3.1, 3.3). A body based on an
   * earlier revision is merged when that is preferred and the revision still known; what was changed on both sides
   * stays as it is, and the caller's value is kept as a conflict (hosts-and-sync 4).
   * @throws Failure 400, 403, 404, 412.
   */
  replace(caller: Caller, id: string, body: unknown, basis?: Basis): Promise<Saved>;
  /** A draft as it is now. @throws Failure 404, 410. */
  look(id: string): Promise<ShownDraft>;
  /**
   * Notes what is about to be shown, since what its caller sends back may be based on it.
   * @returns on a replica the name of the document.
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

/** A PUT body whose absent parts stay as they are, where the contract says so (records 3.2). */
const filled = (body: DraftBody, from: Pick<SentDraft, "access" | "files">): SentDraft => ({
  metadata: body.metadata,
  custom_fields: body.custom_fields,
  access: body.access ?? from.access,
  pids: body.pids,
  files: body.files === undefined ? from.files : body.files,
});

/** The field that a path of a change lies in, lists as a whole: `metadata.creators`. */
function fieldOf(path: readonly string[]): string {
  const list = path.findIndex((_part, at) => placeAt(path.slice(0, at + 1))?.kind === "list");
  return (list < 0 ? path : path.slice(0, list + 1)).join(".");
}

/** The row and the document of one moment: letters of others that stand in one alone would be lost, or there twice. */
async function look({ host, records }: Pick<DraftServices, "host" | "records">, id: string): Promise<ShownDraft> {
  let draft = await records.findDraft(host.db, id);
  if (host.abilities.numbersRevisions) return { draft, document: undefined };
  for (;;) {
    const document = await findDocument(host.db, id);
    const again = await records.findDraft(host.db, id);
    if (isDeepStrictEqual(again, draft)) return { draft, document };
    draft = again;
  }
}

/** What the body is compared with: the draft as it is, or as it was at the revision that the caller has. */
function baseOf(
  history: DraftHistory,
  draft: DraftRow,
  current: PastDocument,
  { ifMatch, prefersMerge, state }: Basis,
): PastDocument {
  if (prefersMerge && state !== undefined) {
    const named = stateName(current.state) === state ? current : history.findState(draft.id, state);
    if (!named) throw new Failure("stale", "The draft has changed, and what it was before is not known any more.");
    return named;
  }
  const isPast = prefersMerge === true && ifMatch !== undefined && ifMatch !== draft.revision_id;
  const past = isPast ? history.find(draft.id, ifMatch) : undefined;
  if (!past) assertRevision(ifMatch, draft.revision_id);
  return past ?? current;
}

export function draftService({ host, access, records, content, edits, history }: DraftServices): DraftService {
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

  async function replaceOnce(caller: Caller, id: string, body: unknown, basis: Basis): Promise<Saved> {
    const draft = await records.findDraft(host.db, id);
    await access.requireDraft(host.db, caller, draft, "edit");
    const current = await requireDocument(host.db, draft);
    const base = baseOf(history, draft, current, basis);
    const situation = await content.situationOf(host.db, draft, host.now());
    const parts = base === current ? partsOf(draft) : await inDocuments("inputOf", base.state);
    const read = await content.read(host.db, filled(readDraftBody(body), parts), situation);
    assertEntriesExist(read);
    await assertMayRestrict(host.db, draft, read.input.access.record);
    const made = await inDocuments("ownEdit", base.state, read.input, host.newClientId());
    const { update, changes, orders } = made;
    const shown: ShownDraft = { draft, document: current };
    if (update !== null) {
      const open = await listConflicts(host.db, draft.id);
      const known = open.filter(({ user_id }) => user_id === caller.userId).map((conflict) => conflict.id);
      const edit = { update: Buffer.from(update).toString("base64"), changes, orders, known };
      const command = { id: draft.id, epoch: base.epoch, ...edit };
      const at = { revision: draft.revision_id, state: current.state, ...(base === current ? { made } : {}) };
      await edits.edit(caller, command, { ...at, wrote: (after) => Object.assign(shown, after) });
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
        // Somebody was faster between reading and writing: the last one wins, on top of what stands now.
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

/** A draft that is just made has no files that its options could name (records 6.6). */
const withoutNames = (files: unknown): unknown =>
  typeof files === "object" && files !== null && !Array.isArray(files)
    ? { ...files, default_preview: null, order: [] }
    : files;
