import type { BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import { inDocuments } from "../../../../shared/documents/document-thread.ts";
import { readPath } from "../../../../shared/documents/path-text.ts";
import type { EditDraft } from "../../../../shared/drafts/draft.schema.ts";
import { newerFields } from "../../../../shared/metadata/metadata.schema.ts";
import { conflictRows, type Lost } from "../conflict-rows.ts";
import { areRelated, isWithin } from "../echo.policy.ts";
import { lostIn } from "../lost-values.ts";
import { documentIn, type ShadowDocument } from "../read/family.ts";
import { bodyOf } from "../read/input-form.ts";
import { readTheirRecord } from "../read/their-record.ts";
import type { Site } from "../site.ts";
import { insertWitnesses } from "../witness.repository.ts";
import { echoOf } from "./draft-create.ts";
import { draftOrEdit } from "./draft-or-edit.ts";
import { noSuchDraft, type Result, refusedBy, unsure, type Writing, waits } from "./outcome.ts";

const maxMerges = 5;
/** Refusals of single values, or of their size. */
const isOfValues = new Set([400, 413]);
/** The server refuses a save that overlaps another one as if a value were wrong. So only a second refusal counts. */
const secondTryMs = 2000;

/** An edit with the id of its operation. */
export interface SentEdit {
  operationId: string;
  edit: EditDraft;
}

/** The document with one edit. An edit whose update does not fit is repeated by path. */
async function withEdit(site: Site, { epoch, state }: ShadowDocument, edit: EditDraft) {
  const clientId = site.options.newClientId();
  const { update, changes, orders = [] } = edit;
  if (edit.epoch === epoch) {
    const merging = { changes, hasChanges: changes.length + orders.length > 0, clientId, basis: { before: [] } };
    const taken = await inDocuments("takeUpdate", state, Buffer.from(update, "base64"), merging);
    if (taken.ok) return taken.merged ?? { state, lost: [] };
  }
  return inDocuments("repeatChanges", state, [...changes], [...orders], clientId, []);
}

/** All edits on top of a document. */
async function merged(site: Site, document: ShadowDocument, edits: readonly SentEdit[]) {
  let { state } = document;
  const lost: Lost[] = [];
  for (const { edit } of edits) {
    const next = await withEdit(site, { epoch: document.epoch, state }, edit);
    state = next.state;
    lost.push(...next.lost);
  }
  return { state, lost };
}

interface Basis {
  document: ShadowDocument;
  /** Values of this user that the server does not have any more. */
  lost: readonly Lost[];
  revision: number;
  /** What the site has of identifiers and of metadata that we do not know. */
  site: { pids: Record<string, unknown>; metadata: Record<string, unknown> };
}

/**
 * Their server keeps a deleted draft of a record for an hour. After that the next edit of the record counts its revisions
 * from the beginning, and a known revision may be that of another draft.
 */
const keptMicros = 3_600_000_000;

/** The last known state of a draft. @param wantsFresh whether to fetch the draft first */
async function basisOf(site: Site, id: string, wantsFresh: boolean): Promise<Basis | undefined> {
  const shadow = await site.shadowOf(id);
  const age = site.options.now() - (shadow?.revisions[`looked:${id}`] ?? 0);
  const isFresh = wantsFresh || age < 0 || age >= keptMicros;
  const document = shadow && documentIn(shadow, id);
  const revision = shadow?.revisions[`draft:${id}`];
  if (document && revision !== undefined && !isFresh) {
    const row = shadow.bundle.rows.draft?.find((one) => one.id === id);
    const [pids, metadata] = [row?.pids, row?.metadata].map((column) => JSON.parse(String(column ?? "{}")));
    return { document, lost: [], revision, site: { pids, metadata: newerFields(metadata) } };
  }
  const theirs = await draftOrEdit(site, id);
  if (!theirs) return undefined;
  await site.noteUnseen(theirs);
  // If the draft was published meanwhile, its lost values are reported already.
  const present = await site.shadowOf(id);
  const before = document ?? (await site.documentOf(theirs, present));
  const next = await site.advance(before, theirs, shadow?.faults[id] ?? []);
  const lost = await lostIn(site.db, theirs, present);
  const { revision_id, pids, metadata } = theirs;
  return { document: next, lost, revision: revision_id, site: { pids, metadata: newerFields(metadata) } };
}

/** Without values that the user has replaced since. */
const notRewritten = (lost: readonly Lost[], edits: readonly SentEdit[]): Lost[] =>
  lost.filter(({ path }) => !edits.some(({ edit }) => edit.changes.some((change) => isWithin(path, change.path))));

/** Whether the user had seen a conflict and has written at its path again: they have chosen. */
const isChosen =
  (edits: readonly SentEdit[]) =>
  ({ id, path }: BundleRow): boolean =>
    edits.some(
      ({ edit: { known = [], changes } }) =>
        known.includes(String(id)) && changes.some((change) => areRelated(change.path, readPath(String(path)))),
    );

/** Saves all waiting edits of one draft with one call. */
async function saveEdits({ site, attempts }: Writing, id: string, edits: readonly SentEdit[]): Promise<Result> {
  let isSecondTry = false;
  for (let merges = 0, isFresh = false; merges <= maxMerges; merges++) {
    const basis = await basisOf(site, id, isFresh);
    if (!basis) return noSuchDraft;
    const { state, lost } = await merged(site, basis.document, edits);
    const input = await inDocuments("inputOf", state);
    const body = { json: bodyOf(input, basis.site), ifMatch: basis.revision };
    const written = await site.line.write("PUT", `/api/records/${id}/draft`, body);
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "done") {
      const theirs = readTheirRecord(written.body);
      const { document, faults } = await echoOf(site, input, state, theirs);
      const result = { id };
      const seq = await site.keepDraft(theirs, undefined, {
        document: { epoch: basis.document.epoch, state: document },
        faults,
        isSettled: isChosen(edits),
        conflicts: conflictRows(site.options, theirs, [...notRewritten(basis.lost, edits), ...lost]),
        also: async (tx, at) => {
          const ids = edits.map(({ operationId }) => operationId);
          await attempts.finish(tx, ids, "edit", { seq: at, result });
          await insertWitnesses(
            tx,
            id,
            edits.flatMap(({ edit }) => edit.changes),
          );
        },
      });
      return { outcome: "applied", seq, result };
    }
    const isStale = written.status === 412 || written.status === 404;
    if (!isStale && (written.status !== 400 || isSecondTry)) return refusedBy(site.options.name, written);
    if (!isStale) {
      isSecondTry = true;
      await site.options.sleep(secondTryMs);
    }
    isFresh = true;
  }
  return waits;
}

/**
 * Saves the waiting edits of one draft together. If the server refuses them, tries halves until it finds the edit that
 * is refused. Saves the others.
 */
export async function editDraftAt(writing: Writing, id: string, edits: readonly SentEdit[]): Promise<Result[]> {
  const result = await saveEdits(writing, id, edits);
  if (result.outcome !== "rejected" || edits.length === 1 || !isOfValues.has(result.status))
    return edits.map(() => result);
  const middle = Math.ceil(edits.length / 2);
  return [
    ...(await editDraftAt(writing, id, edits.slice(0, middle))),
    ...(await editDraftAt(writing, id, edits.slice(middle))),
  ];
}
