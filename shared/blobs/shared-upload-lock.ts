import { setTimeout } from "node:timers/promises";
import { deleteTurn, findTurn, renewTurn, takeTurn, wantTurn } from "../database/turn.repository.ts";
import type { Host } from "../kernel/host.ts";
import { localUploadLock, type UploadLock } from "./upload-lock.ts";
import { takenOver } from "./upload-refusals.ts";

const leaseMicros = 15_000_000;
const renewMicros = 5_000_000;
const lookMs = 100;
const askMs = 25;

type LockHost = Pick<Host, "db" | "now" | "newUuid">;

/** A turn on an upload among the calls of all processes. */
class Turn {
  readonly #host: LockHost;
  readonly #name: string;
  readonly #holder: string;
  readonly #superseded = new AbortController();
  #renewed = 0;
  #isOver = false;
  /** Whether the turn was seized from a silent process. */
  isSeized = false;

  constructor(host: LockHost, key: string) {
    this.#host = host;
    this.#name = `upload:${key}`;
    this.#holder = host.newUuid();
  }

  /** Aborted when a newer call asks for the upload, or when the lease was lost. */
  get superseded(): AbortSignal {
    return this.#superseded.signal;
  }

  /** Waits until the older call has ended, or its process is silent. @throws Failure 409 when a newer call asks, too. */
  async take(): Promise<void> {
    const { db } = this.#host;
    for (let hasRequested = false; !(await this.#tryTake()); ) {
      const present = await findTurn(db, this.#name);
      if (hasRequested && present && present.wanted !== this.#holder) throw takenOver();
      if (present && !hasRequested) await wantTurn(db, this.#name, this.#holder);
      hasRequested ||= present !== undefined;
      await setTimeout(askMs);
    }
    void this.#watch();
  }

  async #tryTake(): Promise<boolean> {
    const now = this.#host.now();
    this.#renewed = now;
    const until = now + leaseMicros;
    const taken = await takeTurn(this.#host.db, { name: this.#name, holder: this.#holder, now, until });
    this.isSeized = taken?.isSeized === true;
    return taken !== undefined;
  }

  async #watch(): Promise<void> {
    for (;;) {
      await setTimeout(lookMs, undefined, { ref: false });
      if (this.#isOver) return;
      try {
        await this.#look();
      } catch {
        // The next look tries again. Without a renewal the lease ends.
      }
    }
  }

  async #look(): Promise<void> {
    const { db, now } = this.#host;
    const present = await findTurn(db, this.#name);
    if (present?.holder !== this.#holder || present.wanted !== null) this.#superseded.abort();
    if (Math.abs(now() - this.#renewed) < renewMicros) return;
    this.#renewed = now();
    await renewTurn(db, this.#name, this.#holder, this.#renewed + leaseMicros);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await deleteTurn(this.#host.db, this.#name, this.#holder);
  }
}

/** Locks uploads among the calls of several server processes. A process that is silent for 15 s loses its uploads. */
export function sharedUploadLock(host: LockHost): UploadLock {
  const local = localUploadLock();
  return {
    hold: (key, work) =>
      local.hold(key, async ({ superseded }) => {
        const turn = new Turn(host, key);
        await turn.take();
        try {
          const either = AbortSignal.any([superseded, turn.superseded]);
          return await work({ superseded: either, isSeized: turn.isSeized });
        } finally {
          await turn.end();
        }
      }),
  };
}
