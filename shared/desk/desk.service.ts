import { type Db, transaction } from "../database/open.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import { deleteNote, findNote, listNotes, measureNotes, upsertNote } from "./desk.repository.ts";
import type { Shelf } from "./desk.schema.ts";

const mostNotes = 500;
/** Characters of all notes of one user. */
const mostCharacters = 50_000_000;

export interface DeskNote {
  key: string;
  value: unknown;
}

/** Small notes of the app. Each is stored on its own, so that two windows do not overwrite each other. */
export interface DeskService {
  list(owner: string, shelf: Shelf): Promise<DeskNote[]>;
  /** @throws Failure 404. */
  find(owner: string, shelf: Shelf, key: string): Promise<DeskNote>;
  /** @throws Failure 400 if the user has too many notes. */
  keep(owner: string, shelf: Shelf, note: DeskNote): Promise<DeskNote>;
  remove(owner: string, shelf: Shelf, key: string): Promise<void>;
}

export function deskService(db: Db): DeskService {
  return {
    async list(owner, shelf) {
      return (await listNotes(db, owner, shelf)).map(({ key, value }) => ({ key, value: JSON.parse(value) }));
    },
    async find(owner, shelf, key) {
      const row = await findNote(db, owner, shelf, key);
      if (row === undefined) throw notFound();
      return { key, value: JSON.parse(row.value) };
    },
    async keep(owner, shelf, note) {
      const value = JSON.stringify(note.value);
      await transaction(db, async (tx) => {
        const known = await findNote(tx, owner, shelf, note.key);
        const { notes, size } = await measureNotes(tx, owner, shelf);
        const isTooMany = known === undefined && notes >= mostNotes;
        if (isTooMany || size - (known?.value.length ?? 0) + value.length > mostCharacters)
          throw new Failure("invalid", `At most ${mostNotes} can be kept. Remove some first.`);
        await upsertNote(tx, { user_id: owner, shelf, key: note.key, value });
      });
      return note;
    },
    async remove(owner, shelf, key) {
      await deleteNote(db, owner, shelf, key);
    },
  };
}
