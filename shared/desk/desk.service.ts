import { type Db, transaction } from "../database/open.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import { deleteNote, findNote, listNoteKeys, measureNotes, upsertNote } from "./desk.repository.ts";
import type { Shelf } from "./desk.schema.ts";

const maxNotes = 500;
/** Bytes of all notes of one user. */
const maxBytes = 20_000_000;

/** The notes are JSON text, which is stored and sent as it is: parsing the largest takes longer than a turn may. */
export interface DeskNote {
  key: string;
  text: string;
}

/** Small notes of the app. Each is stored on its own, so that two windows do not overwrite each other. */
export interface DeskService {
  /** The notes of a shelf by key. Reads them one by one, since together they may be large. */
  list(owner: string, shelf: Shelf): AsyncIterable<DeskNote>;
  /** @throws Failure 404. */
  find(owner: string, shelf: Shelf, key: string): Promise<DeskNote>;
  /** @throws Failure 400 if the user has too many notes, or too long ones. */
  keep(owner: string, shelf: Shelf, note: DeskNote): Promise<void>;
  remove(owner: string, shelf: Shelf, key: string): Promise<void>;
}

export function deskService(db: Db): DeskService {
  return {
    async *list(owner, shelf) {
      for (const key of await listNoteKeys(db, owner, shelf)) {
        const text = await findNote(db, owner, shelf, key);
        if (text !== undefined) yield { key, text };
      }
    },
    async find(owner, shelf, key) {
      const text = await findNote(db, owner, shelf, key);
      if (text === undefined) throw notFound();
      return { key, text };
    },
    async keep(owner, shelf, { key, text }) {
      await transaction(db, async (tx) => {
        const { notes, others, isKnown } = await measureNotes(tx, { owner, shelf, key });
        if (!isKnown && notes >= maxNotes)
          throw new Failure("invalid", `At most ${maxNotes} can be kept. Remove some first.`);
        if (others + Buffer.byteLength(text) > maxBytes)
          throw new Failure("invalid", `At most ${maxBytes} bytes can be kept. Remove some first.`);
        await upsertNote(tx, { user_id: owner, shelf, key, value: text });
      });
    },
    async remove(owner, shelf, key) {
      await deleteNote(db, owner, shelf, key);
    },
  };
}
