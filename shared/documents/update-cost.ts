import * as Y from "yjs";

/** How many items Yjs may pass to apply one update: some tenths of a second. */
const mostSteps = 5_000_000;
/** How many array entries may be shifted because an update splits items: about as long. */
const mostShifts = 100_000_000;

type SharedType = Y.AbstractType<unknown>;

/** The items of one text or map key. Yjs searches them to insert a new item. */
interface Row {
  known: number;
  added: number;
}

/**
 * Whether applying an update could block the thread; computes the worst case. For each new item, Yjs passes all items
 * between the item's two neighbours: a few thousand items with far neighbours take minutes. Where an item or a deletion
 * starts inside another item, Yjs splits that one and shifts all later entries.
 */
export function isTooCostly(doc: Y.Doc, update: Uint8Array): boolean {
  const { structs, ds } = Y.decodeUpdate(update);
  const pieces = new NewPieces(doc, structs);
  let steps = 0;
  // A new item may split two others.
  for (const { known, added } of pieces.rows()) steps += added * (known + 3 * added);
  return steps > mostSteps || pieces.shifts(ds) > mostShifts;
}

class NewPieces {
  readonly #doc: Y.Doc;
  readonly #pieces: Y.Item[];
  readonly #byClient = new Map<number, Y.Item[]>();
  readonly #rowOf = new Map<Y.Item, string>();
  readonly #rows = new Map<string, Row>();

  constructor(doc: Y.Doc, structs: readonly unknown[]) {
    this.#doc = doc;
    this.#pieces = structs.filter((struct) => struct instanceof Y.Item);
    for (const piece of this.#pieces) {
      const { client } = piece.id;
      const others = this.#byClient.get(client);
      if (others) others.push(piece);
      else this.#byClient.set(client, [piece]);
    }
  }

  /** How many array entries are shifted by splits. */
  shifts({ clients }: Y.Transaction["deleteSet"]): number {
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
      const entries = this.#doc.store.clients.get(client)?.length ?? 0;
      return sum + count * (count + entries + (this.#byClient.get(client)?.length ?? 0));
    }, 0);
  }

  /** Whether an item starts before this clock and continues after it. */
  #isWithin(client: number, clock: number): boolean {
    const structs = this.#doc.store.clients.get(client) ?? [];
    const isKnown = clock < Y.getState(this.#doc.store, client);
    const found = isKnown ? structs[Y.findIndexSS(structs, clock)] : this.#newPiece(Y.createID(client, clock));
    return found instanceof Y.Item && found.id.clock < clock;
  }

  rows(): Iterable<Row> {
    for (const piece of this.#pieces) this.#place(piece);
    for (const name of this.#rowOf.values()) {
      const row = this.#rows.get(name);
      if (row) row.added++;
    }
    return this.#rows.values();
  }

  /** An item belongs to the row of its neighbour, which may be new too. */
  #place(piece: Y.Item): void {
    const path: Y.Item[] = [];
    let name: string | undefined;
    for (let at: Y.Item | undefined = piece; at !== undefined && name === undefined; ) {
      name = this.#rowOf.get(at);
      if (name !== undefined) break;
      // Yjs never inserts items that name each other in a circle.
      this.#rowOf.set(at, "");
      path.push(at);
      const neighbour: Y.ID | null = at.origin ?? at.rightOrigin;
      if (neighbour === null) name = this.#rowUnder(at);
      else if (neighbour.clock < Y.getState(this.#doc.store, neighbour.client)) name = this.#rowAround(neighbour);
      else at = this.#newPiece(neighbour);
    }
    for (const one of path) this.#rowOf.set(one, name ?? "");
  }

  #newPiece({ client, clock }: Y.ID): Y.Item | undefined {
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

  /** The row of the first item of a text or key, which names its parent. */
  #rowUnder({ parent, parentSub }: Y.Item): string {
    if (!(parent instanceof Y.ID)) return this.#row(undefined, `root/${parentSub}`, parentSub);
    const isKnown = parent.clock < Y.getState(this.#doc.store, parent.client);
    const holder: unknown = isKnown ? Y.getItem(this.#doc.store, parent) : undefined;
    const type = holder instanceof Y.Item && holder.content instanceof Y.ContentType ? holder.content.type : undefined;
    return this.#row(type, `${parent.client}:${parent.clock}/${parentSub}`, parentSub);
  }

  #rowAround(id: Y.ID): string {
    const item: unknown = Y.getItem(this.#doc.store, id);
    // Items inside deleted items are dropped at once.
    if (!(item instanceof Y.Item)) return "";
    const type = item.parent as SharedType;
    const holder = type._item?.id;
    const sub = item.parentSub;
    return this.#row(type, holder ? `${holder.client}:${holder.clock}/${sub}` : `root/${sub}`, sub);
  }

  #row(type: SharedType | undefined, name: string, sub: string | null): string {
    if (this.#rows.has(name)) return name;
    let known = 0;
    if (sub === null) for (let item = type?._start ?? null; item !== null; item = item.right) known++;
    else for (let item = type?._map.get(sub) ?? null; item !== null; item = item.left) known++;
    this.#rows.set(name, { known, added: 0 });
    return name;
  }
}
