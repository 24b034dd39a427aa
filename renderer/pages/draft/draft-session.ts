import { queryClient } from "../../api-client/query-client.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { type DraftBasis, draftQuery, readDraft, saveDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { randomId } from "../../format/random-id.ts";
import { arrivedContent, isWithoutAnswer } from "./arrived-content.ts";
import {
  changesOf,
  contentOf,
  type DraftContent,
  isDisputed,
  isSame,
  mergeIncoming,
  takeMerged,
} from "./draft-content.ts";
import { DraftFiles } from "./draft-files.ts";
import type { DraftView } from "./draft-view.ts";
import { dropChange, dropTakenOver, isFinal, type KeptChange, keepChange, keepsChanges } from "./kept-changes.ts";
import { typedField } from "./typed-field.ts";
import { type Direction, UndoHistory } from "./undo-history.ts";

const typingMs = 300;
/** Saves during continuous typing, at the latest after this delay. */
const maxSaveDelayMs = 900;
const maxAttempts = 5;
const againMs = 3000;
const undoGroupMs = 900;

/**
 * An open draft. Saves the whole draft shortly after each change. A save is never refused for metadata (records 3.3).
 * Its answer brings problems and never overwrites the fields.
 */
export class DraftSession {
  readonly id: string;
  private view: DraftView;
  private saved: DraftContent;
  private known: DraftContent;
  /** The content that the unsaved changes are based on; a later one if nothing is disputed. */
  private basis: DraftBasis;
  /** What was sent since the last answer: it may have arrived, or still be on its way. */
  private unanswered: DraftContent[] = [];
  /** What the save under way sends. */
  private sending: DraftContent | undefined;
  private readonly editor = randomId();
  private readonly history = new UndoHistory();
  /** Changes of the files, as steps of the history. */
  readonly files: DraftFiles;
  private lastChange = 0;
  private lastTyped: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsavedSince: number | undefined;
  /** A remote change arrived during a save. */
  private hasMissed = false;
  private saving: Promise<void> | undefined;
  /** The draft is gone, or closed to this user: nothing is sent until it is back. */
  private isLost = false;
  /** The user discards the draft here, or has made a new one of it: nothing is explained or kept any more. */
  isEnding = false;
  private readonly listeners = new Set<() => void>();

  constructor(body: RecordBody) {
    this.id = body.id;
    this.files = new DraftFiles(body.id, this.history, () => {
      this.lastTyped = undefined;
      this.set({});
    });
    this.known = contentOf(body);
    this.saved = this.known;
    this.basis = body;
    this.view = {
      body,
      content: this.known,
      reported: body.errors ?? [],
      state: "saved",
      savedAt: null,
      failure: null,
      isRefused: false,
      canUndo: false,
      canRedo: false,
    };
  }

  /** Goes on with a change of an earlier visit that the host refused. @param isThere whether the draft can be read */
  readonly restore = async (change: KeptChange, isThere: boolean) => {
    this.saved = change.saved;
    this.known = change.saved;
    this.unanswered = change.unanswered;
    this.basis = change.basis;
    this.show(change.content);
    if (isThere) this.merge(this.view.body);
    // Where this browser can store nothing more, the earlier copy is the only one.
    if (await this.keepHere(this.view.content, true)) await dropTakenOver(change).catch(() => undefined);
  };

  /** The draft is gone, or closed to this user: what is typed is kept in this browser until the draft is back. */
  readonly setLost = (isLost: boolean) => {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    if (isLost) this.keepUnsaved();
    else void this.save();
  };

  readonly current = () => this.view;

  /** Whether the host has not answered all that the user changed. */
  get isUnsaved(): boolean {
    return this.view.state !== "saved";
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  private set(part: Partial<DraftView>) {
    const { canUndo, canRedo } = this.history;
    this.view = { ...this.view, ...part, canUndo, canRedo };
    for (const listener of this.listeners) listener();
  }

  /** Changes the content. The save follows when typing pauses. */
  readonly change = (next: DraftContent) => {
    const now = performance.now();
    const typed = typedField(this.view.content, next);
    const goesOn = typed !== undefined && typed === this.lastTyped && now - this.lastChange < undoGroupMs;
    if (goesOn) this.history.forgetUndone();
    else this.history.add({ content: this.view.content });
    this.lastChange = now;
    this.lastTyped = typed;
    this.show(next);
  };

  private show(content: DraftContent) {
    this.set({ content, state: "changed" });
    clearTimeout(this.timer);
    this.unsavedSince ??= performance.now();
    const left = this.unsavedSince + maxSaveDelayMs - performance.now();
    this.timer = setTimeout(() => void this.save(), Math.max(0, Math.min(typingMs, left)));
  }

  readonly undo = () => this.step("undo");
  readonly redo = () => this.step("redo");
  private step(direction: Direction) {
    const step = this.history.next(direction);
    if (step === undefined) return;
    this.lastTyped = undefined;
    if ("files" in step) return void this.files.take(step, direction);
    this.history.move(step, direction, { content: this.view.content });
    this.show(step.content);
  }

  /** Saves unsaved changes now. Resolves after the last save was answered. */
  readonly save = async (): Promise<void> => {
    clearTimeout(this.timer);
    this.unsavedSince = undefined;
    if (this.isLost) return void (await this.keepHere(this.view.content, true));
    // One save at a time; several calls may wait for it. It may never be answered.
    if (this.saving !== undefined) this.keepUnsaved();
    while (this.saving !== undefined) await this.saving;
    if (isSame(this.view.content, this.saved) && this.view.state !== "failed") {
      if (this.view.state === "changed") this.set({ state: "saved" });
      return;
    }
    this.saving = this.send(this.view.content).finally(() => {
      this.saving = undefined;
    });
    await this.saving;
  };

  /** The user may leave the page now: the browser keeps what was typed since the last save began. */
  readonly keepUnsaved = () => void this.keepHere(this.view.content, this.isLost || this.view.isRefused);

  /** @returns whether the browser keeps it now. */
  private async keepHere(content: DraftContent, isRefused = this.view.isRefused): Promise<boolean> {
    if (this.isEnding) return false;
    const { saved, basis, editor, sending } = this;
    const { body } = this.view;
    const unanswered = sending ? [...this.unanswered, sending] : this.unanswered;
    const change = { content, saved, basis, unanswered, editor, body };
    return keepChange(this.id, change, isRefused).then(
      () => true,
      () => false,
    );
  }

  private async send(content: DraftContent) {
    this.set({ state: "saving" });
    // The browser keeps what the host has not answered. Where it cannot, the user is warned before they leave.
    await this.keepHere(content);
    try {
      // Not as a query, which would try several times before it fails.
      if (this.unanswered.length > 0) this.take(await readDraft(this.id));
      const { sent, body } = await this.put(this.view.content, maxAttempts);
      this.sending = undefined;
      this.unanswered = [];
      const isLatest = this.view.content === sent;
      const merged = takeMerged(this.view.content, sent, body);
      this.history.rebase((past) => takeMerged(past, sent, body));
      this.saved = isLatest ? merged : takeMerged(sent, sent, body);
      this.known = contentOf(body);
      this.basis = body;
      this.set({
        body,
        content: merged,
        reported: body.errors ?? [],
        state: isLatest ? "saved" : "changed",
        savedAt: new Date(),
        failure: null,
        isRefused: false,
      });
      // What was typed meanwhile is kept by the next save.
      if (isLatest) await dropChange(this.id).catch(() => undefined);
      await this.keep(body);
    } catch (error) {
      const isRefused = isFinal(error);
      this.set({ state: "failed", failure: error instanceof Error ? error.message : String(error), isRefused });
      if (!isRefused) return this.tryAgainLater(error);
      await this.keepHere(this.view.content);
      // The page finds out whether the draft is still there.
      void queryClient.invalidateQueries({ queryKey: draftQuery(this.id).queryKey, exact: true });
    }
  }

  /** A server that cannot be reached is asked again. A replica is on this computer: the user presses "Try again". */
  private tryAgainLater(error: unknown) {
    if (!isWithoutAnswer(error) || !keepsChanges()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), againMs);
  }

  /**
   * Saves on top of the revision that the changes are based on. Changes of others stay; a value that both changed
   * becomes a conflict. If that revision is no longer known, merges the current one first.
   */
  private async put(content: DraftContent, attempts: number): Promise<{ sent: DraftContent; body: RecordBody }> {
    this.sending = content;
    try {
      return { sent: content, body: await saveDraft(this.id, content, { basis: this.basis, editor: this.editor }) };
    } catch (error) {
      this.sending = undefined;
      if (isWithoutAnswer(error)) this.unanswered.push(content);
      if (!(error instanceof ApiFailure) || error.status !== 412 || attempts === 0) throw error;
      const body = await queryClient.fetchQuery({ ...draftQuery(this.id), staleTime: 0 });
      this.take(body);
      this.basis = body;
      return this.put(this.view.content, attempts - 1);
    }
  }

  /** A read that overlapped the save may be older than its answer, so read again. */
  private async keep(body: RecordBody) {
    const { queryKey } = draftQuery(this.id);
    const isDoubtful = this.hasMissed || this.isLost || queryClient.isFetching({ queryKey, exact: true }) > 0;
    this.hasMissed = false;
    await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData(queryKey, body);
    if (isDoubtful) void queryClient.invalidateQueries({ queryKey, exact: true });
    void queryClient.invalidateQueries({ queryKey: ["library"] });
  }

  /**
   * Takes in a body that was read again after a remote change. Not during a save, because it may or may not contain the
   * save. A page may tell of a body late, after a save has replaced it: merging the older one would undo own typing.
   */
  readonly receive = (body: RecordBody) => {
    const latest = queryClient.getQueryData(draftQuery(this.id).queryKey);
    if (latest !== body || isSame(body, this.view.body)) return;
    if (this.saving !== undefined) this.hasMissed = true;
    else this.take(body);
  };

  private take(body: RecordBody) {
    if (!isSame(body, this.view.body)) this.merge(body);
  }

  private merge(body: RecordBody) {
    const incoming = contentOf(body);
    if (this.unanswered.length > 0) {
      // What arrived of a save without an answer. Merged as a change of others, it would be there twice.
      this.saved = arrivedContent(this.saved, this.unanswered, incoming);
      this.known = arrivedContent(this.known, this.unanswered, incoming);
    }
    const content = mergeIncoming(this.view.content, this.saved, this.known, incoming);
    const isClean = this.view.content === this.saved;
    // The host resolves a value set on both sides, so it must know that the user had not seen the other one.
    const isHeld = isDisputed(this.view.content, this.saved, this.known, incoming);
    if (!isHeld) this.basis = body;
    const changed = changesOf(this.known, incoming);
    this.history.rebase((past) => mergeIncoming(past, changed.known, changed.known, changed.incoming));
    this.known = incoming;
    if (isClean) this.saved = content;
    this.set({ body, content });
  }
}
