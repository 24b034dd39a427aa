import type { BlobStore } from "../blobs/blob-store.ts";
import type { Db, Tx } from "../database/open.ts";
import type { Call } from "./call.ts";
import type { Caller } from "./caller.ts";
import type { Command, PushedCommand } from "./command.ts";
import type { HostAbilities } from "./host-abilities.ts";
import type { ObjectRef } from "./object-ref.ts";
import { parse } from "./parse.ts";
import type { Settings } from "./settings.ts";
import type { SyncMark } from "./sync-mark.ts";

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

/** What the audit log says besides who, when and from where. Ids and fixed words only: never a secret, never free text. */
export interface AuditEvent {
  /** `token.create`, `user.sign-in`; a command's name where there is one. */
  action: string;
  object?: { type: string; id: string };
  details?: Record<string, unknown>;
  /** HTTP status of a refusal; absent: done. */
  status?: number;
}

export type Work<R> = (tx: Tx, context: WriteContext) => Promise<Written<R>>;

/** Done, or (on a replica that cannot reach the server) checked and queued: `sync` is how it stood then. */
export type Asked<R> = { state: "done"; result: R } | { state: "queued"; sync?: SyncMark };

/** What differs between the server and a replica. Services use it and know nothing else of where they run. */
export interface Host {
  /** For answers and documents that name the host. What a service does depends on `abilities` alone. */
  readonly role: "server" | "replica";
  readonly abilities: HostAbilities;
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
  write<I, R>(call: Call, command: Command<I>, input: I, work: Work<R>): Promise<R>;
  /**
   * Appends to the server's audit log what is not a command, in the transaction of the change where there is one.
   * Nothing on a replica. Commands are recorded by the write door.
   */
  audit(db: Db, caller: Caller, event: AuditEvent): Promise<void>;
  /** As `write`, for commands with delivery `ask`. */
  ask<I, R>(call: Call, command: PushedCommand<I>, input: I, work: Work<R>): Promise<Asked<R>>;
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
  onCommitted(listener: CommitListener): () => void;
}

/** @param people on the server: whose feed the commit wrote to. */
export type CommitListener = (touched: ObjectRef[], people: ReadonlySet<string>) => void;

/** Binds a command to the service function that executes it when it is pushed, or replayed on a replica. */
export interface CommandHandler {
  readonly name: string;
  readonly version: number;
  /** @throws Failure when the payload does not have the command's shape, or what the service refuses. */
  execute(call: Call, payload: unknown): Promise<unknown>;
}

/** A handler of one command that can be pushed; others have none, and no wire reaches them. */
export const handles = <I>(
  definition: PushedCommand<I>,
  execute: (call: Call, input: I) => Promise<unknown>,
): CommandHandler => ({
  name: definition.name,
  version: definition.version,
  execute: (call, payload) => execute(call, parse(definition.input, payload)),
});
