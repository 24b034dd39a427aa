import { Failure } from "./failure.ts";

/** Bodies up to this size are not counted: the headers of a request may take more memory. */
export const freeBytes = 64 * 1024;
const totalBytes = 64 * 1024 * 1024;
/**
 * All bodies of one caller together. A larger body takes memory that all callers share, one body at a time, so that
 * no caller takes everything.
 */
const callerBytes = 16 * 1024 * 1024;
const isLarge = (bytes: number): boolean => Math.abs(bytes) > callerBytes;
const patienceMs = 30_000;

interface Waiting {
  holder: string | null;
  bytes: number;
  admit(): void;
}

/** Limits the memory that the JSON bodies of all open calls take together. */
export class BodyBudget {
  readonly #held = new Map<string | null, number>();
  #total = 0;
  #isLargeHeld = false;
  #waiting: Waiting[] = [];
  readonly #patienceMs: number;

  constructor(patience = patienceMs) {
    this.#patienceMs = patience;
  }

  /**
   * Waits for memory, first come first served.
   * @param holder user id; all anonymous callers are one holder.
   * @returns a function that releases the memory.
   * @throws Failure 503 when none is free within 30 s.
   */
  async reserve(holder: string | null, bytes: number): Promise<() => void> {
    if (!this.#fits(holder, bytes) || this.#waiting.length > 0) await this.#wait(holder, bytes);
    else this.#add(holder, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(holder, -bytes);
      isHeld = false;
      this.#admitNext();
    };
  }

  #wait(holder: string | null, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        holder,
        bytes,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        const headers = { "Retry-After": "5", Connection: "close" };
        reject(new Failure("unavailable", "Too many large requests are being read. Try again later.", { headers }));
        this.#admitNext();
      }, this.#patienceMs);
      this.#waiting.push(waiting);
      this.#admitNext();
    });
  }

  #fits(holder: string | null, bytes: number): boolean {
    if (isLarge(bytes)) return !this.#isLargeHeld;
    const held = this.#held.get(holder) ?? 0;
    return this.#total + bytes <= totalBytes && held + bytes <= callerBytes;
  }

  #add(holder: string | null, bytes: number): void {
    if (isLarge(bytes)) {
      this.#isLargeHeld = bytes > 0;
      return;
    }
    const held = (this.#held.get(holder) ?? 0) + bytes;
    this.#total += bytes;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }

  /** A caller who waits for their own share does not block others. A caller who waits for the total keeps their place. */
  #admitNext(): void {
    const left: Waiting[] = [];
    let isFull = false;
    for (const waiting of this.#waiting) {
      isFull ||= !isLarge(waiting.bytes) && this.#total + waiting.bytes > totalBytes;
      if ((isFull && !isLarge(waiting.bytes)) || !this.#fits(waiting.holder, waiting.bytes)) {
        left.push(waiting);
        continue;
      }
      this.#add(waiting.holder, waiting.bytes);
      waiting.admit();
    }
    this.#waiting = left;
  }
}
