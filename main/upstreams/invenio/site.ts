import { type Db, type Tx, transaction } from "../../../shared/database/open.ts";
import type { FileEntryRow } from "../../../shared/database/schema.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import type { DraftInput } from "../../../shared/documents/draft-input.ts";
import type { DraftContentService, LoadEntries } from "../../../shared/drafts/draft-content.service.ts";
import { type Json, sameJson } from "../../../shared/kernel/json.ts";
import { KeyedMutex } from "../../../shared/kernel/keyed-mutex.ts";
import { isoTime } from "../../../shared/kernel/timestamps.ts";
import { newerFields } from "../../../shared/metadata/metadata.schema.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { conflictRows } from "./conflict-rows.ts";
import { stillHeld, withHeld } from "./echo.policy.ts";
import { knownFiles } from "./known-files.ts";
import { lostIn, lostInRecord } from "./lost-values.ts";
import type { Machine } from "./machine.ts";
import { isOwnUpload } from "./places.repository.ts";
import {
  contentOfRow,
  documentIn,
  fileRows,
  filesOf,
  isEmpty,
  isSameRevision,
  md5Of,
  type ShadowDocument,
  withoutPart,
  withPart,
} from "./read/family.ts";
import type { NamedFault } from "./read/faults.schema.ts";
import { inputForm } from "./read/input-form.ts";
import { learnWords } from "./read/learn-words.ts";
import { filesOfRecord, readTheirRecord, type TheirFile, type TheirRecord, theirFiles } from "./read/their-record.ts";
import { ReadOrder } from "./read-order.ts";
import { removePart } from "./remove-part.ts";
import { type CallOptions, type RestAnswer, type RestLine, refusedRead } from "./rest-line.ts";
import type { Saved } from "./saved.ts";
import { findFamilyOf, findShadow, type Part, putRemoved, putShadow, type Shadow } from "./shadow.repository.ts";
import { hasDiscards, newestOperation, noteUnseenChange } from "./write/journal.repository.ts";
import { noteFormerDescriptions } from "./write/seen-descriptions.ts";

export interface SiteOptions {
  db: Db;
  line: RestLine;
  content: DraftContentService;
  loadEntries: LoadEntries;
  /** Identifies site and user. */
  library: string;
  user: { id: string; username: string };
  /** The site's name in messages. */
  name: string;
  /** Microseconds UTC. */
  now(): number;
  newClientId(): number;
  newUuid(): string;
  sleep: Machine["sleep"];
  /** Called when the shadow has changed, so that waiting pages are sent. */
  onChange(): void;
}

/** Whose family it is when the server does not name an owner. */
interface Reading {
  /** The list is of the user's own objects. */
  isOwn?: boolean;
}

/** An InvenioRDM server as one account sees it, and its shadow: the last known state of its objects. */
export class Site {
  /** Names announced from here to which nothing was sent yet, and when, by draft. */
  readonly announced = new Map<string, { at: number; keys: Set<string> }>();
  readonly options: SiteOptions;
  /**
   * Runs the writing calls for each draft or request one after the other. Concurrent ones fail in odd ways there: with an
   * error of the server, a refusal of valid values, or two drafts (upstreams F24).
   */
  readonly writes = new KeyedMutex();
  readonly #order = new ReadOrder();

  constructor(options: SiteOptions) {
    this.options = options;
  }

  get line(): RestLine {
    return this.options.line;
  }

  get db(): Db {
    return this.options.db;
  }

  /** A draft by id, from the server's database; undefined if there is none. @throws Failure the refusal */
  lookAtDraft(id: string, options: CallOptions = {}): Promise<TheirRecord | undefined> {
    return this.#order.read(id, async () => {
      const theirs = this.#look(await this.line.read(`/api/records/${id}/draft`, options));
      return theirs && { ...theirs, is_draft: true };
    });
  }

  /** A record by id; undefined if there is none, or it was deleted. @throws Failure the refusal */
  async lookAtRecord(id: string, options: CallOptions = {}): Promise<TheirRecord | undefined> {
    return this.#look(await this.line.read(`/api/records/${id}`, options));
  }

  #look(answer: RestAnswer): TheirRecord | undefined {
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (answer.status !== 200) throw refusedRead(answer);
    return readTheirRecord(answer.body);
  }

  /** Whether the shadow has the draft as the edit of a published record. Its files are those of the record. */
  async isEdit(id: string): Promise<boolean> {
    const shadow = await this.shadowOf(id);
    return shadow?.bundle.rows.draft?.some((row) => row.id === id && row.is_edit === 1) === true;
  }

  async filesOfDraft(id: string, options: CallOptions = {}): Promise<TheirFile[]> {
    const answer = await this.line.read(`/api/records/${id}/draft/files`, options);
    if (answer.status === 404) return [];
    if (answer.status !== 200) throw refusedRead(answer);
    return validateAnswer(theirFiles, answer.body).entries;
  }

  async shadowOf(contentId: string, db: Db = this.db): Promise<Shadow | undefined> {
    const family = await findFamilyOf(db, contentId);
    return family === undefined ? undefined : findShadow(db, { kind: "family", id: family });
  }

  /** The document of a draft in the shadow, or its first one. */
  async documentOf(theirs: TheirRecord, shadow: Shadow | undefined): Promise<ShadowDocument> {
    const known = shadow && documentIn(shadow, theirs.id);
    if (known) return known;
    const record = shadow?.bundle.rows.record?.find((row) => row.id === theirs.id);
    if (!record) return { epoch: 1, state: await inDocuments("genesis", inputForm(theirs)) };
    // Made like an edit that begins on this computer, so that both share one history.
    return { epoch: Number(record.revision_id) + 1, state: await inDocuments("genesis", contentOfRow(record)) };
  }

  /** The document with the content that the server has now. What it never stored stays as the user typed it. */
  async advance(document: ShadowDocument, theirs: TheirRecord, faults: readonly NamedFault[]): Promise<ShadowDocument> {
    const answer = inputForm(theirs) as unknown as Json;
    const isWhole = faults.length === 0;
    const mine = isWhole ? answer : ((await inDocuments("inputOf", document.state)) as unknown as Json);
    const next = (isWhole ? answer : withHeld(mine, answer, faults)) as unknown as DraftInput;
    const { state } = await inDocuments("ownEdit", document.state, next, this.options.newClientId());
    return { epoch: document.epoch, state };
  }

  /**
   * Stores the state of a draft. Without a document of its own, the server's content becomes the document's. Of a state
   * that was read before a save was stored, only the files are.
   * @param files undefined: those of the shadow
   * @returns the position.
   */
  async keepDraft(theirs: TheirRecord, files: readonly TheirFile[] | undefined, saved?: Saved): Promise<number> {
    const { content, now } = this.options;
    await this.#learn(theirs);
    const shadow = await this.shadowOf(theirs.id);
    const isEdit = theirs.is_published || (shadow?.bundle.rows.record ?? []).some((row) => row.id === theirs.id);
    if (!saved) await this.noteUnseen(theirs);
    if (!saved && files) await this.noteUnseenFiles(theirs.id, files);
    const held = shadow?.faults[theirs.id] ?? [];
    const faults = saved?.faults ?? stillHeld(inputForm(theirs) as unknown as Json, held);
    const document = saved?.document ?? (await this.advance(await this.documentOf(theirs, shadow), theirs, held));
    const lost = saved ? [] : await lostIn(this.db, theirs, shadow);
    const listed = files ?? (filesOf(shadow, "draft", theirs.id) as unknown as TheirFile[]);
    const entries = listed.map(({ key, status }) => ({ key, status })) as FileEntryRow[];
    const input = await inDocuments("inputOf", document.state);
    const newer = newerFields(theirs.metadata);
    const unknown = { metadata: newer, expanded: newer, custom: content.undeclared(input.custom_fields) };
    const situation = { ...content.emptySituation(theirs.id, now()), entries, unknown };
    const { columns } = await content.read(this.db, input, situation);
    const seq = await transaction(this.db, async (tx) => {
      const present = await findShadow(tx, { kind: "family", id: theirs.parent.id });
      if (saved) this.#order.noteSave(theirs.id);
      else if (present && this.#order.isOld(theirs)) return putShadow(tx, present, now());
      const conflicts = [...(saved?.conflicts ?? []), ...conflictRows(this.options, theirs, lost)];
      const known = await knownFiles(tx, theirs.id, files ?? [], present);
      const isSettled = saved?.isSettled;
      const part = { theirs, files, known, document, looked: now(), columns, faults, isEdit, conflicts, isSettled };
      const owner = await this.#owner(tx, { isOwn: true });
      const at = await putShadow(tx, withPart(present, part, owner), now());
      await saved?.also?.(tx, at);
      return at;
    });
    if (!saved && files && this.#order.isOld(theirs)) await this.keepFiles(theirs.id, files);
    this.options.onChange();
    return seq;
  }

  /** A discard that waits was wanted for what the user saw: a change since then refuses it. */
  async noteUnseen(theirs: TheirRecord): Promise<void> {
    if (!(await hasDiscards(this.db, theirs.id))) return;
    const shadow = await this.shadowOf(theirs.id);
    const known = shadow && documentIn(shadow, theirs.id);
    if (!known || isSameRevision(shadow, theirs)) return;
    if (sameJson(await inDocuments("inputOf", known.state), inputForm(theirs))) return;
    await transaction(this.db, (tx) => noteUnseenChange(tx, theirs.id, this.options.now()));
  }

  /** The same for files that somebody else has added or described since. */
  async noteUnseenFiles(id: string, files: readonly TheirFile[]): Promise<void> {
    const shown = filesOf(await this.shadowOf(id), "draft", id);
    await noteFormerDescriptions(this.db, id, { shown, there: files, now: this.options.now() });
    if (!(await hasDiscards(this.db, id)) || !(await this.hasUnseenFiles(id, files))) return;
    await transaction(this.db, (tx) => noteUnseenChange(tx, id, this.options.now()));
  }

  /** Whether a draft has whole files that the user has not seen and that do not come from here. */
  async hasUnseenFiles(id: string, files: readonly TheirFile[]): Promise<boolean> {
    const shadow = await this.shadowOf(id);
    // The files of a record are not changed in its draft.
    if (!shadow || shadow.bundle.rows.record?.some((row) => row.id === id)) return false;
    const seen = filesOf(shadow, "draft", id);
    for (const { key, status, checksum } of files) {
      const md5 = md5Of(checksum);
      const isSeen = status !== "completed" || seen.some((row) => row.key === key && row.md5 === (md5 ?? null));
      if (!isSeen && !(await isOwnUpload(this.db, { draftId: id, key, md5 }))) return true;
    }
    return false;
  }

  /**
   * Stores the state of a published record.
   * @param isAlone its draft is known to be gone
   * @returns the position.
   */
  async keepRecord(
    theirs: TheirRecord,
    reading: Reading & { isAlone?: boolean; also?: Saved["also"] } = {},
  ): Promise<number> {
    await this.#learn(theirs);
    const files = filesOfRecord(theirs);
    const lost = reading.isAlone ? await lostInRecord(this.db, theirs, await this.shadowOf(theirs.id)) : [];
    const conflicts = conflictRows(this.options, theirs, lost);
    const seq = await transaction(this.db, async (tx) => {
      const present = await findShadow(tx, { kind: "family", id: theirs.parent.id });
      const before = present && reading.isAlone ? withoutPart(present, "draft", theirs.id) : present;
      const known = await knownFiles(tx, theirs.id, files, present);
      const owner = await this.#owner(tx, reading);
      const at = await putShadow(tx, withPart(before, { theirs, files, known, conflicts }, owner), this.options.now());
      await reading.also?.(tx, at);
      return at;
    });
    this.options.onChange();
    return seq;
  }

  /** Stores the files of a draft. @returns the position; undefined if the draft is unknown. */
  async keepFiles(id: string, files: readonly TheirFile[], also?: Saved["also"]) {
    await this.noteUnseenFiles(id, files);
    const seq = await transaction(this.db, async (tx) => {
      const shadow = await this.shadowOf(id, tx);
      const row = shadow?.bundle.rows.draft?.find((one) => one.id === id);
      if (!shadow || !row) return undefined;
      const known = await knownFiles(tx, id, files, shadow);
      const times = { created: isoTime(Number(row.created)), updated: isoTime(Number(row.updated)) };
      const theirs = { id, parent: { id: shadow.bundle.id }, ...times };
      const { rows } = shadow.bundle;
      const others = (rows.file_entry ?? []).filter((one) => one.owner_kind !== "draft" || one.owner_id !== id);
      const isEdit = row.is_edit === 1;
      rows.file_entry = [...others, ...fileRows(this.options.library, { theirs, files, known, isEdit }, "draft")];
      const at = await putShadow(tx, shadow, this.options.now());
      await also?.(tx, at);
      return at;
    });
    this.options.onChange();
    return seq;
  }

  /** The digest of bytes that were read for the first time. */
  async keepDigest(contentId: string, standIn: string, sha256: string): Promise<void> {
    await transaction(this.db, async (tx) => {
      const shadow = await this.shadowOf(contentId, tx);
      if (!shadow) return;
      for (const row of shadow.bundle.rows.file_entry ?? []) if (row.sha256 === standIn) row.sha256 = sha256;
      await putShadow(tx, shadow, this.options.now());
    });
    this.options.onChange();
  }

  /**
   * A draft or record is no longer there for this user. What only this computer had of it goes to the tray.
   * @returns the position; undefined if nothing was known of it.
   */
  async keepGone(part: Part, id: string, state: "deleted" | "withdrawn" = "deleted"): Promise<number | undefined> {
    const seq = await transaction(this.db, async (tx) => {
      const before = await this.shadowOf(id, tx);
      if (!before) return undefined;
      const after = await removePart(tx, this.options, { part, id, state, before });
      if (!isEmpty(after)) return putShadow(tx, after, this.options.now());
      return putRemoved(tx, { kind: "family", id: before.bundle.id }, state, this.options.now());
    });
    this.options.onChange();
    return seq;
  }

  #learn(theirs: TheirRecord): Promise<void> {
    return learnWords(this.db, this.options.loadEntries, theirs, this.options.now());
  }

  async #owner(tx: Tx, { isOwn = false }: Reading) {
    const { library, user } = this.options;
    return { library, user: user.id, stranger: isOwn ? user.id : "unknown", newest: await newestOperation(tx) };
  }
}
