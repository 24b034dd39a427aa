import type { Logger } from "pino";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { type Keeping, keepingSchema } from "../../shared/sync-protocol/keeping.schema.ts";
import type { Transfer } from "../../shared/sync-protocol/sync-status.schema.ts";
import { Bell } from "./backoff.ts";
import type { SyncEngine } from "./engine.ts";
import type { EventStream } from "./event-stream.ts";
import { Pace } from "./pace.ts";
import { recall, remember } from "./person.repository.ts";
import { type FilePlace, listKept } from "./storage.repository.ts";
import { freeStorage, listCached } from "./storage.ts";

const [pieceBytes, againAfterMs, quietMs] = [8 * 1024 * 1024, 60_000, 5000];

/** What has arrived of a file is an upload named after it: a later start goes on with it. */
const pieceOf = (sha256: string): string => `kept-${sha256}`;
export const isKeptPiece = (uploadId: string): boolean => uploadId.startsWith("kept-");

interface KeeperOptions {
  db: Db;
  engine: SyncEngine;
  /** The bytes on this computer. */
  disk: DiskBlobStore;
  /** The same, with the server's behind them. */
  blobs: BlobStore;
  log: Logger;
  events: EventStream;
}

/**
 * Keeps files here by the person's rules: fetches what is to be at hand without a line, piece by piece, and drops copies
 * beyond the limit. A loop of its own: it never stands in the way of her work.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #bell = new Bell();
  readonly #transfers = new Map<string, Transfer>();
  #rules: Keeping = keepingSchema.parse({});
  #isStopped = false;
  #lastEnd = 0;
  /** The last round ended for want of a line. */
  #isHindered = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get rules(): Keeping {
    return this.#rules;
  }

  async start(): Promise<void> {
    await this.reload();
    this.#loop = this.#run();
  }

  /** Goes by the rules that are remembered; they went with their person, or a start begins. */
  async reload(): Promise<void> {
    this.#use(keepingSchema.parse((await recall(this.#options.db, "keeping")) ?? {}));
  }

  /** Other rules, followed at once. */
  async setRules(rules: Keeping): Promise<void> {
    await remember(this.#options.db, "keeping", rules);
    this.#use(rules);
    this.#bell.ring();
    this.#options.engine.nudge();
  }

  /** The line came, or something changed that the rules may be about. */
  poke(): void {
    const isDue = (this.#isHindered && this.#mayFetch()) || Date.now() - this.#lastEnd > quietMs;
    if (this.#isActive() && isDue) this.#bell.ring();
  }

  transfers(): Transfer[] {
    return [...this.#transfers.values()];
  }

  /** Drops the copies of a draft or record that the server has too; it is no longer kept for its own sake. */
  async release(record: string): Promise<void> {
    const { db, disk } = this.#options;
    const records = this.#rules.records.filter((id) => id !== record);
    if (records.length < this.#rules.records.length) await this.setRules({ ...this.#rules, records });
    await freeStorage(db, disk, record);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#bell.ring();
    await this.#loop;
  }

  #use(rules: Keeping): void {
    this.#rules = rules;
    const { uploader } = this.#options.engine;
    uploader.isHeld = rules.hold_files;
    uploader.rate = rules.rate;
  }

  #isActive(): boolean {
    const { own, shared, records, most } = this.#rules;
    return own === "always" || shared === "always" || records.length > 0 || most !== null;
  }

  #mayFetch(): boolean {
    return !this.#isStopped && !this.#rules.hold_files && this.#options.engine.isOnline();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        if (this.#isActive()) await this.#round();
        else await this.#dropPieces([]);
      } catch (error) {
        this.#options.log.warn({ err: error }, "files could not be kept by the rules");
      }
      this.#lastEnd = Date.now();
      if (!this.#isStopped) await this.#bell.wait(againAfterMs);
    }
  }

  async #round(): Promise<void> {
    const { db, disk } = this.#options;
    const rules = this.#rules;
    const kept = await listKept(db, rules, (await recall(db, "user"))?.id ?? "");
    await this.#dropPieces(kept);
    const room = { bytes: rules.most ?? Number.POSITIVE_INFINITY };
    if (rules.most !== null) room.bytes -= await this.#makeRoom(rules.most, new Set(kept.map(({ sha256 }) => sha256)));
    for (const file of kept) {
      if (file.size > room.bytes || (await disk.has(file.sha256))) continue;
      if (rules !== this.#rules) return;
      if (this.#mayFetch() && (await this.#fetch(file))) room.bytes -= file.size;
      this.#isHindered = !this.#mayFetch();
      if (this.#isHindered) return;
    }
  }

  /** Drops copies that no rule keeps, the longest unused first. @returns the bytes of those that stay. */
  async #makeRoom(most: number, kept: ReadonlySet<string>): Promise<number> {
    const { db, disk } = this.#options;
    const files = await listCached(db, disk);
    let bytes = files.reduce((total, { size }) => total + size, 0);
    if (bytes <= most) return bytes;
    const cached = await Promise.all(files.map(async (file) => ({ ...file, at: await disk.lastUseMs(file.sha256) })));
    for (const { sha256, size } of cached.sort((a, b) => a.at - b.at)) {
      if (bytes <= most) break;
      if (kept.has(sha256)) continue;
      await disk.remove(sha256);
      bytes -= size;
    }
    return bytes;
  }

  /** What arrived of files that no rule keeps any more. */
  async #dropPieces(kept: FilePlace[]): Promise<void> {
    const { disk } = this.#options;
    const wanted = new Set(kept.map(({ sha256 }) => pieceOf(sha256)));
    for (const id of await disk.listUploads()) if (isKeptPiece(id) && !wanted.has(id)) await disk.drop(id);
  }

  /** @returns whether it is here now; what arrived of it counts the next time. */
  async #fetch({ sha256, size, key, record }: FilePlace): Promise<boolean> {
    const { disk, events } = this.#options;
    const id = pieceOf(sha256);
    // The digest vouches for bytes that came before a crash.
    let offset = Math.min(size, await disk.settle(id, Number.POSITIVE_INFINITY));
    if (offset === 0) await disk.create(id);
    const transfer: Transfer = { key, record, direction: "down", bytes: offset, size };
    this.#transfers.set(sha256, transfer);
    try {
      while (offset < size) {
        if (!this.#mayFetch()) return false;
        const end = Math.min(size, offset + pieceBytes);
        const piece = await this.#options.blobs.read(sha256, { start: offset, end });
        const arrived = await disk.append(id, offset, new Pace(this.#rules.rate).over(piece));
        if (arrived.offset === offset) return false;
        offset = transfer.bytes = arrived.offset;
        events.announceStatus();
      }
      await disk.seal(id, size, (facts) => {
        if (facts.sha256 !== sha256) throw new Failure("unavailable", "The bytes changed on the way.");
      });
      return true;
    } catch (error) {
      // Withdrawn, or out of reach: the next round asks again.
      if (error instanceof Failure && error.kind !== "disk_full") return false;
      throw error;
    } finally {
      this.#transfers.delete(sha256);
      events.announceStatus();
    }
  }
}
