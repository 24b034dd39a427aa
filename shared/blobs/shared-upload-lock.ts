import { setTimeout } from "node:timers/promises";
import { deleteLock, findLock, renewLock, requestLock, takeLock } from "../database/lock.repository.ts";
import type { Host } from "../kernel/host.ts";
import { localUploadLock, type UploadLock } from "./upload-lock.ts";
import { takenOver } from "./upload-refusals.ts";

const leaseMicros = 15_000_000;
const renewMicros = 5_000_000;
const watchMs = 100;
const retryMs = 25;

type LockHost = Pick<Host, "db" | "now" | "newUuid">;

/** The lock of one call on an upload, in the table that all processes share. */
class SharedLease {
  readonly #host: LockHost;
  readonly #name: string;
  readonly #holder: string;
  readonly #superseded = new AbortController();
  #renewed = 0;
  #isReleased = false;
  /** Whether the lock was seized from a silent process. */
  isSeized = false;

  constructor(host: LockHost, key: string) {
    this.#host = host;
    this.#name = `upload:${key}`;
    this.#holder = host.newUuid();
  }

  /** Aborted when a newer call requests the upload, or when the lease was lost. */
  get superseded(): AbortSignal {
    return this.#superseded.signal;
  }

  /** Waits until the older call has ended or its process is silent. @throws Failure 409 when a newer call waits too. */
  async take(): Promise<void> {
    const { db } = this.#host;
    for (let hasRequested = false; !(await this.#tryTake()); ) {
      const current = await findLock(db, this.#name);
      if (hasRequested && current && current.wanted !== this.#holder) throw takenOver();
      if (current && !hasRequested) await requestLock(db, this.#name, this.#holder);
      hasRequested ||= current !== undefined;
      await setTimeout(retryMs);
    }
    void this.#watch();
  }

  async #tryTake(): Promise<boolean> {
    const now = this.#host.now();
    this.#renewed = now;
    const until = now + leaseMicros;
    const taken = await takeLock(this.#host.db, { name: this.#name, holder: this.#holder, now, until });
    this.isSeized = taken?.isSeized === true;
    return taken !== undefined;
  }

  async #watch(): Promise<void> {
    for (;;) {
      await setTimeout(watchMs, undefined, { ref: false });
      if (this.#isReleased) return;
      try {
        await this.#check();
      } catch {
        // The next check tries again. Without a renewal the lease ends.
      }
    }
  }

  async #check(): Promise<void> {
    const { db, now } = this.#host;
    const current = await findLock(db, this.#name);
    if (current?.holder !== this.#holder || current.wanted !== null) this.#superseded.abort();
    if (Math.abs(now() - this.#renewed) < renewMicros) return;
    this.#renewed = now();
    await renewLock(db, this.#name, this.#holder, this.#renewed + leaseMicros);
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await deleteLock(this.#host.db, this.#name, this.#holder);
  }
}

/** Locks uploads among the calls of several server processes. A process that is silent for 15 s loses its uploads. */
export function sharedUploadLock(host: LockHost): UploadLock {
  const local = localUploadLock();
  return {
    hold: (key, work) =>
      local.hold(key, async ({ superseded }) => {
        const lease = new SharedLease(host, key);
        await lease.take();
        try {
          const either = AbortSignal.any([superseded, lease.superseded]);
          return await work({ superseded: either, isSeized: lease.isSeized });
        } finally {
          await lease.release();
        }
      }),
  };
}
