import type { FileEntry, FileName } from "../../api-client/record-types.ts";
import { deleteFiles } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { showFailure } from "../../components/toast-queue.ts";
import { type FileRemoval, RemovalStep, RenameStep, removalsOf } from "./file-steps.ts";
import type { Direction, FileStep, UndoHistory } from "./undo-history.ts";

/** Changes of an open draft's files, each one step of its history. */
export class DraftFiles {
  readonly #draftId: string;
  readonly #history: UndoHistory;
  readonly #onStep: () => void;

  /** @param onStep called after each change of the history */
  constructor(draftId: string, history: UndoHistory, onStep: () => void) {
    this.#draftId = draftId;
    this.#history = history;
    this.#onStep = onStep;
  }

  #add(files: FileStep) {
    this.#history.add({ files });
    this.#onStep();
  }

  /** Undoes or redoes a step. A failure is shown in the corner. */
  async take(step: { files: FileStep }, direction: Direction) {
    const isDone = this.#history.hold();
    this.#onStep();
    try {
      await step.files[direction]();
      this.#history.move(step, direction, step);
    } catch (error) {
      showFailure(error);
      // What is gone stays gone, and a taken name stays taken; anything else can be tried again.
      if (error instanceof ApiFailure && [400, 404].includes(error.status)) this.#history.forget(step);
    } finally {
      isDone();
      this.#onStep();
    }
  }

  /** Removes files in one step. Unfinished uploads alone leave no step. @throws ApiFailure as the API. */
  async remove(entries: readonly FileEntry[]): Promise<FileStep | undefined> {
    await deleteFiles(
      this.#draftId,
      entries.map(({ key }) => key),
    );
    const files = removalsOf(entries);
    if (files.length === 0) return undefined;
    const step = new RemovalStep(this.#draftId, files);
    this.#add(step);
    return step;
  }

  /** Renames or moves files in one step. @throws ApiFailure as the API. */
  async rename(names: FileName[]): Promise<FileStep> {
    const step = new RenameStep(this.#draftId, names);
    await step.redo();
    this.#add(step);
    return step;
  }

  /** Undoes a change of files, and removes it from the history. @throws ApiFailure as the API. */
  async undo(step: FileStep) {
    await step.undo();
    this.#history.forgetFiles(step);
    this.#onStep();
  }

  /**
   * Restores a removed file; its removal leaves the history.
   * @returns its name, which differs if its own was taken meanwhile.
   * @throws ApiFailure 404 if it is no longer kept.
   */
  async restore(file: FileRemoval): Promise<string> {
    const step = new RemovalStep(this.#draftId, [file]);
    await step.undo();
    this.#history.forgetRemoval(file.versionId);
    this.#onStep();
    return step.files[0]?.key ?? file.key;
  }
}
