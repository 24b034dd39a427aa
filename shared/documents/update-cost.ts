import * as Y from "yjs";
import {
  countStored,
  type Deletions,
  isInsideItem,
  type NewPiece,
  nextClock,
  type Row,
  readUpdate,
  rowAround,
  rowUnder,
} from "./yjs-internals.ts";

/** How many items Yjs may pass to apply one update: some tenths of a second. */
const maxSteps = 5_000_000;
/** How many array entries may be shifted because an update splits items: about as long. */
const maxShifts = 100_000_000;

/** How many items a row has, and how many the update adds. */
interface RowSize {
  known: number;
  added: number;
}

/**
 * Whether applying an update could block the thread; computes the worst case. For each new item, Yjs passes all items
 * between the item's two neighbours: a few thousand items with far neighbours take minutes. Where an item or a deletion
 * starts inside another item, Yjs splits that one and shifts all later entries.
 */
export function isTooCostly(doc: Y.Doc, update: Uint8Array): boolean {
  const sent = readUpdate(update);
  const pieces = new NewPieces(doc, sent.pieces);
  let steps = 0;
  // A new item may split two others.
  for (const { known, added } of pieces.rows()) steps += added * (known + 3 * added);
  return steps > maxSteps || pieces.shifts(sent.deletions) > maxShifts;
}

class NewPieces {
  readonly #doc: Y.Doc;
  readonly #pieces: NewPiece[];
  readonly #byClient = new Map<number, NewPiece[]>();
  readonly #rowOf = new Map<NewPiece, string>();
  readonly #rows = new Map<string, RowSize>();

  constructor(doc: Y.Doc, pieces: NewPiece[]) {
    this.#doc = doc;
    this.#pieces = pieces;
    for (const piece of this.#pieces) {
      const { client } = piece.id;
      const others = this.#byClient.get(client);
      if (others) others.push(piece);
      else this.#byClient.set(client, [piece]);
    }
  }

  /** How many array entries are shifted by splits. */
  shifts({ clients }: Deletions): number {
    const parted = new Map<number, number>();
    const part = ({ client, clock }: Y.ID): void => {
      if (this.#isWithin(client, clock)) parted.set(client, (parted.get(client) ?? 0) + 1);
    };
    for (const { origin, rightOrigin } of this.#pieces) {
      if (origin) part(Y.createID(origin.client, origin.clock + 1));
      if (rightOrigin) part(rightOrigin);
    }
    for (const [client, deleted] of clients) {
      for (const { clock, len } of deleted) for (const end of [clock, clock + len]) part(Y.createID(client, end));
    }
    return [...parted].reduce((sum, [client, count]) => {
      const entries = countStored(this.#doc, client);
      return sum + count * (count + entries + (this.#byClient.get(client)?.length ?? 0));
    }, 0);
  }

  /** Whether an item starts before this clock and continues after it. */
  #isWithin(client: number, clock: number): boolean {
    if (clock < nextClock(this.#doc, client)) return isInsideItem(this.#doc, client, clock);
    const found = this.#newPiece(Y.createID(client, clock));
    return found !== undefined && found.id.clock < clock;
  }

  rows(): Iterable<RowSize> {
    for (const piece of this.#pieces) this.#place(piece);
    for (const name of this.#rowOf.values()) {
      const row = this.#rows.get(name);
      if (row) row.added++;
    }
    return this.#rows.values();
  }

  /** An item belongs to the row of its neighbour, which may be new too. */
  #place(piece: NewPiece): void {
    const path: NewPiece[] = [];
    let name: string | undefined;
    for (let at: NewPiece | undefined = piece; at !== undefined && name === undefined; ) {
      name = this.#rowOf.get(at);
      if (name !== undefined) break;
      // Yjs never inserts items that name each other in a circle.
      this.#rowOf.set(at, "");
      path.push(at);
      const neighbour: Y.ID | null = at.origin ?? at.rightOrigin;
      if (neighbour === null) name = this.#row(rowUnder(this.#doc, at));
      else if (neighbour.clock < nextClock(this.#doc, neighbour.client))
        name = this.#row(rowAround(this.#doc, neighbour));
      else at = this.#newPiece(neighbour);
    }
    for (const one of path) this.#rowOf.set(one, name ?? "");
  }

  #newPiece({ client, clock }: Y.ID): NewPiece | undefined {
    const pieces = this.#byClient.get(client) ?? [];
    let [low, high] = [0, pieces.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const piece = pieces[middle];
      if (piece === undefined || clock < piece.id.clock) high = middle - 1;
      else if (clock < piece.id.clock + piece.length) return piece;
      else low = middle + 1;
    }
    return undefined;
  }

  #row(found: Row | undefined): string {
    if (found === undefined) return "";
    if (!this.#rows.has(found.name)) this.#rows.set(found.name, { known: found.countKnown(), added: 0 });
    return found.name;
  }
}
