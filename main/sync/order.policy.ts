/** What order needs to know of an operation. */
export interface Ordered {
  id: string;
  kind: string;
  object_id: string;
  aggregate_kind: string;
  aggregate_id: string;
  state: "pending" | "sending" | "applied" | "rejected" | "delivered";
  /** The family that a decision on a request is about: it waits for files and edits of the draft under review. */
  topic?: string | null;
  /** What is sent, as JSON. */
  payload?: string;
}

/** Commands that bring an object into being: without them nothing later on it makes sense. */
const creating = new Set(["draft.create", "draft.new-version", "draft.edit-published", "review.put"]);

/** An edit of the order of files or of the one shown first: it names files, which must be there. */
const namesFiles = ({ kind, payload }: Ordered): boolean =>
  kind === "draft.edit" && (payload?.includes('"path":["files"') ?? false);

/** Commands of which the order among themselves counts, and which do not touch what others touch. */
const lanesOf = (operation: Ordered): string[] => {
  const { kind } = operation;
  if (kind.startsWith("file.") || kind.startsWith("files.")) return ["files"];
  if (kind === "draft.edit") return namesFiles(operation) ? ["document", "files"] : ["document"];
  if (kind.startsWith("access-")) return ["access"];
  if (kind.startsWith("comment.")) return ["comments"];
  return ["all"];
};

/** Where an operation stands in the order, and where else it looks for what it needs. */
const placesOf = ({ aggregate_kind, aggregate_id, topic }: Ordered): [own: string, topic?: string] => {
  const own = `${aggregate_kind}:${aggregate_id}`;
  return topic ? [own, `family:${topic}`] : [own];
};

/** Whether the later operation must not be sent before the earlier one has been. */
function needs(later: Ordered, earlier: Ordered): boolean {
  if (creating.has(earlier.kind)) return true;
  const [a, b] = [lanesOf(later), lanesOf(earlier)];
  return a.includes("all") || b.includes("all") || a.some((lane) => b.includes(lane));
}

/** Whether an operation is about what the other one, on the same object, was to bring into being. */
function buildsOn({ object_id, kind, payload }: Ordered, creation: Ordered): boolean {
  // These bring the whole object into being; another draft of a family stands beside what the family has already.
  if (creation.kind === "draft.create" || creation.kind === "review.put") return true;
  // The record to be edited is there, and who may reach it is not said in the draft.
  if (creation.kind === "draft.edit-published" && kind.startsWith("access-")) return false;
  return object_id === creation.object_id || (payload?.includes(JSON.stringify(creation.object_id)) ?? false);
}

/** Those that wait for a refused one: they go when it has gone, or never. */
export function waitingForRefused<T extends Ordered>(operations: readonly T[]): Map<T, T> {
  const blocked = new Map<string, { creation: T; refused: T }[]>();
  const waiting = new Map<T, T>();
  for (const operation of operations) {
    const [own, topic] = placesOf(operation);
    const there = [...(blocked.get(own) ?? []), ...(blocked.get(topic ?? "") ?? [])];
    const isRefused = operation.state === "rejected";
    const refused = isRefused ? operation : there.find(({ creation }) => buildsOn(operation, creation))?.refused;
    if (refused === undefined) continue;
    if (!isRefused) waiting.set(operation, refused);
    if (creating.has(operation.kind)) {
      blocked.set(own, [...(blocked.get(own) ?? []), { creation: operation, refused }]);
    }
  }
  return waiting;
}

/**
 * Which unsent operations may go now: not a queue but a graph (design, sync 1.3). One waits only for those on the same
 * object that it needs: an edit of the title does not wait for the upload of a large file.
 * @param operations unsent and refused ones, in the order in which they were made.
 * @param isReady whether an operation has all it needs itself, such as its bytes on the server.
 */
export function sendable<T extends Ordered>(operations: readonly T[], isReady: (operation: T) => boolean): T[] {
  const held = new Map<string, Ordered[]>();
  const stuck = waitingForRefused(operations);
  const ready: T[] = [];
  for (const operation of operations) {
    if (operation.state === "rejected" || stuck.has(operation)) continue;
    const [own, topic] = placesOf(operation);
    const before = [...(held.get(own) ?? []), ...(held.get(topic ?? "") ?? [])];
    if (!before.some((earlier) => needs(operation, earlier)) && isReady(operation)) ready.push(operation);
    else held.set(own, [...(held.get(own) ?? []), operation]);
  }
  return ready;
}
