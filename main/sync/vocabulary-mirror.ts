import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import {
  forgetMirroredEntries,
  keepVocabularyPage,
  vocabularyStart,
} from "../../shared/vocabularies/vocabulary-mirror.service.ts";
import { Signal } from "./backoff.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import { Unreachable } from "./transport.ts";
import { assertAdvances } from "./validate-answer.ts";

const entriesAPage = 250;
const againAfterMs = 60_000;

/**
 * Copies the server's imported vocabulary entries, so that drafts can be validated and terms found offline
 * (hosts-and-sync 3). Runs in a loop of its own, so it never delays the user's work.
 */
export class VocabularyMirror {
  readonly #db: Db;
  readonly #engine: SyncEngine;
  readonly #log: Logger;
  readonly #signal = new Signal();
  readonly #calls = new AbortController();
  #isStopped = false;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | undefined;

  constructor({ db, engine, log }: { db: Db; engine: SyncEngine; log: Logger }) {
    this.#db = db;
    this.#engine = engine;
    this.#log = log;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Called when the connection changed. */
  notify(): void {
    if (this.#engine.isOnline() && performance.now() - this.#lastEnd > againAfterMs) this.#signal.notify();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#calls.abort();
    this.#signal.notify();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        while (!this.#isStopped && this.#engine.isOnline() && (await this.#fetchPage()));
        if (this.#engine.isOnline()) this.#lastEnd = performance.now();
      } catch (error) {
        // The engine reports a lost connection. The next round tries again.
        if (!(error instanceof Unreachable)) {
          this.#lastEnd = performance.now();
          this.#log.warn({ err: error }, "vocabularies could not be fetched");
        }
      }
      if (!this.#isStopped) await this.#signal.wait(againAfterMs);
    }
  }

  /** @returns whether more pages wait. */
  async #fetchPage(): Promise<boolean> {
    const { account, connection } = this.#engine;
    const { upstream } = connection;
    if (!account || !upstream) return false;
    const known = await recall(this.#db, "vocabularies");
    const isSameServer = known?.server === account.server;
    if (known && !isSameServer) await forgetMirroredEntries(this.#db);
    const cursor = isSameServer ? known.cursor : vocabularyStart;
    const page = await upstream.words(cursor, entriesAPage, this.#calls.signal);
    assertAdvances(page, cursor);
    if (page.entries.length > 0) await keepVocabularyPage(this.#db, page.entries);
    await remember(this.#db, "vocabularies", { server: account.server, cursor: page.cursor });
    return page.more;
  }
}
