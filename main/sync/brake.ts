import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { countBases, keyOf, listHeld } from "./base.repository.ts";
import { listDiscarded } from "./operation.repository.ts";

/** Most of what is here would be removed; nothing of it was. */
export class MassRemoval extends Error {
  constructor(count: number) {
    super(`The server wants to remove ${count} of your records and requests from this computer. Resume to let it.`);
  }
}

const fewest = 20;

/** @param removed objects that go, of those `held` here. */
export function assertFew(removed: number, held: number): void {
  if (removed > fewest && removed > held / 2) throw new MassRemoval(removed);
}

/** What a page and those after it take away, as far as they were looked at. */
interface Outlook {
  /** Where the page ends. */
  of: string;
  next: string | undefined;
  removed: ObjectRef[];
  seq: number;
}

const removedBy = (page: FeedPage): ObjectRef[] =>
  page.changes.filter(({ state }) => state === "deleted").map(({ kind, id }) => ({ kind, id }));

/** A server that takes most of everything away may have lost it: the person is asked first (hosts-and-sync 7). */
export class Brake {
  readonly #db: Db;
  #outlook: Outlook | undefined;
  /** Feed position up to which all was judged. */
  #judged = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The server lives another life: its positions mean something else. */
  reset(): void {
    this.#outlook = undefined;
    this.#judged = 0;
  }

  /**
   * Judges a page before it is put in. Where it takes away something that is here, those after it are looked at first:
   * most of a removal may be in them. What the person discarded here herself does not count. On a line that breaks this goes on where it was.
   * @param after fetches the page after a cursor
   * @throws MassRemoval.
   */
  async judge(page: FeedPage, after: (cursor: string) => Promise<FeedPage>): Promise<void> {
    if (page.seq <= this.#judged) return;
    const removed = removedBy(page);
    if (removed.length === 0 || (await listHeld(this.#db, removed)).size === 0) return;
    const outlook = this.#outlook?.of === page.cursor ? this.#outlook : { ...ahead(page), of: page.cursor, removed };
    this.#outlook = outlook;
    while (outlook.next !== undefined) {
      const later = await after(outlook.next);
      outlook.removed.push(...removedBy(later));
      Object.assign(outlook, ahead(later));
    }
    this.#outlook = undefined;
    const own = await listDiscarded(this.#db);
    const others = outlook.removed.filter((ref) => !own.has(keyOf(ref)));
    assertFew((await listHeld(this.#db, others)).size, await countBases(this.#db));
    this.#judged = outlook.seq;
  }
}

const ahead = ({ more, cursor, seq }: FeedPage): Pick<Outlook, "next" | "seq"> => ({
  next: more ? cursor : undefined,
  seq,
});
