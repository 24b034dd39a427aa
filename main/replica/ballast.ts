import { closeSync, existsSync, fstatSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { diskFull, isDiskFull } from "../../shared/kernel/disk-full.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";

const mebibyte = 1024 * 1024;
/** Enough for marking what is sent: pages of the log, until it begins anew. */
const leastBytes = 8 * mebibyte;
/** Room for pages of the feed beside that. */
const mostMebibytes = 256;
const shareOfFree = 0.01;
/** Written in one go, so that nothing is held up for long. */
const sliceBytes = 8 * mebibyte;

/** The most that is to be held, in bytes (`CARREL_BALLAST_MIB`). @throws UsageError */
export function ballastAmong({ CARREL_BALLAST_MIB: text = String(mostMebibytes) }: NodeJS.ProcessEnv): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`CARREL_BALLAST_MIB must be a number of MiB, not '${text}'.`);
  return Number(text) * mebibyte;
}

/** With less than this even the smallest note cannot be made. */
const shortBytes = mebibyte;

/** Steering of the sending works on what was given back. */
const isSteering = (path: string): boolean => path.startsWith("/api/sync/");

/**
 * Space that is held while there is some, and given back on a full disk, so that what was done before can still be sent
 * (hosts-and-sync 7): a hundredth of what is free, 8 to 256 MiB. As long as the least cannot be held again, new work is
 * refused: else it would eat what sending needs.
 */
export class Ballast {
  readonly #file: string;
  readonly #mostBytes: number;
  #isHeld = false;

  /** @param most bytes, where the share of the free space is more; the least by itself. */
  constructor(folder: string, most = leastBytes) {
    this.#file = join(folder, "ballast");
    this.#mostBytes = Math.max(leastBytes, most);
    this.#hold();
  }

  /** @returns whether an error is that of a full disk, and there is more room now than before. */
  giveBack(error: unknown): boolean {
    return isDiskFull(error) && this.#release();
  }

  /** Refuses new work while nothing is held; gives back what is held once an answer was 507. */
  readonly guard: RequestHandler = (req, res, next) => {
    const isReading = ["GET", "HEAD", "OPTIONS"].includes(req.method);
    if (!isReading && isSteering(req.path)) this.#makeWay();
    else if (!isReading && !this.#hold()) throw diskFull();
    res.once("finish", () => {
      if (res.statusCode === 507) this.#release();
    });
    next();
  };

  #hold(): boolean {
    if (this.#isHeld) return true;
    try {
      while (this.#bytes() < leastBytes) this.#addSlice();
      this.#isHeld = true;
      this.#grow();
    } catch {
      rmSync(this.#file, { force: true });
    }
    return this.#isHeld;
  }

  /** Gives back what is held where nothing else is left. */
  #makeWay(): void {
    if (!this.#isHeld) return;
    const { bavail, bsize } = statfsSync(this.#file);
    if (bavail * bsize < shortBytes) this.#release();
  }

  #bytes(): number {
    return existsSync(this.#file) ? statSync(this.#file).size : 0;
  }

  /** Zeros, written out: a hole in the file would hold nothing. */
  #addSlice(): void {
    const file = openSync(this.#file, "a");
    try {
      const missing = sliceBytes - (fstatSync(file).size % sliceBytes);
      writeSync(file, Buffer.alloc(missing));
    } finally {
      closeSync(file);
    }
  }

  /** Up to what is right for this disk, a slice at a time. */
  #grow(): void {
    setImmediate(() => {
      try {
        const { bavail, bsize } = statfsSync(this.#file);
        const right = Math.min(this.#mostBytes, bavail * bsize * shareOfFree);
        if (!this.#isHeld || this.#bytes() + sliceBytes > right) return;
        this.#addSlice();
        this.#grow();
      } catch {
        // What is held already will do.
      }
    });
  }

  #release(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    rmSync(this.#file, { force: true });
    return wasHeld;
  }
}
