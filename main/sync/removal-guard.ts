import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { countBases, keyOf, listHeld } from "./base.repository.ts";
import { listDiscarded } from "./operation.repository.ts";
import { assertAdvances } from "./validate-answer.ts";

/** The server would remove most objects of this replica. Nothing was removed. */
export class MassRemoval extends Error {
  constructor(count: number) {
    super(`The server wants to remove ${count} of your records and requests from this computer. Resume to let it.`);
  }
}

const minRemoved = 20;

/** @param removed how many objects go, of those `held` here. */
export function assertNoMassRemoval(removed: number, held: number): void {
  if (removed > minRemoved && removed > held / 2) throw new MassRemoval(removed);
}

/** What a page and the pages after it remove, as far as they were fetched. */
interface Lookahead {
  /** Cursor at the end of the page. */
  cursor: string;
  next: string | undefined;
  removed: ObjectRef[];
  seq: number;
}

const removedBy = (page: FeedPage): ObjectRef[] =>
  page.changes.filter(({ state }) => state === "deleted").map(({ kind, id }) => ({ kind, id }));

/** Asks the user before the server removes most objects: it may have lost them (hosts-and-sync 7). */
export class RemovalGuard {
  readonly #db: Db;
  #lookahead: Lookahead | undefined;
  /** Feed position up to which all pages were checked. */
  #checkedSeq = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The server has a new epoch, so earlier feed positions mean nothing. */
  reset(): void {
    this.#lookahead = undefined;
    this.#checkedSeq = 0;
  }

  /**
   * Checks a page before it is applied. If the page removes an object that is here, the pages after it are fetched
   * first, since a mass removal may span pages. Objects that the user discarded do not count. After a lost connection
   * the check resumes.
   * @param after fetches the page after a cursor
   * @throws MassRemoval.
   */
  async check(page: FeedPage, after: (cursor: string) => Promise<FeedPage>): Promise<void> {
    if (page.seq <= this.#checkedSeq) return;
    const removed = removedBy(page);
    if (removed.length === 0 || (await listHeld(this.#db, removed)).size === 0) return;
    const lookahead =
      this.#lookahead?.cursor === page.cursor ? this.#lookahead : { ...ahead(page), cursor: page.cursor, removed };
    this.#lookahead = lookahead;
    while (lookahead.next !== undefined) {
      const later = await after(lookahead.next);
      assertAdvances(later, lookahead.next);
      // Keeps only objects that are here, which bounds the list.
      const held = await listHeld(this.#db, removedBy(later));
      lookahead.removed.push(...removedBy(later).filter((ref) => held.has(keyOf(ref))));
      Object.assign(lookahead, ahead(later));
    }
    this.#lookahead = undefined;
    const own = await listDiscarded(this.#db);
    const others = lookahead.removed.filter((ref) => !own.has(keyOf(ref)));
    assertNoMassRemoval((await listHeld(this.#db, others)).size, await countBases(this.#db));
    this.#checkedSeq = lookahead.seq;
  }
}

const ahead = ({ more, cursor, seq }: FeedPage): Pick<Lookahead, "next" | "seq"> => ({
  next: more ? cursor : undefined,
  seq,
});
