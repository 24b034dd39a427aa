import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { defaultSettings, type Settings, settingsSchema } from "../../shared/kernel/settings.ts";
import { operatorSettings } from "../../shared/sync-protocol/feed.schema.ts";
import type { SyncEngine } from "./engine.ts";
import { wireHeaders } from "./line.ts";
import { recall, remember } from "./person.repository.ts";
import { bodyOf, httpTransport, Unreachable } from "./transport.ts";

/** Before any server was reached: a person's own disk is the limit of files (records 6.3). */
const ownSettings: Settings = { ...defaultSettings, max_files: 10_000 };
const againAfterMs = 60_000;

interface MirrorOptions {
  db: Db;
  engine: SyncEngine;
  log: Logger;
  apply(settings: Settings): void;
}

/** What was set on the server last seen; what this version does not know is left at its default. */
export async function rememberedSettings(db: Db): Promise<Settings> {
  const kept = await recall(db, "settings");
  if (!kept) return ownSettings;
  const known = Object.entries(kept).filter(
    ([name, value]) => Object.hasOwn(settingsSchema.shape, name) && settingsSchema.safeParse({ [name]: value }).success,
  );
  return settingsSchema.parse(Object.fromEntries(known));
}

/** Brings what the server's operator has set here: drafts and files are judged alike on both sides. */
export class SettingsMirror {
  readonly #options: MirrorOptions;
  readonly #calls = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #seen = { server: "", at: 0 };

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** The line came or went. */
  poke(): void {
    const { engine, log } = this.#options;
    // A server that was away may come back with other settings.
    if (!engine.isOnline()) this.#seen.at = 0;
    const server = engine.connection?.server;
    const isFresh = this.#seen.server === server && Date.now() - this.#seen.at < againAfterMs;
    if (server === undefined || !engine.isOnline() || isFresh || this.#calls.signal.aborted) return;
    this.#seen = { server, at: Date.now() };
    this.#running = this.#fetch().catch((error: unknown) => {
      this.#seen.at = 0;
      // Of a cut line the person learns from the engine; the next time it is there this is tried again.
      if (!(error instanceof Unreachable)) log.warn({ err: error }, "the settings of the server could not be fetched");
    });
  }

  async stop(): Promise<void> {
    this.#calls.abort();
    await this.#running;
  }

  async #fetch(): Promise<void> {
    const { db, engine, apply } = this.#options;
    if (!engine.connection) return;
    const transport = httpTransport({ ...engine.connection, headers: wireHeaders, signal: this.#calls.signal });
    const answer = operatorSettings.parse(bodyOf(await transport.call("GET", "/api/sync/settings")));
    await remember(db, "settings", answer.settings);
    if (answer.base_url !== undefined) await remember(db, "base_url", answer.base_url);
    // A replica that was connected before servers had it, or died while it was connected.
    if (answer.library !== undefined && (await recall(db, "library")) === undefined)
      await remember(db, "library", answer.library);
    apply(await rememberedSettings(db));
  }
}
