import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { ServerUnreachable } from "./address.ts";
import { Signal } from "./backoff.ts";
import { connectReplica } from "./connect.ts";
import type { SyncEngine } from "./engine.ts";
import { forget, type Remembered, recall, remember } from "./person.repository.ts";
import type { TokenCipher } from "./token-cipher.ts";

const againAfterMs = 10_000;

/** Connects to a server given with `--offline`, as soon as it answers. */
export class DelayedConnect {
  readonly #db: Db;
  readonly #tokenCipher: TokenCipher;
  readonly #engine: SyncEngine;
  readonly #log: Logger;
  readonly #signal = new Signal();
  #isStopped = false;
  #loop: Promise<void> = Promise.resolve();

  constructor({ db, engine, log, tokenCipher }: { db: Db; engine: SyncEngine; log: Logger; tokenCipher: TokenCipher }) {
    this.#db = db;
    this.#tokenCipher = tokenCipher;
    this.#engine = engine;
    this.#log = log;
  }

  /** Resumes a connect that an earlier start left pending. */
  start(): void {
    this.#loop = this.#run().catch((error: unknown) => this.#log.error({ err: error }, "no server could be connected"));
  }

  /** @param isInsecureAllowed the user confirmed an address that is not encrypted */
  async connectLater(server: string, token: string, isInsecureAllowed: boolean): Promise<void> {
    await remember(this.#db, "wished", { server, token: this.#tokenCipher.encrypt(token), isInsecureAllowed });
    await this.#loop;
    this.start();
  }

  /** Called when the state of the engine changed. */
  notify(): void {
    this.#signal.notify();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#signal.notify();
    await this.#loop;
  }

  async #run(): Promise<void> {
    for (;;) {
      const wished = await recall(this.#db, "wished");
      if (!wished || this.#isStopped) return;
      if (this.#engine.account || (await this.#isFinished(wished))) return void (await forget(this.#db, ["wished"]));
      await this.#signal.wait(againAfterMs);
    }
  }

  /** @returns true if connected, or refused for a reason that a retry does not change. */
  async #isFinished({ server, token: kept, isInsecureAllowed = false }: Remembered["wished"]): Promise<boolean> {
    if (this.#engine.pause.isOn) return false;
    const token = this.#tokenCipher.decrypt(kept);
    if (token === undefined) return true;
    try {
      await connectReplica(this.#db, this.#engine, server, token, { isInsecureAllowed });
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#engine.connection.lastError = error.message;
      return !(error instanceof ServerUnreachable);
    }
  }
}
