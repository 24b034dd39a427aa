/** What order needs to know of an operation. */
export interface Ordered {
  id: string;
  kind: string;
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

/** Those that wait for a refused one: they go when it has gone, or never. */
export function waitingForRefused<T extends Ordered>(operations: readonly T[]): Map<T, T> {
  const refused = new Map<string, T>();
  const waiting = new Map<T, T>();
  for (const operation of operations) {
    const [own, topic] = placesOf(operation);
    const first = refused.get(own) ?? refused.get(topic ?? "");
    if (operation.state === "rejected" && creating.has(operation.kind)) refused.set(own, operation);
    else if (operation.state !== "rejected" && first) waiting.set(operation, first);
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
  const ready: T[] = [];
  for (const operation of operations) {
    const [own, topic] = placesOf(operation);
    const before = [...(held.get(own) ?? []), ...(held.get(topic ?? "") ?? [])];
    const isRefused = operation.state === "rejected";
    const waits = isRefused ? creating.has(operation.kind) : before.some((earlier) => needs(operation, earlier));
    if (!isRefused && !waits && isReady(operation)) ready.push(operation);
    else if (!isRefused || waits) held.set(own, [...(held.get(own) ?? []), operation]);
  }
  return ready;
}
