import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { diskFull, isDiskFull } from "../../shared/kernel/disk-full.ts";

/** Enough for marking what is sent: pages of the log, until it begins anew. */
const sizeBytes = 8 * 1024 * 1024;

/** Steering of the sending works on what was given back. */
const isSteering = (path: string): boolean => path.startsWith("/api/sync/");

/**
 * Space that is held while there is some, and given back on a full disk, so that what was done before can still be sent
 * (hosts-and-sync 7). As long as it cannot be held again, new work is refused: else it would eat what sending needs.
 */
export class Ballast {
  readonly #file: string;
  #isHeld = false;

  constructor(folder: string) {
    this.#file = join(folder, "ballast");
    this.#hold();
  }

  /** @returns whether an error is that of a full disk, and there is more room now than before. */
  giveBack(error: unknown): boolean {
    return isDiskFull(error) && this.#release();
  }

  /** Refuses new work while nothing is held; gives back what is held once an answer was 507. */
  readonly guard: RequestHandler = (req, res, next) => {
    const isReading = ["GET", "HEAD", "OPTIONS"].includes(req.method);
    if (!isReading && !isSteering(req.path) && !this.#hold()) throw diskFull();
    res.once("finish", () => {
      if (res.statusCode === 507) this.#release();
    });
    next();
  };

  #hold(): boolean {
    if (this.#isHeld) return true;
    try {
      writeFileSync(this.#file, Buffer.alloc(sizeBytes));
      this.#isHeld = true;
    } catch {
      rmSync(this.#file, { force: true });
    }
    return this.#isHeld;
  }

  #release(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    rmSync(this.#file, { force: true });
    return wasHeld;
  }
}
