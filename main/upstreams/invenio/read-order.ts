import type { TheirRecord } from "./read/their-record.ts";

/**
 * Whether a draft was read before a save of it was stored. Such a state may be older than the save, and would look as if
 * somebody had put the former values back. Revisions cannot decide this: the server may restart them (F1).
 */
export class ReadOrder {
  readonly #saves = new Map<string, number>();
  readonly #savesBefore = new WeakMap<TheirRecord, number>();

  #savesOf(id: string): number {
    return this.#saves.get(id) ?? 0;
  }

  /** Reads a draft and notes which saves were stored before. */
  async read(id: string, read: () => Promise<TheirRecord | undefined>): Promise<TheirRecord | undefined> {
    const before = this.#savesOf(id);
    const theirs = await read();
    if (theirs) this.#savesBefore.set(theirs, before);
    return theirs;
  }

  noteSave(id: string): void {
    this.#saves.set(id, this.#savesOf(id) + 1);
  }

  /** Whether a save was stored since the read of this state began. The answer to a save was never read. */
  isOld(theirs: TheirRecord): boolean {
    const before = this.#savesBefore.get(theirs);
    return before !== undefined && before < this.#savesOf(theirs.id);
  }
}
