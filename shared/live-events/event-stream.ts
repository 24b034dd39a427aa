import type { Request, Response } from "express";

/** Unread bytes of one window. A window that does not read is disconnected; it connects again and reads everything. */
const maxUnreadBytes = 256 * 1024;
const heartbeatMs = 20_000;

/** An object that changed. */
export interface ChangedObject {
  kind: string;
  id: string;
}

/** One window that listens. */
export interface Listener {
  /** Aborted when the window stopped listening. */
  readonly gone: AbortSignal;
  send(event: string, body: unknown): void;
  end(): void;
}

/** Server-sent events to the windows of the app (hosts-and-sync 5). */
export class EventStream {
  readonly #listeners = new Set<Listener>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Opens a stream. @returns the listener; undefined for HEAD, which has no body. */
  open(req: Request, res: Response): Listener | undefined {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store", Connection: "keep-alive" });
    if (req.method === "HEAD") return void res.end();
    const gone = new AbortController();
    const write = (text: string) => {
      if (res.writableLength > maxUnreadBytes) res.destroy();
      else if (!res.writableEnded) res.write(text);
    };
    const listener: Listener = {
      gone: gone.signal,
      send: (event, body) => write(`event: ${event}\ndata: ${JSON.stringify(body)}\n\n`),
      end: () => void res.end(),
    };
    write(": carrel\n\n");
    this.#listeners.add(listener);
    const heartbeat = setInterval(() => write(": still here\n\n"), heartbeatMs);
    res.once("close", () => {
      clearInterval(heartbeat);
      this.#listeners.delete(listener);
      gone.abort();
    });
    return listener;
  }

  /** Sends an event to the windows, or to those that are chosen. */
  send(event: string, body: unknown, isMeant: (listener: Listener) => boolean = () => true): void {
    for (const listener of this.#listeners) if (isMeant(listener)) listener.send(event, body);
  }

  close(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }
}
