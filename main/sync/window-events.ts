import type { Request, Response } from "express";
import { type ChangedObject, EventStream } from "../../shared/live-events/event-stream.ts";

/** Events to the windows of this computer: `status`, `changed` and `presence` (hosts-and-sync 5). */
export class WindowEvents {
  readonly #stream = new EventStream();
  /** Who has each draft open, for windows that connect later. */
  readonly #people = new Map<string, unknown[]>();
  readonly #readStatus: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;

  /** @param readStatus reads the body of a `status` event. */
  constructor(readStatus: () => Promise<unknown>) {
    this.#readStatus = readStatus;
  }

  get hasListeners(): boolean {
    return this.#stream.size > 0;
  }

  open(req: Request, res: Response): void {
    const listener = this.#stream.open(req, res);
    if (listener === undefined) return;
    for (const [draft, people] of this.#people) listener.send("presence", { draft, people });
    this.announceStatus();
  }

  sendChanges(objects: ChangedObject[]): void {
    for (const { kind, id } of objects) this.#stream.send("changed", { kind, id });
  }

  /** Sends who has a draft open now. */
  people(draft: string, people: unknown[]): void {
    if (people.length > 0) this.#people.set(draft, people);
    else this.#people.delete(draft);
    this.#stream.send("presence", { draft, people });
  }

  /** Sends one event for several status changes in a short time. */
  announceStatus(): void {
    if (this.#timer || !this.hasListeners) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#readStatus().then(
        (status) => this.#stream.send("status", status),
        () => this.close(),
      );
    }, 100);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stream.close();
  }
}
