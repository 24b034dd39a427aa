import type { RecordValues } from "./record-values.ts";

type Order = (left: number, right: number) => number;
type Column = "created" | "updated" | "versionIndex" | "views" | "downloads";

/** Options of records and user records (search 7). */
export const recordSorts = [
  "bestmatch",
  "newest",
  "oldest",
  "updated-desc",
  "updated-asc",
  "version",
  "mostviewed",
  "mostdownloaded",
];

/** Compares two documents by an option; ends with the id, so no two are equal. */
export function recordOrder(values: RecordValues, sort: string, scores: Float64Array): Order {
  const column =
    (name: Column, direction: 1 | -1): Order =>
    (a, b) =>
      ((values[name][a] ?? 0) - (values[name][b] ?? 0)) * direction;
  const created = column("created", -1);
  const chains: Record<string, Order[]> = {
    bestmatch: [(a, b) => (scores[b] ?? 0) - (scores[a] ?? 0), created],
    newest: [created],
    oldest: [column("created", 1)],
    "updated-desc": [column("updated", -1)],
    "updated-asc": [column("updated", 1)],
    version: [column("versionIndex", -1), created],
    mostviewed: [column("views", -1), created],
    mostdownloaded: [column("downloads", -1), created],
  };
  const chain = chains[sort] ?? [created];
  return (a, b) => {
    for (const order of chain) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    const [left, right] = [values.ids[a] ?? "", values.ids[b] ?? ""];
    return left < right ? -1 : left > right ? 1 : a - b;
  };
}

/** The first `count` of the documents in order, without sorting the rest: a heap whose top is the worst kept. */
export function firstOf(docs: readonly number[], count: number, order: Order): number[] {
  if (docs.length <= count) return [...docs].sort(order);
  // Documents are numbered as they come: begun at the better end, nearly all of the rest are refused at once.
  const isDescending = order(docs.at(-1) ?? 0, docs[0] ?? 0) < 0;
  const at = (place: number): number => docs[isDescending ? docs.length - 1 - place : place] ?? 0;
  const heap = Array.from({ length: count }, (_, place) => at(place));
  for (let place = (count >> 1) - 1; place >= 0; place -= 1) sink(heap, place, order);
  for (let place = count; place < docs.length; place += 1) {
    const doc = at(place);
    if (order(doc, heap[0] ?? 0) >= 0) continue;
    heap[0] = doc;
    sink(heap, 0, order);
  }
  return heap.sort(order);
}

function sink(heap: number[], from: number, order: Order): void {
  let at = from;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && order(heap[child] ?? 0, heap[worst] ?? 0) > 0) worst = child;
    }
    if (worst === at) return;
    [heap[at], heap[worst]] = [heap[worst] ?? 0, heap[at] ?? 0];
    at = worst;
  }
}
