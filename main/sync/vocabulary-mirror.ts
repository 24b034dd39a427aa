import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { vocabularyPage } from "../../shared/sync-protocol/vocabularies.schema.ts";
import {
  forgetMirroredEntries,
  keepVocabularyPage,
  vocabularyStart,
} from "../../shared/vocabularies/vocabulary-mirror.service.ts";
import { Bell } from "./backoff.ts";
import type { SyncEngine } from "./engine.ts";
import { wireHeaders } from "./line.ts";
import { recall, remember } from "./person.repository.ts";
import { bodyOf, httpTransport, Unreachable } from "./transport.ts";

const entriesAPage = 250;
const againAfterMs = 60_000;

/**
 * Brings the imported entries of the server's vocabularies here, so that drafts can be validated and words be found
 * without it (hosts-and-sync 3). A loop of its own: it never stands in the way of a person's work.
 */
export class VocabularyMirror {
  readonly #db: Db;
  readonly #engine: SyncEngine;
  readonly #log: Logger;
  readonly #bell = new Bell();
  readonly #calls = new AbortController();
  #isStopped = false;
  #lastEnd = 0;
  #loop: Promise<void> | undefined;

  constructor({ db, engine, log }: { db: Db; engine: SyncEngine; log: Logger }) {
    this.#db = db;
    this.#engine = engine;
    this.#log = log;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** The line came or went. */
  poke(): void {
    if (this.#engine.isOnline() && Date.now() - this.#lastEnd > againAfterMs) this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#calls.abort();
    this.#bell.ring();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        while (!this.#isStopped && this.#engine.isOnline() && (await this.#fetchPage()));
        if (this.#engine.isOnline()) this.#lastEnd = Date.now();
      } catch (error) {
        // Of a cut line the person learns from the engine; the next round tries again.
        if (!(error instanceof Unreachable)) {
          this.#lastEnd = Date.now();
          this.#log.warn({ err: error }, "vocabularies could not be fetched");
        }
      }
      if (!this.#isStopped) await this.#bell.wait(againAfterMs);
    }
  }

  /** @returns whether more is waiting. */
  async #fetchPage(): Promise<boolean> {
    const { connection } = this.#engine;
    if (!connection) return false;
    const known = await recall(this.#db, "vocabularies");
    const isSameServer = known?.server === connection.server;
    if (known && !isSameServer) await forgetMirroredEntries(this.#db);
    const cursor = isSameServer ? known.cursor : vocabularyStart;
    const transport = httpTransport({ ...connection, headers: wireHeaders, signal: this.#calls.signal });
    const path = `/api/sync/vocabularies?cursor=${cursor}&limit=${entriesAPage}`;
    const page = vocabularyPage.parse(bodyOf(await transport.call("GET", path)));
    if (page.entries.length > 0) await keepVocabularyPage(this.#db, page.entries);
    await remember(this.#db, "vocabularies", { server: connection.server, cursor: page.cursor });
    return page.more;
  }
}
