import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommentDraft } from "../../shared/comments/comment-draft.schema.ts";
import { mergeCommentDrafts } from "../../shared/comments/comment-draft-merge.ts";
import { Random } from "../support/random.ts";

type KeptEditor = InstanceType<typeof import("../../renderer/pages/request/kept-editor.ts").KeptEditor>;
type Api = typeof import("../../renderer/api-client/comment-drafts.ts");

const blank: CommentDraft = { content: "", files: [] };

/** Unsent comments of the local API. Requests arrive, and answers return, when the test says so. */
class Host {
  stored = blank;
  readonly #waiting: { window: number; happen: () => void }[] = [];
  readonly onChanged: () => void;
  constructor(onChanged: () => void) {
    this.onChanged = onChanged;
  }

  get isQuiet(): boolean {
    return this.#waiting.length === 0;
  }

  /** A request: `handle` runs when it arrives; the promise resolves when the answer does. */
  request<T>(window: number, handle: () => T): Promise<T> {
    return new Promise((resolve) => {
      const arrive = () => {
        const answer = structuredClone(handle());
        this.#waiting.push({ window, happen: () => resolve(answer) });
      };
      this.#waiting.push({ window, happen: arrive });
    });
  }

  put({ content, base }: { content: string; base: CommentDraft }): { body: CommentDraft } {
    const before = this.stored;
    this.stored = mergeCommentDrafts(base, { content, files: [] }, before);
    if (this.stored.content !== before.content) this.onChanged();
    return { body: this.stored };
  }

  /** The next request or answer of a window. */
  next(window: number): void {
    const at = this.#waiting.findIndex((one) => one.window === window);
    if (at >= 0) this.#waiting.splice(at, 1)[0]?.happen();
  }
}

const paragraphsOf = (html: string): string[] => {
  const all = [...html.matchAll(/<p>(.*?)<\/p>/g)].map((match) => match[1] ?? "");
  return all.length > 0 ? all : [""];
};

const htmlOf = (paragraphs: string[]): string =>
  paragraphs.join("") === "" ? "" : paragraphs.map((words) => `<p>${words}</p>`).join("");

/** A window with an editor of paragraphs, whose cursor follows the changes of others. React renders when the test says so. */
class Window {
  /** The paragraphs, separated by line breaks. */
  text = "";
  editor!: KeptEditor;
  api!: Api;
  mustRender = true;
  /** Whether the other window changed the stored text. */
  mustRead = false;
  #isReading = false;
  #cursor = 0;
  #typed = 0;
  #reported = "";
  #shown: CommentDraft | null = null;
  #kept = blank;
  readonly #words: string;
  constructor(words: string) {
    this.#words = words;
  }

  get isDone(): boolean {
    return this.#typed === this.#words.length && !this.mustRender && !this.mustRead && !this.#isReading;
  }

  async load(host: Host, window: number): Promise<void> {
    vi.resetModules();
    vi.doMock("../../renderer/components/toast-queue.ts", () => ({ showFailure: vi.fn() }));
    vi.doMock("../../renderer/api-client/request.ts", () => ({
      get: () => host.request(window, () => host.stored),
      call: (_method: string, _path: string, { body }: { body: { content: string; base: CommentDraft } }) =>
        host.request(window, () => host.put(body)),
    }));
    const { KeptEditor } = await import("../../renderer/pages/request/kept-editor.ts");
    this.api = await import("../../renderer/api-client/comment-drafts.ts");
    this.editor = new KeptEditor("request", "", (draft) => {
      this.#shown = draft;
      this.mustRender = true;
    });
    this.api.onCommentDraftRead("request", "", (read) => {
      this.#kept = read;
      this.mustRender = true;
      this.editor.read(read);
    });
    this.render();
  }

  type(): void {
    const letter = this.#words[this.#typed];
    if (letter === undefined) return;
    this.#typed++;
    this.text = this.text.slice(0, this.#cursor) + letter + this.text.slice(this.#cursor);
    this.#cursor++;
    this.#reported = htmlOf(this.text.split("\n"));
    this.editor.write(this.#reported);
  }

  render(): void {
    this.mustRender = false;
    const draft = this.#shown ?? this.#kept;
    if (draft.content !== this.#reported) {
      this.#reported = draft.content;
      this.#replace(paragraphsOf(draft.content).join("\n"));
    }
    this.editor.drawn({ draft, kept: this.#kept });
  }

  /** Replaces the part that differs, as `replaceText` does. */
  #replace(next: string): void {
    const before = this.text;
    const limit = Math.min(before.length, next.length);
    let start = 0;
    while (start < limit && before[start] === next[start]) start++;
    let end = 0;
    while (end < limit - start && before.at(-1 - end) === next.at(-1 - end)) end++;
    if (this.#cursor > start) this.#cursor = Math.max(this.#cursor + next.length - before.length, next.length - end);
    this.text = next;
  }

  read(): void {
    if (!this.mustRead || this.#isReading) return;
    this.mustRead = false;
    this.#isReading = true;
    const { queryFn } = this.api.commentDraftQuery("request", "");
    void (queryFn as () => Promise<CommentDraft>)().then(() => {
      this.#isReading = false;
    });
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Both windows type, while requests, answers and renderings come in a random order. */
async function typeInBoth(seed: number): Promise<Window[]> {
  const random = new Random(seed);
  const windows = [new Window("alpha beta gamma"), new Window("one two three")];
  const host = new Host(() => {
    for (const window of windows) window.mustRead = true;
  });
  for (const [at, window] of windows.entries()) await window.load(host, at);
  const isOver = () => host.isQuiet && windows.every(({ isDone }) => isDone);
  let quiet = 0;
  for (let step = 0; step < 20_000 && quiet < 50; step++) {
    const at = random.below(2);
    const window = windows[at] as Window;
    const what = random.next();
    if (what < 0.25) window.type();
    else if (what < 0.5) window.render();
    else if (what < 0.7) host.next(at);
    else if (what < 0.85) window.read();
    else await vi.advanceTimersByTimeAsync(100);
    for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    quiet = isOver() ? quiet + 1 : 0;
  }
  expect(quiet, `seed ${seed} comes to an end`).toBe(50);
  return windows;
}

test("typing in both windows at once loses no words and doubles none, whatever the order of the answers (fault 12)", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const [one, two] = await typeInBoth(seed);
    expect(one?.text.split("\n").sort(), `seed ${seed}`).toEqual(["alpha beta gamma", "one two three"]);
    expect(two?.text, `seed ${seed}: both windows show the same`).toBe(one?.text);
  }
});
