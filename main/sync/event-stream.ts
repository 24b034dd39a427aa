import type { Request, Response } from "express";

/** Server-sent events to the windows of the app: `status`, `changed` and `presence` (hosts-and-sync 5). */
export class EventStream {
  readonly #listeners = new Set<Response>();
  /** Who has each draft open, for windows that connect later. */
  readonly #people = new Map<string, unknown[]>();
  readonly #readStatus: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;

  /** @param readStatus reads the body of a `status` event. */
  constructor(readStatus: () => Promise<unknown>) {
    this.#readStatus = readStatus;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  open(req: Request, res: Response): void {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store", Connection: "keep-alive" });
    if (req.method === "HEAD") return void res.end();
    res.write(": carrel\n\n");
    for (const [draft, sendPeople] of this.#people) res.write(frame("presence", { draft, people: sendPeople }));
    this.#listeners.add(res);
    const heartbeat = setInterval(() => res.write(": still here\n\n"), 20_000);
    req.once("close", () => {
      clearInterval(heartbeat);
      this.#listeners.delete(res);
    });
    this.announceStatus();
  }

  sendChanges(objects: { kind: string; id: string }[]): void {
    for (const object of objects) this.#send("changed", object);
  }

  /** Sends who has a draft open now. */
  people(draft: string, people: unknown[]): void {
    if (people.length > 0) this.#people.set(draft, people);
    else this.#people.delete(draft);
    this.#send("presence", { draft, people });
  }

  /** Sends one event for several status changes in a short time. */
  announceStatus(): void {
    if (this.#timer || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#readStatus().then(
        (status) => this.#send("status", status),
        () => this.close(),
      );
    }, 100);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const reader of this.#listeners) reader.end();
    this.#listeners.clear();
  }

  #send(event: string, body: unknown): void {
    for (const reader of this.#listeners) reader.write(frame(event, body));
  }
}

const frame = (event: string, body: unknown) => `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
