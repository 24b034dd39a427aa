import type { Logger } from "pino";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
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

interface KeeperOptions {
  db: Db;
  engine: SyncEngine;
  /** The bytes on this computer. */
  disk: BlobStore;
  /** The same, with the server's behind them. */
  blobs: BlobStore;
  log: Logger;
  /** Set once the host exists. */
  host(): Host;
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
  /** What arrived so far of files on their way. */
  readonly #partial = new Map<string, { id: string; offset: number }>();
  #rules: Keeping = keepingSchema.parse({});
  #isStopped = false;
  #lastEnd = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get rules(): Keeping {
    return this.#rules;
  }

  async start(): Promise<void> {
    this.#use(keepingSchema.parse((await recall(this.#options.db, "keeping")) ?? {}));
    this.#loop = this.#run();
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
    if (this.#isActive() && Date.now() - this.#lastEnd > quietMs) this.#bell.ring();
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
    const room = { bytes: rules.most ?? Number.POSITIVE_INFINITY };
    if (rules.most !== null) room.bytes -= await this.#makeRoom(rules.most, new Set(kept.map(({ sha256 }) => sha256)));
    for (const file of kept) {
      if (rules !== this.#rules || !this.#mayFetch()) return;
      if (file.size > room.bytes || (await disk.has(file.sha256))) continue;
      if (await this.#fetch(file)) room.bytes -= file.size;
    }
  }

  /** Drops copies that no rule keeps, the largest first. @returns the bytes of those that stay. */
  async #makeRoom(most: number, kept: ReadonlySet<string>): Promise<number> {
    const { db, disk } = this.#options;
    const cached = await listCached(db, disk);
    let bytes = cached.reduce((total, { size }) => total + size, 0);
    for (const { sha256, size } of cached.sort((a, b) => b.size - a.size)) {
      if (bytes <= most) break;
      if (kept.has(sha256)) continue;
      await disk.remove(sha256);
      bytes -= size;
    }
    return bytes;
  }

  /** @returns whether it is here now; what arrived of it counts the next time. */
  async #fetch({ sha256, size, key, record }: FilePlace): Promise<boolean> {
    const { disk, host, events } = this.#options;
    const partial = this.#partial.get(sha256) ?? { id: host().newUuid(), offset: 0 };
    if (!this.#partial.has(sha256)) await disk.create(partial.id);
    this.#partial.set(sha256, partial);
    const transfer: Transfer = { key, record, direction: "down", bytes: partial.offset, size };
    this.#transfers.set(sha256, transfer);
    try {
      while (partial.offset < size) {
        if (!this.#mayFetch()) return false;
        const end = Math.min(size, partial.offset + pieceBytes);
        const piece = await this.#options.blobs.read(sha256, { start: partial.offset, end });
        const { offset } = await disk.append(partial.id, partial.offset, new Pace(this.#rules.rate).over(piece));
        if (offset === partial.offset) return false;
        partial.offset = transfer.bytes = offset;
        events.announceStatus();
      }
      this.#partial.delete(sha256);
      await disk.seal(partial.id, size, (facts) => {
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
