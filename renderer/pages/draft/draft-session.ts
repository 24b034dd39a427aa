import { queryClient } from "../../api-client/query-client.ts";
import type { Problem, RecordBody } from "../../api-client/record-types.ts";
import { type DraftBasis, draftQuery, saveDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { contentOf, type DraftContent, isDisputed, isSame, mergeIncoming, takeMerged } from "./draft-content.ts";

export interface DraftView {
  body: RecordBody;
  content: DraftContent;
  /** What the last save reported. */
  reported: Problem[];
  state: "saved" | "changed" | "saving" | "failed";
  savedAt: Date | null;
  failure: string | null;
  canUndo: boolean;
  canRedo: boolean;
}

const typingMs = 300;
/** Who goes on typing is saved all the same. */
const longestMs = 900;
const mostAttempts = 5;
const undoGroupMs = 900;
const undoDepth = 100;

/** The one text field in which two contents differ: letters typed into it are undone together. */
function typedField(before: DraftContent, after: DraftContent): string | undefined {
  const keys = new Set([...Object.keys(before.metadata), ...Object.keys(after.metadata)]);
  const changed = [...keys].filter((key) => before.metadata[key] !== after.metadata[key]);
  const [key = ""] = changed;
  return changed.length === 1 && typeof (after.metadata[key] ?? before.metadata[key]) === "string" ? key : undefined;
}

/**
 * One opened draft: what is being typed, saved as a whole a moment after each change. A save is never refused
 * for metadata (records 3.3); its answer brings problems, and never overwrites what is in the fields.
 */
export class DraftSession {
  readonly id: string;
  private view: DraftView;
  private saved: DraftContent;
  private known: DraftContent;
  /** What was shown when that was made what is not saved yet; what is later, once nothing in it is disputed. */
  private basis: DraftBasis;
  private past: DraftContent[] = [];
  private future: DraftContent[] = [];
  private lastChange = 0;
  private lastTyped: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsavedSince: number | undefined;
  /** Something changed elsewhere while a save was under way. */
  private hasMissed = false;
  private saving: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(body: RecordBody) {
    this.id = body.id;
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
      canUndo: false,
      canRedo: false,
    };
  }

  readonly current = () => this.view;
  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  private set(part: Partial<DraftView>) {
    this.view = { ...this.view, ...part, canUndo: this.past.length > 0, canRedo: this.future.length > 0 };
    for (const listener of this.listeners) listener();
  }

  /** Changes the content; the save follows when typing pauses. */
  readonly change = (next: DraftContent) => {
    const now = performance.now();
    const typed = typedField(this.view.content, next);
    const goesOn = typed !== undefined && typed === this.lastTyped && now - this.lastChange < undoGroupMs;
    if (!goesOn) this.past = [...this.past.slice(-undoDepth), this.view.content];
    this.lastChange = now;
    this.lastTyped = typed;
    this.future = [];
    this.show(next);
  };

  private show(content: DraftContent) {
    this.set({ content, state: "changed" });
    clearTimeout(this.timer);
    this.unsavedSince ??= performance.now();
    const left = this.unsavedSince + longestMs - performance.now();
    this.timer = setTimeout(() => void this.save(), Math.max(0, Math.min(typingMs, left)));
  }

  readonly undo = () => this.step(this.past, this.future);
  readonly redo = () => this.step(this.future, this.past);
  private step(from: DraftContent[], to: DraftContent[]) {
    const content = from.pop();
    if (!content) return;
    to.push(this.view.content);
    this.lastTyped = undefined;
    this.show(content);
  }

  /** Saves now what is not saved yet; resolves when the last save has been answered. */
  readonly save = async (): Promise<void> => {
    clearTimeout(this.timer);
    this.unsavedSince = undefined;
    // One save at a time: several may be waiting for the one under way.
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

  private async send(content: DraftContent) {
    this.set({ state: "saving" });
    try {
      const { sent, body } = await this.put(content, mostAttempts);
      const isLatest = this.view.content === sent;
      const merged = takeMerged(this.view.content, sent, body);
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
      });
      await this.keep(body);
    } catch (error) {
      this.set({ state: "failed", failure: error instanceof Error ? error.message : String(error) });
    }
  }

  /**
   * Saves over the revision that the changes were made of: what somebody else has written since stays, of one field that
   * both changed too (the person's own value is then kept as a conflict). If that revision is not known any more, the
   * other's changes are taken in first.
   */
  private async put(content: DraftContent, attempts: number): Promise<{ sent: DraftContent; body: RecordBody }> {
    try {
      return { sent: content, body: await saveDraft(this.id, content, this.basis) };
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 412 || attempts === 0) throw error;
      const body = await queryClient.fetchQuery({ ...draftQuery(this.id), staleTime: 0 });
      this.take(body);
      this.basis = body;
      return this.put(this.view.content, attempts - 1);
    }
  }

  /** What is being read while a save is answered may be older than the answer: it is read once more. */
  private async keep(body: RecordBody) {
    const { queryKey } = draftQuery(this.id);
    const isDoubtful = this.hasMissed || queryClient.isFetching({ queryKey, exact: true }) > 0;
    this.hasMissed = false;
    await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData(queryKey, body);
    if (isDoubtful) void queryClient.invalidateQueries({ queryKey, exact: true });
    void queryClient.invalidateQueries({ queryKey: ["library"] });
  }

  /** A body read again, because something changed elsewhere. Not while a save is under way: whether it holds the save is not known. */
  readonly receive = (body: RecordBody) => {
    if (isSame(body, this.view.body)) return;
    if (this.saving !== undefined) this.hasMissed = true;
    else this.take(body);
  };

  private take(body: RecordBody) {
    if (isSame(body, this.view.body)) return;
    const incoming = contentOf(body);
    const content = mergeIncoming(this.view.content, this.saved, this.known, incoming);
    const isClean = this.view.content === this.saved;
    // Of one value set on both sides the host decides, who must be told that this person had not seen the other's.
    const isHeld = isDisputed(this.view.content, this.saved, this.known, incoming);
    if (!isHeld) this.basis = body;
    this.known = incoming;
    if (isClean) this.saved = content;
    this.set({ body, content });
  }
}
