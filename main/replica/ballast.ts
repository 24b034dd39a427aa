import { closeSync, existsSync, fstatSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { diskFull, isDiskFull } from "../../shared/kernel/disk-full.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { privateFile } from "../../shared/kernel/private-files.ts";
import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";

const mebibyte = 1024 * 1024;
/** The smallest reserve: enough pages of the write-ahead log to mark operations as sent before a checkpoint. */
const minBytes = 8 * mebibyte;
/** The largest reserve by default; it has room for pages of the feed too. */
const maxMebibytes = 256;
const shareOfFree = 0.01;
/** Size of one write, small enough not to block others. */
const sliceBytes = 8 * mebibyte;

/** The largest reserve, in bytes (`CARREL_BALLAST_MIB`). @throws UsageError */
export function ballastAmong({ CARREL_BALLAST_MIB: text = String(maxMebibytes) }: NodeJS.ProcessEnv): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`CARREL_BALLAST_MIB must be a number of MiB, not '${text}'.`);
  return Number(text) * mebibyte;
}

/** With less free space than this, not even the smallest row can be written. */
const shortBytes = mebibyte;

const fileIn = (folder: string): string => join(folder, "ballast");

const stopsForSpace = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Failure && error.kind === "disk_full");

/**
 * Opens a data folder. If a full disk prevents that, the reserve of the last run is released first.
 * @throws Failure `disk_full` if that is not enough.
 */
export async function openWithReserve<T>(folder: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!stopsForSpace(error)) throw error;
  }
  rmSync(fileIn(folder), { force: true });
  try {
    return await open();
  } catch (error) {
    if (!stopsForSpace(error)) throw error;
    const kept = "Nothing was lost, and what was not sent waits there.";
    const next = `Free at least ${minBytes / mebibyte} MiB on that disk and start again.`;
    throw new Failure("disk_full", `The disk with ${folder} is full, so Carrel cannot start. ${kept} ${next}`);
  }
}

/**
 * Disk space reserved while some is free, and released on a full disk, so that unsent work can still be sent
 * (hosts-and-sync 7): a hundredth of the free space, 8 to 256 MiB. New work is refused until the minimum is reserved
 * again; otherwise it would use the space that sending needs.
 */
export class Ballast {
  readonly #file: string;
  readonly #maxBytes: number;
  #isHeld = false;

  /** @param maxBytes the largest reserve, in bytes; by default the smallest one. */
  constructor(folder: string, maxBytes = minBytes) {
    this.#file = fileIn(folder);
    this.#maxBytes = Math.max(minBytes, maxBytes);
    this.#hold();
  }

  /** Releases the reserve if the error means a full disk. @returns whether that made room. */
  giveBack(error: unknown): boolean {
    return isDiskFull(error) && this.#release();
  }

  /** Refuses new work while there is no reserve, and releases the reserve after a 507 answer. */
  readonly guard: RouteStep = (req, res) => {
    const isReading = req.method === "GET" || req.method === "HEAD";
    // Calls that control sync use the released space.
    if (!isReading && routeOf(req).about === "sync") this.#makeWay();
    else if (!isReading && !this.#hold()) throw diskFull();
    res.once("finish", () => {
      if (res.statusCode === 507) this.#release();
    });
    return false;
  };

  #hold(): boolean {
    if (this.#isHeld) return true;
    try {
      while (this.bytes < minBytes) this.#addSlice();
      this.#isHeld = true;
      this.#grow();
    } catch {
      rmSync(this.#file, { force: true });
    }
    return this.#isHeld;
  }

  /** Releases the reserve if no other space is left. */
  #makeWay(): void {
    if (!this.#isHeld) return;
    const { bavail, bsize } = statfsSync(this.#file);
    if (bavail * bsize < shortBytes) this.#release();
  }

  /** The size of the reserve now. */
  get bytes(): number {
    return existsSync(this.#file) ? statSync(this.#file).size : 0;
  }

  /** Writes real zeros: a hole in the file would reserve nothing. */
  #addSlice(): void {
    const file = openSync(this.#file, "a", privateFile);
    try {
      const missing = sliceBytes - (fstatSync(file).size % sliceBytes);
      writeSync(file, Buffer.alloc(missing));
    } finally {
      closeSync(file);
    }
  }

  /** Grows the reserve to the right size for this disk, one slice at a time. */
  #grow(): void {
    setImmediate(() => {
      try {
        const { bavail, bsize } = statfsSync(this.#file);
        const right = Math.min(this.#maxBytes, bavail * bsize * shareOfFree);
        if (!this.#isHeld || this.bytes + sliceBytes > right) return;
        this.#addSlice();
        this.#grow();
      } catch {
        // The present reserve is enough.
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
