import type { Logger } from "pino";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { type Keeping, keepingSchema } from "../../shared/sync-protocol/keeping.schema.ts";
import type { Transfer } from "../../shared/sync-protocol/sync-status.schema.ts";
import { Signal } from "./backoff.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import { type FilePlace, insertCopy, listKept } from "./storage.repository.ts";
import { dropUnreferencedCopies, freeStorage, listCached } from "./storage.ts";
import { Throttle } from "./throttle.ts";
import type { WindowEvents } from "./window-events.ts";

const [pieceBytes, againAfterMs, quietMs] = [8 * 1024 * 1024, 60_000, 5000];

/** Names the partial upload of a file after its digest, so that a later start resumes it. */
const partialUploadId = (sha256: string): string => `kept-${sha256}`;
export const isPartialUpload = (uploadId: string): boolean => uploadId.startsWith("kept-");

interface KeeperOptions {
  db: Db;
  engine: SyncEngine;
  /** The bytes on this computer. */
  disk: DiskBlobStore;
  /** The bytes on this computer, with the server's as a fallback. */
  blobs: BlobStore;
  log: Logger;
  events: WindowEvents;
  /** Microseconds UTC. */
  now(): number;
}

/**
 * Keeps files available offline by the user's rules: fetches them in parts and drops copies beyond the limit. Runs in a
 * loop of its own, so it never delays the user's work.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #signal = new Signal();
  readonly #transfers = new Map<string, Transfer>();
  #rules: Keeping = keepingSchema.parse({});
  #isStopped = false;
  #lastEnd = Number.NEGATIVE_INFINITY;
  /** The last round stopped because the replica was offline. */
  #wasOffline = false;
  /** Begins a round after the quiet time. */
  #later: NodeJS.Timeout | undefined;
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

  /** Loads the stored rules: at a start, and after they were removed together with the user's data. */
  async reload(): Promise<void> {
    this.#use(keepingSchema.parse((await recall(this.#options.db, "keeping")) ?? {}));
  }

  /** Stores new rules and applies them at once. */
  async setRules(rules: Keeping): Promise<void> {
    await remember(this.#options.db, "keeping", rules);
    this.#use(rules);
    this.#options.events.sendChanges([{ kind: "keeping", id: "rules" }]);
    this.#signal.notify();
    this.#options.engine.notify();
  }

  /** Called when the replica came online or objects changed. The next round begins at once or after the quiet time. */
  notify(): void {
    if (this.#isStopped) return;
    const quiet = this.#lastEnd + quietMs - performance.now();
    if ((this.#wasOffline && this.#mayFetch()) || quiet <= 0) this.#signal.notify();
    else this.#later ??= setTimeout(() => this.#signal.notify(), quiet);
  }

  transfers(): Transfer[] {
    return [...this.#transfers.values()];
  }

  /** Drops local copies of files that the server has too, and the rule that kept this draft or record. */
  async release(record: string): Promise<void> {
    const { db, disk } = this.#options;
    const records = this.#rules.records.filter((id) => id !== record);
    if (records.length < this.#rules.records.length) await this.setRules({ ...this.#rules, records });
    await freeStorage(db, disk, record);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#signal.notify();
    await this.#loop;
  }

  #use(rules: Keeping): void {
    this.#rules = rules;
    const { uploader } = this.#options.engine;
    uploader.isPaused = rules.hold_files;
    uploader.bytesPerSecond = rules.rate;
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
        await dropUnreferencedCopies(this.#options.db, this.#options.disk);
        if (this.#isActive()) await this.#round();
        else await this.#dropPartialUploads([]);
      } catch (error) {
        this.#options.log.warn({ err: error }, "files could not be kept available offline");
      }
      this.#lastEnd = performance.now();
      if (!this.#isStopped) await this.#signal.wait(againAfterMs);
      clearTimeout(this.#later);
      this.#later = undefined;
    }
  }

  async #round(): Promise<void> {
    const { db, disk, events } = this.#options;
    const rules = this.#rules;
    const kept = await listKept(db, rules, (await recall(db, "user"))?.id ?? "");
    await this.#dropPartialUploads(kept);
    const room = { bytes: rules.most ?? Number.POSITIVE_INFINITY };
    if (rules.most !== null) room.bytes -= await this.#makeRoom(rules.most, new Set(kept.map(({ sha256 }) => sha256)));
    for (const file of kept) {
      if (file.size > room.bytes || (await disk.has(file.sha256)) || !(await disk.hasRoomFor(file.size))) continue;
      if (rules !== this.#rules) return;
      if (this.#mayFetch() && (await this.#fetch(file))) {
        room.bytes -= file.size;
        // A short transfer begins and ends between two statuses, which then tell nothing.
        events.sendChanges([{ kind: "storage", id: file.record }]);
      }
      this.#wasOffline = !this.#mayFetch();
      if (this.#wasOffline) return;
    }
  }

  /** Drops copies that no rule keeps, least recently used first. @returns the bytes of the copies that stay. */
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

  /** Drops partial uploads of files that no rule keeps any more. */
  async #dropPartialUploads(kept: FilePlace[]): Promise<void> {
    const { disk } = this.#options;
    const wanted = new Set(kept.map(({ sha256 }) => partialUploadId(sha256)));
    for (const id of await disk.listUploads()) if (isPartialUpload(id) && !wanted.has(id)) await disk.drop(id);
  }

  /** Fetches a file whose digest is not known before it was read whole. Reading it stores it. */
  async #fetchWhole(sha256: string): Promise<boolean> {
    const bytes = await this.#options.blobs.read(sha256);
    for await (const _chunk of new Throttle(this.#rules.rate).throttle(bytes)) if (!this.#mayFetch()) return false;
    return true;
  }

  /** Fetches one file. @returns whether it is complete; parts that arrived are kept. */
  async #fetch({ sha256, size, key, record }: FilePlace): Promise<boolean> {
    const { disk, events, engine } = this.#options;
    if (await engine.connection.upstream?.bytes.md5Of?.(sha256)) {
      return this.#fetchWhole(sha256).catch((error: unknown) => {
        if (error instanceof Failure && error.kind !== "disk_full") return false;
        throw error;
      });
    }
    const id = partialUploadId(sha256);
    // Bytes stored before a crash are safe to use, because the digest of the whole file is checked.
    let offset = Math.min(size, await disk.confirmOffset(id, Number.POSITIVE_INFINITY));
    if (offset === 0) await disk.create(id);
    const transfer: Transfer = { key, record, direction: "down", bytes: offset, size };
    this.#transfers.set(sha256, transfer);
    try {
      while (offset < size) {
        if (!this.#mayFetch()) return false;
        const end = Math.min(size, offset + pieceBytes);
        const piece = await this.#options.blobs.read(sha256, { start: offset, end });
        const arrived = await disk.append(id, offset, new Throttle(this.#rules.rate).throttle(piece));
        if (arrived.offset === offset) return false;
        offset = transfer.bytes = arrived.offset;
        events.announceStatus();
      }
      const sealed = await disk.seal(id, size, (facts) => {
        if (facts.sha256 !== sha256)
          throw new Failure("unavailable", "The bytes of this file changed during the transfer.");
      });
      await insertCopy(this.#options.db, sealed, this.#options.now());
      return true;
    } catch (error) {
      // Access withdrawn or server offline: the next round tries again.
      if (error instanceof Failure && error.kind !== "disk_full") return false;
      throw error;
    } finally {
      this.#transfers.delete(sha256);
      events.announceStatus();
    }
  }
}
