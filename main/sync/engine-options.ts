import type { Logger } from "pino";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { CommandHandler } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { FoundObject } from "../../shared/live-events/changed-objects.repository.ts";
import type { HostWithClocks } from "./clocks.ts";
import type { TokenCipher } from "./token-cipher.ts";
import type { Upstreams } from "./upstream.ts";

/** What the engine needs from the rest of the replica. */
export interface EngineOptions {
  db: Db;
  blobs: BlobStore;
  /** Functions, because the host and its services are made after the options. */
  host(): HostWithClocks;
  handlers(): Map<string, CommandHandler>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Encrypts tokens before they are stored. */
  tokenCipher: TokenCipher;
  upstreams: Upstreams;
  /** A number from 0 to 1, to randomise waits. */
  random(): number;
  startPaused: boolean;
  /** Frees disk space after a failure caused by a full disk. True: retry at once. */
  makeRoom?(error: unknown): boolean;
  log: Logger;
  /**
   * Called with the objects that sync changed, and with their previous ids, so that removed objects are announced too.
   */
  onChanged(refs: ObjectRef[], before?: FoundObject[]): void;
  /** Whether a window listens for changes. */
  hasListeners?(): boolean;
  onStatus(): void;
}
