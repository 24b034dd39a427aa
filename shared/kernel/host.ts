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

export interface WriteResult<R> {
  /** Small JSON, such as ids. It is stored for repeated calls; routes read the object again to present it. */
  result: R;
  /** Objects that changed for their readers. Empty: nothing changed, and nothing is recorded. */
  touched: ObjectRef[];
  /** The object that shows a `sync` mark while the operation is unsent: a `draft`, `comment`, `access-link`, … */
  object: { kind: string; id: string };
  /** The title in lists of unsent work: `Edit “Deep sea core 12”`. */
  title: string;
  /** If the operation that created the object was never sent: its new payload. The command itself is not queued then. */
  unsentRewrite?: { command: string; payload(sent: unknown): unknown };
  /** Digests of bytes that the server needs before it can execute the command. */
  blobs?: { sha256: string; size: number }[];
}

/** An audit entry without caller, time and address. It has ids and fixed words only, never a secret or free text. */
export interface AuditEvent {
  /** The name of the command if there is one, else for example `user.sign-in`. */
  action: string;
  object?: { type: string; id: string };
  details?: Record<string, unknown>;
  /** HTTP status of a refusal; absent when the action was done. */
  status?: number;
}

export type Work<R> = (tx: Tx, context: WriteContext) => Promise<WriteResult<R>>;

/** The server's decision; or, on a replica that is offline, the queued operation with its `sync` mark at that time. */
export type Decision<R> = { state: "done"; result: R } | { state: "queued"; sync?: SyncMark };

/** What differs between the server and a replica. Services know nothing else of the host that runs them. */
export interface Host {
  /** Only for answers and documents that name the host. Services decide by `abilities`. */
  readonly role: "server" | "replica";
  readonly abilities: HostAbilities;
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly settings: Settings;
  /** Without a trailing slash; the start of all absolute links. */
  readonly baseUrl: string;
  /** Microseconds UTC. */
  now(): number;
  /**
   * A time of this host by the server's clock, as far as that is known. What users say about the future is judged by it:
   * the clock of their computer may be wrong.
   */
  byServer(time: number): number;
  newUuid(): string;
  /** URL-safe text of 256 random bits. */
  newToken(): string;
  /** A `clientID` for a Yjs document: never stored, never reused after a restart. */
  newClientId(): number;
  /** An unused record id. */
  takeRecordId(): Promise<string>;
  /** Several unused record ids. */
  takeRecordIds(count: number): Promise<string[]>;
  /**
   * Executes a command that changes data. The rows, their feed entries or the outbox operation, the search index and the stored answer commit
   * in one transaction.
   */
  write<I, R>(call: Call, command: Command<I>, input: I, work: Work<R>): Promise<R>;
  /**
   * Appends an event that is not a command to the server's audit log, in the transaction of the change if there is one.
   * Does nothing on a replica. `write` records commands.
   */
  audit(db: Db, caller: Caller, event: AuditEvent): Promise<void>;
  /** As `write`, for commands with delivery `ask`, which only the server may decide. */
  decide<I, R>(call: Call, command: PushedCommand<I>, input: I, work: Work<R>): Promise<Decision<R>>;
  /**
   * Withdraws an operation that was never sent, and the later ones on its object.
   * @returns whether there was one; always false on the server.
   */
  withdrawUnsent(object: { kind: string; id: string }, command: string, touched: ObjectRef[]): Promise<boolean>;
  /** Whether this replica can fetch objects that it does not hold; false on the server. */
  isServerReachable(): boolean;
  /** Unsent work on an object; undefined on the server and when there is none. */
  syncMark(db: Db, object: { kind: string; id: string }): Promise<SyncMark | undefined>;
  /** Calls `listener` after each commit. Returns a function that unsubscribes. It is only a hint: read the database. */
  onCommitted(listener: CommitListener): () => void;
  /** Announces a commit that did not go through `write`, such as an order of mail. */
  announceCommit(): void;
}

/** @param people ids of the users whose feed the commit wrote to; empty on a replica. */
export type CommitListener = (touched: ObjectRef[], people: ReadonlySet<string>) => void;

/** Binds a command to the service function that executes it when it is pushed or replayed. */
export interface CommandHandler {
  readonly name: string;
  readonly version: number;
  /** @throws Failure when the payload does not have the command's shape, or when the service refuses it. */
  execute(call: Call, payload: unknown): Promise<unknown>;
}

/** The handler of a command that can be pushed. Other commands have none, so nobody can push them. */
export const handles = <I>(
  definition: PushedCommand<I>,
  execute: (call: Call, input: I) => Promise<unknown>,
): CommandHandler => ({
  name: definition.name,
  version: definition.version,
  execute: (call, payload) => execute(call, parse(definition.input, payload)),
});
