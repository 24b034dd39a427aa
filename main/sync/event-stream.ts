import type { Request, Response } from "express";

/** Server-sent events to the windows of the app: `status`, `changed` and `presence` (hosts-and-sync 5). */
export class EventStream {
  readonly #readers = new Set<Response>();
  /** Who is at each draft that windows have open, for a window that listens later. */
  readonly #people = new Map<string, unknown[]>();
  readonly #readStatus: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;

  /** @param readStatus what a `status` event carries. */
  constructor(readStatus: () => Promise<unknown>) {
    this.#readStatus = readStatus;
  }

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#readers.size > 0;
  }

  open(req: Request, res: Response): void {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store", Connection: "keep-alive" });
    if (req.method === "HEAD") return void res.end();
    res.write(": carrel\n\n");
    for (const [draft, people] of this.#people) res.write(frame("presence", { draft, people }));
    this.#readers.add(res);
    const beat = setInterval(() => res.write(": still here\n\n"), 20_000);
    req.once("close", () => {
      clearInterval(beat);
      this.#readers.delete(res);
    });
    this.announceStatus();
  }

  changed(objects: { kind: string; id: string }[]): void {
    for (const object of objects) this.#send("changed", object);
  }

  /** Who is at a draft now. */
  people(draft: string, people: unknown[]): void {
    if (people.length > 0) this.#people.set(draft, people);
    else this.#people.delete(draft);
    this.#send("presence", { draft, people });
  }

  /** Several changes of the status in a short while are told once. */
  announceStatus(): void {
    if (this.#timer || this.#readers.size === 0) return;
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
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  #send(event: string, body: unknown): void {
    for (const reader of this.#readers) reader.write(frame(event, body));
  }
}

const frame = (event: string, body: unknown) => `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
