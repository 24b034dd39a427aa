import type { RecordValues } from "./record-values.ts";

type Compare = (left: number, right: number) => number;
type Column = "created" | "updated" | "versionIndex" | "views" | "downloads";

/** An order of documents. */
interface Order {
  compare: Compare;
  /** The first key of each document. It decides for most of them. */
  keys: Float64Array | Int32Array;
  /** 1: smaller keys come first; -1: greater ones. */
  direction: 1 | -1;
  /** The second key: greater ones come first. */
  created: Float64Array;
}

const directions: Readonly<Record<string, readonly [Column, 1 | -1]>> = {
  newest: ["created", -1],
  oldest: ["created", 1],
  "updated-desc": ["updated", -1],
  "updated-asc": ["updated", 1],
  version: ["versionIndex", -1],
  mostviewed: ["views", -1],
  mostdownloaded: ["downloads", -1],
};

/** Scores by number of the document. Only those of the documents being ordered are current. */
let scored = new Float64Array(0);

/** The first `count` documents by a sort option. `scores` holds the score of each, for `bestmatch`. */
export function firstBy(
  values: RecordValues,
  sort: string,
  docs: Uint32Array,
  count: number,
  scores = new Float64Array(0),
): number[] {
  if (sort === "bestmatch") {
    if (scored.length < values.size) scored = new Float64Array(values.size);
    for (let at = 0; at < docs.length; at += 1) scored[docs[at] ?? 0] = scores[at] ?? 0;
  }
  return firstOf(docs, count, recordOrder(values, sort, scored));
}

/** Orders documents by an option; equal ones by `created`, the newest first, then by id, so that no two are equal. */
function recordOrder(values: RecordValues, sort: string, scores: Float64Array): Order {
  const [name, direction] = directions[sort] ?? ["created", -1];
  const keys = sort === "bestmatch" ? scores : values[name];
  const { created, ids } = values;
  const compare: Compare = (a, b) => {
    const order = ((keys[a] ?? 0) - (keys[b] ?? 0)) * direction || (created[b] ?? 0) - (created[a] ?? 0);
    if (order !== 0) return order;
    const [left, right] = [ids[a] ?? "", ids[b] ?? ""];
    return left < right ? -1 : left > right ? 1 : a - b;
  };
  return { compare, keys, direction, created };
}

/** The first `count` of the documents in order, without sorting the rest: a heap whose top is the worst kept. */
function firstOf(docs: Uint32Array, count: number, { compare, keys, direction, created }: Order): number[] {
  if (docs.length <= count) return [...docs].sort(compare);
  // Numbers mostly follow the order. From the better end, nearly all the rest are refused at once.
  const isDescending = compare(docs.at(-1) ?? 0, docs[0] ?? 0) < 0;
  const step = isDescending ? -1 : 1;
  let place = isDescending ? docs.length - 1 : 0;
  const heap: number[] = [];
  for (; heap.length < count; place += step) heap.push(docs[place] ?? 0);
  for (let at = (count >> 1) - 1; at >= 0; at -= 1) sink(heap, at, compare);
  let worst = heap[0] ?? 0;
  let bound = (keys[worst] ?? 0) * direction;
  for (let left = docs.length - count; left > 0; left -= 1, place += step) {
    const doc = docs[place] ?? 0;
    const key = (keys[doc] ?? 0) * direction;
    if (key > bound || (key === bound && (created[doc] ?? 0) < (created[worst] ?? 0))) continue;
    if (compare(doc, worst) >= 0) continue;
    heap[0] = doc;
    sink(heap, 0, compare);
    worst = heap[0];
    bound = (keys[worst] ?? 0) * direction;
  }
  return heap.sort(compare);
}

function sink(heap: number[], from: number, compare: Compare): void {
  let at = from;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && compare(heap[child] ?? 0, heap[worst] ?? 0) > 0) worst = child;
    }
    if (worst === at) return;
    [heap[at], heap[worst]] = [heap[worst] ?? 0, heap[at] ?? 0];
    at = worst;
  }
}
