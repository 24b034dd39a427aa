import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import {
  defaultSettings,
  type Settings,
  settingsSchema,
  sharedSettingsSchema,
} from "../../shared/settings/settings.schema.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import { Unreachable } from "./transport.ts";

/** Settings before any server was reached. Only the user's own disk limits files (records 6.3). */
const ownSettings: Settings = { ...defaultSettings, max_files: 10_000 };
const againAfterMs = 60_000;
const never = Number.NEGATIVE_INFINITY;

interface MirrorOptions {
  db: Db;
  engine: SyncEngine;
  log: Logger;
  apply(settings: Settings): void;
}

/** Settings that this version knows and that have valid values. */
const knownSettings = (settings: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) =>
        Object.hasOwn(sharedSettingsSchema.shape, name) && settingsSchema.safeParse({ [name]: value }).success,
    ),
  );

/** The settings of the server last reached. Unknown ones are left at their default. */
export async function rememberedSettings(db: Db): Promise<Settings> {
  const kept = await recall(db, "settings");
  return kept ? settingsSchema.parse(knownSettings(kept)) : ownSettings;
}

/** Copies the settings of the server's operator, so that both hosts apply the same limits. */
export class SettingsMirror {
  readonly #options: MirrorOptions;
  readonly #calls = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #seen = { server: "", at: never };

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Called when the connection changed. */
  notify(): void {
    const { engine, log } = this.#options;
    // A restarted server may have other settings.
    if (!engine.isOnline()) this.#seen.at = never;
    const server = engine.account?.server;
    const isFresh = this.#seen.server === server && performance.now() - this.#seen.at < againAfterMs;
    if (server === undefined || !engine.isOnline() || isFresh || this.#calls.signal.aborted) return;
    this.#seen = { server, at: performance.now() };
    this.#running = this.#fetch().catch((error: unknown) => {
      this.#seen.at = never;
      // The engine reports a lost connection. The next reconnect tries again.
      if (!(error instanceof Unreachable)) log.warn({ err: error }, "the server's settings could not be fetched");
    });
  }

  async stop(): Promise<void> {
    this.#calls.abort();
    await this.#running;
  }

  async #fetch(): Promise<void> {
    const { db, engine, apply } = this.#options;
    const { upstream } = engine.connection;
    if (!upstream) return;
    const answer = await upstream.settings(this.#calls.signal);
    await remember(db, "settings", knownSettings(answer.settings));
    if (answer.base_url !== undefined) await remember(db, "base_url", answer.base_url);
    // For a replica that was connected before servers sent their library.
    if (answer.library !== undefined && (await recall(db, "library")) === undefined)
      await remember(db, "library", answer.library);
    apply(await rememberedSettings(db));
  }
}
