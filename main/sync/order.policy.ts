import { createDraft, editPublished, newVersion } from "../../shared/drafts/draft.schema.ts";
import { putReview, submitReview } from "../../shared/requests/request.schema.ts";
import { announcedBy, madeBy, neededBy } from "./part.policy.ts";

/** What the order depends on. */
export interface Ordered {
  id: string;
  kind: string;
  object_id: string;
  aggregate_kind: string;
  aggregate_id: string;
  state: "pending" | "sending" | "applied" | "rejected" | "delivered";
  /** The family under review. A decision on a request waits for unsent files and edits of its draft. */
  topic?: string | null;
  /** The payload as JSON. */
  payload?: string;
  /** 1: the draft that this operation creates is here already, created elsewhere or once more by the user. */
  has_draft?: 0 | 1;
}

/** Commands that create an object. Later operations on it depend on them. */
const creatingCommands = new Set<string>([createDraft.name, newVersion.name, editPublished.name, putReview.name]);

type Sent = Pick<Ordered, "kind" | "payload">;

/** An edit of the order of files or of the preview file. It names files, which must exist. */
const namesFiles = ({ kind, payload }: Sent): boolean =>
  kind === "draft.edit" && (payload?.includes('"path":["files"') ?? false);

/** Queues within an object. Operations of different queues do not depend on each other. */
const lanesOf = (operation: Sent): string[] => {
  const { kind, payload = "" } = operation;
  if (kind.startsWith("file.") || kind.startsWith("files.")) return ["files"];
  if (kind === "draft.edit") return namesFiles(operation) ? ["document", "files"] : ["document"];
  if (kind.startsWith("access-")) return ["access"];
  if (kind.startsWith("attachment.")) return ["attachments"];
  // A comment goes after its files, and does not wait for others.
  if (kind.startsWith("comment.")) return payload.includes('"file_id"') ? ["comments", "attachments"] : ["comments"];
  return ["all"];
};

/** The queue of an operation's own object, and of the family that it also waits for. */
const queuesOf = ({ aggregate_kind, aggregate_id, topic }: Ordered): [own: string, topic?: string] => {
  const own = `${aggregate_kind}:${aggregate_id}`;
  return topic ? [own, `family:${topic}`] : [own];
};

/** Whether the earlier of two operations on one object must be sent first. */
export function needs(later: Sent, earlier: Sent): boolean {
  if (creatingCommands.has(earlier.kind)) return true;
  const [a, b] = [lanesOf(later), lanesOf(earlier)];
  return a.includes("all") || b.includes("all") || a.some((lane) => b.includes(lane));
}

/** Whether this submits the review that another operation gives to the draft. The server knows its id by the draft. */
const submits = (kind: string, draftId: string, review: Ordered): boolean =>
  kind === submitReview.name && draftId === review.object_id;

/** Whether an operation depends on what a creating operation on the same object creates. */
function buildsOn({ aggregate_id, object_id, kind, payload }: Ordered, creation: Ordered): boolean {
  // These create the whole object. Other creations add a draft to a family that exists already.
  if (creation.kind === createDraft.name) return true;
  if (creation.kind === putReview.name)
    return aggregate_id === creation.aggregate_id || submits(kind, object_id, creation);
  // The published record exists. Access to it and its next version do not depend on its draft.
  if (creation.kind === editPublished.name && (kind.startsWith("access-") || kind === newVersion.name)) return false;
  return object_id === creation.object_id || (payload?.includes(JSON.stringify(creation.object_id)) ?? false);
}

/** Whether later operations depend on this rejected one. They do not if its draft exists anyway. */
const isRequired = ({ kind, has_draft }: Ordered): boolean =>
  creatingCommands.has(kind) && !(kind === editPublished.name && has_draft === 1);

/** Entries by queue. A creation counts in both of its queues. */
class Queues<T> {
  readonly #entries = new Map<string, T[]>();

  of(operation: Ordered): T[] {
    return queuesOf(operation).flatMap((queue) => this.#entries.get(queue ?? "") ?? []);
  }

  add(operation: Ordered, entry: T): void {
    for (const queue of queuesOf(operation))
      if (queue !== undefined) this.#entries.set(queue, [...(this.#entries.get(queue) ?? []), entry]);
  }

  drop(operation: Ordered, isDropped: (entry: T) => boolean): void {
    for (const queue of queuesOf(operation)) {
      const entries = this.#entries.get(queue ?? "") ?? [];
      this.#entries.set(
        queue ?? "",
        entries.filter((entry) => !isDropped(entry)),
      );
    }
  }
}

/** Unsent operations that depend on a rejected one, with that one. */
export function waitingForRefused<T extends Ordered>(operations: readonly T[]): Map<T, T> {
  const parts = new Map<string | undefined, T>();
  const blocked = new Queues<{ creation: T; refused: T }>();
  const waiting = new Map<T, T>();
  for (const operation of operations) {
    const blocking = blocked.of(operation);
    const isRefused = operation.state === "rejected";
    const making = parts.size > 0 ? parts.get(neededBy(operation)) : undefined;
    const needed = blocking.find(({ creation }) => buildsOn(operation, creation))?.refused ?? making;
    const refused = isRefused ? operation : needed;
    // Another reviewer was chosen after a refused choice: what is submitted is the new review.
    if (refused === undefined && operation.kind === putReview.name)
      blocked.drop(operation, ({ creation }) => submits(submitReview.name, operation.object_id, creation));
    if (refused === undefined) continue;
    if (!isRefused) waiting.set(operation, refused);
    for (const id of [...announcedBy(operation), ...madeBy(operation)]) parts.set(id, refused);
    if (isRequired(operation)) blocked.add(operation, { creation: operation, refused });
  }
  return waiting;
}

/**
 * Which unsent operations may be sent now: a graph, not a queue (design, sync 1.3). An operation waits only for those
 * that it depends on, so an edit of the title does not wait for the upload of a large file. What builds on a creation
 * is not sent in one batch with it: if the server refuses the creation, the rest waits for the user and is not refused.
 * @param operations unsent and rejected ones, oldest first.
 * @param isReady whether an operation's own needs are met, such as its blobs on the server.
 */
export function sendable<T extends Ordered>(operations: readonly T[], isReady: (operation: T) => boolean): T[] {
  const held = new Map<string, Ordered[]>();
  // Families with a held decision. What is about a whole draft, such as another review or publishing, goes after it.
  const undecided = new Set<string>();
  const creations = new Queues<Ordered>();
  const made = new Set<string | undefined>();
  const waiting = waitingForRefused(operations);
  const ready: T[] = [];
  for (const operation of operations) {
    if (operation.state === "rejected" || waiting.has(operation)) continue;
    const [own, topic] = queuesOf(operation);
    const before = [...(held.get(own) ?? []), ...(held.get(topic ?? "") ?? [])];
    const isFree =
      !before.some((earlier) => needs(operation, earlier)) &&
      !(lanesOf(operation).includes("all") && undecided.has(topic ?? own)) &&
      !creations.of(operation).some((creation) => buildsOn(operation, creation)) &&
      !(made.size > 0 && made.has(neededBy(operation)));
    if (!isFree || !isReady(operation)) {
      held.set(own, [...(held.get(own) ?? []), operation]);
      if (topic !== undefined) undecided.add(topic);
    } else {
      ready.push(operation);
      if (creatingCommands.has(operation.kind)) creations.add(operation, operation);
      for (const id of madeBy(operation)) made.add(id);
    }
  }
  return ready;
}

/** Unsent operations that wait for others which are not ready, though they are ready themselves. */
export function waitingForOthers<T extends Ordered>(
  operations: readonly T[],
  isReady: (operation: T) => boolean,
): Set<T> {
  const free = new Set(sendable(operations, isReady));
  return new Set(sendable(operations, () => true).filter((operation) => isReady(operation) && !free.has(operation)));
}
