import { queryClient } from "../../api-client/query-client.ts";
import type { Problem, RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, saveDraft } from "../../api-client/records.ts";
import { contentOf, type DraftContent, isSame, mergeIncoming } from "./draft-content.ts";

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

const typingMs = 600;
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
  private past: DraftContent[] = [];
  private future: DraftContent[] = [];
  private lastChange = 0;
  private lastTyped: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(body: RecordBody) {
    this.id = body.id;
    this.known = contentOf(body);
    this.saved = this.known;
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
    this.timer = setTimeout(() => void this.save(), typingMs);
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
    await this.saving;
    if (isSame(this.view.content, this.saved) && this.view.state !== "failed") {
      if (this.view.state === "changed") this.set({ state: "saved" });
      return;
    }
    this.saving = this.send(this.view.content);
    await this.saving;
    this.saving = undefined;
  };

  private async send(content: DraftContent) {
    this.set({ state: "saving" });
    try {
      const body = await saveDraft(this.id, content);
      this.saved = content;
      this.known = contentOf(body);
      const isLatest = this.view.content === content;
      this.set({
        body,
        reported: body.errors ?? [],
        state: isLatest ? "saved" : "changed",
        savedAt: new Date(),
        failure: null,
      });
      queryClient.setQueryData(draftQuery(this.id).queryKey, body);
      void queryClient.invalidateQueries({ queryKey: ["library"] });
    } catch (error) {
      this.set({ state: "failed", failure: error instanceof Error ? error.message : String(error) });
    }
  }

  /** A body read again, because something changed elsewhere or after a save. */
  readonly receive = (body: RecordBody) => {
    if (body === this.view.body) return;
    const incoming = contentOf(body);
    const content = mergeIncoming(this.view.content, this.saved, this.known, incoming);
    const isClean = this.view.content === this.saved;
    this.known = incoming;
    if (isClean) this.saved = content;
    this.set({ body, content });
  };
}
