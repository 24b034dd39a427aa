import type { BlobStore } from "../blobs/blob-store.ts";
import type { Db, Tx } from "../database/open.ts";
import type { Caller } from "./caller.ts";
import type { Command } from "./command.ts";
import { parse } from "./parse.ts";
import type { Settings } from "./settings.ts";
import type { SyncMark } from "./sync-mark.ts";

/** Objects that travel: a family is a parent with all its records, drafts, files, links and grants. */
export type ObjectKind = "family" | "request" | "user" | "group" | "notification";
export interface ObjectRef {
  kind: ObjectKind;
  id: string;
}

export interface WriteContext {
  /** The instant of this write, in microseconds UTC; provisional on a replica. */
  now: number;
}

export interface Written<R> {
  /** Small JSON (ids): stored for repeated calls; routes read the object anew to present it. */
  result: R;
  /** Objects whose followers have something new. Empty: nothing changed, and nothing is recorded. */
  touched: ObjectRef[];
  /** What carries the `sync` mark while this is unsent: a `draft`, `record`, `comment`, `access-link`, … */
  object: { kind: string; id: string };
  /** In words, for lists of unsent work: `Edit “Deep sea core 12”`. */
  title: string;
  /** What is said in its stead when this takes back what a command on the object made, and no attempt was made to send that. */
  unsaid?: { command: string; payload(sent: unknown): unknown };
  /** Digests of bytes that the server needs before it can execute the command. */
  blobs?: { sha256: string; size: number }[];
}

export type Work<R> = (tx: Tx, context: WriteContext) => Promise<Written<R>>;

/** Done, or (on a replica that cannot reach the server) checked and queued: `sync` is how it stood then. */
export type Asked<R> = { state: "done"; result: R } | { state: "queued"; sync?: SyncMark };

/** What differs between the server and a replica. Services ask it and know nothing else of where they run. */
export interface Host {
  readonly role: "server" | "replica";
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly settings: Settings;
  /** Without a trailing slash; the start of all absolute links. */
  readonly baseUrl: string;
  /** Microseconds UTC. */
  now(): number;
  newUuid(): string;
  /** URL-safe text of 256 random bits. */
  newToken(): string;
  /** A number for a Yjs document's `clientID`: never stored, never used again after a restart. */
  newClientId(): number;
  /** A record id that no one else has. */
  takeRecordId(): Promise<string>;
  /**
   * The one write door: the rows, what the feed or the outbox says of them, the search index and the stored answer
   * commit together or not at all.
   */
  write<I, R>(caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<R>;
  /** As `write`, for commands with delivery `ask`. */
  ask<I, R>(caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<Asked<R>>;
  /**
   * Takes back a wish that a command put down on an object and that no attempt was made to send, and those after it; true
   * when there was one. Never on the server.
   */
  takeBack(object: { kind: string; id: string }, command: string, touched: ObjectRef[]): Promise<boolean>;
  /** On a replica: whether the server can be asked about what is not known here. Never on the server. */
  isServerReachable(): boolean;
  /** Unsent work on an object; undefined on the server and when there is none. */
  syncMark(db: Db, object: { kind: string; id: string }): Promise<SyncMark | undefined>;
  /** Called after each commit with what it touched. Returns how to stop. A hint only: truth is in the database. */
  onCommitted(listener: (touched: ObjectRef[]) => void): () => void;
}

/** Binds a command to the service function that executes it; a pushed or replayed operation goes through here. */
export interface CommandHandler {
  readonly name: string;
  readonly version: number;
  /** @throws Failure when the payload does not have the command's shape, or what the service refuses. */
  execute(caller: Caller, payload: unknown): Promise<unknown>;
}

/** A handler of one command. */
export const handles = <I>(
  definition: Command<I>,
  execute: (caller: Caller, input: I) => Promise<unknown>,
): CommandHandler => ({
  name: definition.name,
  version: definition.version,
  execute: (caller, payload) => execute(caller, parse(definition.input, payload)),
});
