import { Failure } from "../kernel/failure.ts";

/** Most editors whose last save is remembered; the one that saved longest ago is forgotten first. */
const mostEditors = 5000;

interface Save {
  /** The open editor that saves; undefined for callers that name none. */
  editor?: string | undefined;
  /** The revision on which the save is based. */
  ifMatch?: number | undefined;
  prefersMerge?: boolean;
}

/**
 * The revisions that the last saves of editors made, in this process. A save that does not know of the last one of its own
 * editor is late, or an answer was lost: merged like a change of somebody else, its text would be stored twice.
 */
export class LastSaves {
  readonly #revisions = new Map<string, number>();

  /** @param revision which the save made. */
  note(draft: string, user: string | null, { editor }: Save, revision: number): void {
    if (editor === undefined) return;
    const key = `${draft} ${user} ${editor}`;
    this.#revisions.delete(key);
    this.#revisions.set(key, revision);
    const oldest = this.#revisions.keys().next().value;
    if (this.#revisions.size > mostEditors && oldest !== undefined) this.#revisions.delete(oldest);
  }

  /** @throws Failure 412 for a save to be merged that does not know of the last one of its editor. */
  assertKnown(draft: string, user: string | null, { editor, ifMatch, prefersMerge }: Save): void {
    if (!prefersMerge || editor === undefined || ifMatch === undefined) return;
    if ((this.#revisions.get(`${draft} ${user} ${editor}`) ?? 0) <= ifMatch) return;
    throw new Failure("stale", "An earlier save of this editor has arrived meanwhile. Read the draft again.");
  }
}
