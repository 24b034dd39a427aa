import type { Logger } from "pino";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { CommandHandler, Host, ObjectRef } from "../../shared/kernel/host.ts";
import type { FoundObject } from "./changed-objects.repository.ts";
import type { TokenSafe } from "./token-safe.ts";
import type { Transport } from "./transport.ts";

/** What the loop needs of the replica around it. */
export interface EngineOptions {
  db: Db;
  blobs: BlobStore;
  /** Set once the host and its services exist. */
  host(): Host;
  handlers(): Map<string, CommandHandler>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Where tokens are closed before they are written down. */
  safe: TokenSafe;
  /** Makes sure that the server knows this folder, and that ids for work without a network are in store. */
  signOn(transport: Transport, server: string): Promise<void>;
  /** A number from 0 to 1, for waits. */
  random(): number;
  startPaused: boolean;
  /** Whether there is room again on the disk that an attempt found full: it is made anew at once. */
  makeRoom?(error: unknown): boolean;
  log: Logger;
  /** Objects that sync changed, and what there was of them before, so that what went away is told too. */
  onChanged(refs: ObjectRef[], before?: FoundObject[]): void;
  /** Whether anybody is told of changes. */
  isHeard?(): boolean;
  onStatus(): void;
}
