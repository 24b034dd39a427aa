import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { mergeCommentDrafts } from "../../../shared/comments/comment-draft-merge.ts";
import {
  holdCommentDraft,
  type Keeping,
  keepCommentDraft,
  type UnsentContent,
} from "../../api-client/comment-drafts.ts";
import { showFailure } from "../../components/toast-queue.ts";

const typingMs = 400;
export const blank: CommentDraft = { content: "", files: [] };

export const isBlank = ({ content, files }: CommentDraft) => content === "" && files.length === 0;

export const joined = (drafts: CommentDraft[]): CommentDraft => ({
  content: drafts.map(({ content }) => content).join(""),
  files: drafts.flatMap(({ files }) => files),
});

const idsOf = ({ files }: CommentDraft) => files.map(({ id }) => id).join();
const isSame = (a: CommentDraft, b: CommentDraft) => a.content === b.content && idsOf(a) === idsOf(b);

/** The rendered state of an editor. */
interface Drawn {
  draft: CommentDraft;
  /** The stored content at rendering. */
  kept: CommentDraft;
}

/**
 * The content of an editor, stored by the local API and merged with other windows. Changes are relative to `#base`, the
 * stored content last seen.
 */
export class KeptEditor {
  readonly #request: string;
  readonly #place: string;
  readonly #show: (draft: CommentDraft | null) => void;
  /** The changed content; null while the stored content is shown. */
  #typed: CommentDraft | null = null;
  #base = blank;
  #drawn: Drawn = { draft: blank, kept: blank };
  /** The editor's text, which follows `#typed` after rendering. */
  #text = "";
  readonly #underWay = new Map<CommentDraft, () => void>();
  // A change that the local API has not confirmed. A request may not arrive if the window closes.
  #unsaved: { timer: ReturnType<typeof setTimeout>; sending?: Promise<void> } | undefined;

  constructor(request: string, place: string, show: (draft: CommentDraft | null) => void) {
    this.#request = request;
    this.#place = place;
    this.#show = show;
  }

  get latest(): CommentDraft {
    return this.#typed ?? this.#drawn.draft;
  }

  /** Called after rendering. */
  drawn(drawn: Drawn): void {
    this.#drawn = drawn;
    this.#text = drawn.draft.content;
  }

  /** Takes in stored content that was read again. Called before anything else is stored. */
  read(kept: CommentDraft): void {
    // The local API merges the next change.
    if (this.#typed === null || this.#underWay.size > 0) return;
    const merged = mergeCommentDrafts(this.#base, this.#typed, kept);
    this.#base = kept;
    if (!isSame(merged, kept)) this.change(merged);
    else this.#set(isBlank(merged) ? null : merged);
  }

  /** The user changed the text. */
  write(content: string): void {
    const { latest } = this;
    const typed = { ...latest, content };
    const isAhead = this.#text !== latest.content;
    this.change(isAhead ? mergeCommentDrafts({ ...latest, content: this.#text }, typed, latest) : typed);
    this.#text = content;
  }

  change(draft: CommentDraft): void {
    if (this.#typed === null) this.#base = this.#drawn.kept;
    this.#set(draft);
    clearTimeout(this.#unsaved?.timer);
    this.#unsaved = { timer: setTimeout(() => void this.flush(false), typingMs) };
  }

  /** Stores pending content at once. @returns resolves when that is done or has failed. */
  async flush(isLeaving: boolean): Promise<void> {
    const waiting = this.#unsaved;
    if (!waiting || (waiting.sending && !isLeaving)) return waiting?.sending;
    clearTimeout(waiting.timer);
    const done = () => {
      if (this.#unsaved === waiting) this.#unsaved = undefined;
    };
    const keeping: Keeping = {
      content: () => this.#unsent(),
      onKept: (sent, kept) => this.#takeIn(sent, kept),
      isLeaving,
    };
    waiting.sending = keepCommentDraft(this.#request, this.#place, keeping).catch(showFailure).then(done);
    return waiting.sending;
  }

  /** Takes the content out for sending. Later typing is a new comment. Both stay stored. */
  take(): CommentDraft {
    const draft = { ...this.latest };
    this.#underWay.set(draft, holdCommentDraft(this.#request, this.#place));
    this.change(blank);
    return draft;
  }

  /** The taken content is done; stores what is left. */
  arrive(draft: CommentDraft, left: CommentDraft): void {
    const release = this.#underWay.get(draft);
    this.#underWay.delete(draft);
    this.change(left);
    void this.flush(false);
    release?.();
  }

  /** What to store, and the stored content that it changes; undefined while the stored content is shown. */
  #unsent(): UnsentContent | undefined {
    if (this.#typed === null && this.#underWay.size === 0) return undefined;
    return { draft: joined([...this.#underWay.keys(), this.latest]), base: this.#base };
  }

  #set(draft: CommentDraft | null): void {
    this.#typed = draft;
    this.#show(draft);
  }

  /** @param kept the stored content after the local API merged `sent`. */
  #takeIn(sent: CommentDraft, kept: CommentDraft): void {
    // During sending, an addition of another window would count as part of the comment.
    this.#base = this.#underWay.size > 0 ? sent : kept;
    if (this.#underWay.size > 0 || this.#typed === null || isSame(sent, kept)) return;
    this.#set(mergeCommentDrafts(sent, this.#typed, kept));
  }
}
