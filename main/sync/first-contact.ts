import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { Bell } from "./backoff.ts";
import { connectReplica, OutOfReach } from "./connect.ts";
import type { SyncEngine } from "./engine.ts";
import { forget, recall, remember } from "./person.repository.ts";
import type { TokenSafe } from "./token-safe.ts";

const againAfterMs = 10_000;

/** Connects a server that was named before it could be reached (`--offline`), as soon as it answers. */
export class FirstContact {
  readonly #db: Db;
  readonly #safe: TokenSafe;
  readonly #engine: SyncEngine;
  readonly #log: Logger;
  readonly #bell = new Bell();
  #isStopped = false;
  #loop: Promise<void> = Promise.resolve();

  constructor({ db, engine, log, safe }: { db: Db; engine: SyncEngine; log: Logger; safe: TokenSafe }) {
    this.#db = db;
    this.#safe = safe;
    this.#engine = engine;
    this.#log = log;
  }

  /** Goes on with what an earlier start left to do. */
  start(): void {
    this.#loop = this.#run().catch((error: unknown) => this.#log.error({ err: error }, "no server could be connected"));
  }

  async wish(server: string, token: string): Promise<void> {
    await remember(this.#db, "wished", { server, token: this.#safe.close(token) });
    await this.#loop;
    this.start();
  }

  /** Paused, resumed, or connected meanwhile. */
  poke(): void {
    this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#bell.ring();
    await this.#loop;
  }

  async #run(): Promise<void> {
    for (;;) {
      const wished = await recall(this.#db, "wished");
      if (!wished || this.#isStopped) return;
      if (this.#engine.connection || (await this.#isConnected(wished)))
        return void (await forget(this.#db, ["wished"]));
      await this.#bell.wait(againAfterMs);
    }
  }

  /** @returns whether it is done with: connected, or refused for a reason that trying again does not change. */
  async #isConnected({ server, token: kept }: { server: string; token: string }): Promise<boolean> {
    if (this.#engine.pause.isOn) return false;
    const token = this.#safe.open(kept);
    if (token === undefined) return true;
    try {
      await connectReplica(this.#db, this.#engine, server, token);
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#engine.line.lastError = error.message;
      return !(error instanceof OutOfReach);
    }
  }
}
