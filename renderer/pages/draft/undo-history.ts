import type { DraftContent } from "./draft-content.ts";

/** A change of a draft's files that can be undone and redone. */
export interface FileStep {
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** Called when a removed file was restored elsewhere. @returns whether the step has nothing left to undo. */
  forget?(versionId: string): boolean;
}

/** One step of the history: the content before a change, or a change of the files. */
export type Step = { content: DraftContent } | { files: FileStep };
export type Direction = "undo" | "redo";

const depth = 100;

/** The steps of an open draft that can be undone and redone. */
export class UndoHistory {
  #past: Step[] = [];
  #future: Step[] = [];
  /** Number of new steps so far. After a new step, earlier undone steps cannot be redone. */
  #changes = 0;
  #heldAt: number | undefined;

  get canUndo(): boolean {
    return this.#past.length > 0 && this.#heldAt === undefined;
  }

  get canRedo(): boolean {
    return this.#future.length > 0 && this.#heldAt === undefined;
  }

  add(step: Step): void {
    this.#past = [...this.#past.slice(-depth), step];
    this.forgetUndone();
  }

  /** Applies a change of another user to the content of every step, so that no undo reverts it. */
  rebase(withChanges: (content: DraftContent) => DraftContent): void {
    const rebased = (step: Step): Step => ("files" in step ? step : { content: withChanges(step.content) });
    this.#past = this.#past.map(rebased);
    this.#future = this.#future.map(rebased);
  }

  /** Called for a change that belongs to the last step: nothing can be redone after it. */
  forgetUndone(): void {
    this.#future = [];
    this.#changes += 1;
  }

  /** The step that comes next; undefined without one, or while one is under way. */
  next(direction: Direction): Step | undefined {
    if (this.#heldAt !== undefined) return undefined;
    return (direction === "undo" ? this.#past : this.#future).at(-1);
  }

  /** No other step begins until the returned function is called. */
  hold(): () => void {
    this.#heldAt = this.#changes;
    return () => {
      this.#heldAt = undefined;
    };
  }

  /** Moves a step to the other side of the history. `opposite` reverts it. */
  move(step: Step, direction: Direction, opposite: Step): void {
    this.forget(step);
    if (direction === "redo") this.#past.push(opposite);
    // After a change that was made meanwhile, nothing can be redone.
    else if (this.#heldAt === undefined || this.#heldAt === this.#changes) this.#future.push(opposite);
  }

  forget(step: Step): void {
    this.#past = this.#past.filter((one) => one !== step);
    this.#future = this.#future.filter((one) => one !== step);
  }

  forgetFiles(files: FileStep): void {
    const step = this.#past.find((one) => "files" in one && one.files === files);
    if (step) this.forget(step);
  }

  /** Removes the step of a removed file that was restored elsewhere. */
  forgetRemoval(versionId: string): void {
    for (const step of this.#past) if ("files" in step && step.files.forget?.(versionId)) this.forget(step);
  }
}
