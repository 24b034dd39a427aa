import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Request } from "express";
import type { BlobFacts, BlobStore, ListedArchive } from "../../shared/blobs/blob-store.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import type { Shelf } from "../../shared/desk/desk.schema.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import type { FeedPage, OperatorSettings } from "../../shared/sync-protocol/feed.schema.ts";
import type { PushedOperation, PushOutcome } from "../../shared/sync-protocol/push.schema.ts";
import type { VocabularyPage } from "../../shared/sync-protocol/vocabularies.schema.ts";
import type { Operation } from "./operation.repository.ts";
import type { Remembered } from "./person.repository.ts";
import type { Snapshot } from "./snapshot.ts";
import type { UpstreamFacts } from "./upstream-facts.schema.ts";

/** The connected server, its user and their token. */
export interface Account extends Pick<Remembered, "server" | "token" | "user"> {
  /** Undefined: a Carrel server. */
  upstream?: UpstreamFacts;
}

/** A draft as the user sees it. */
export interface ShownDraft extends Snapshot {
  /** The request for its review. */
  request_id: string | null;
}

/** What a server says about itself and the user before the account is stored. */
export interface Welcome {
  account: Account;
  /** The user's card. */
  card: Bundle;
  /** Identifies the library, whatever its address. */
  library: string | undefined;
  /** Base of the links in the server's answers. */
  baseUrl: string;
}

/** @property isPrefetched requested before this call, so it may be older. */
export type Fetched =
  | { state: "page"; page: FeedPage; isPrefetched: boolean }
  | { state: "unchanged"; isPrefetched: boolean }
  /** The server was restored from a backup: the cursor is of an earlier epoch. */
  | { state: "restored" };

/** Bytes that unsent operations need. */
export interface WantedBytes {
  sha256: string;
  size: number;
}

export interface SendProgress {
  /** The server confirmed this many bytes. */
  onArrived(bytes: number): void;
  /** This many bytes were handed to the connection. Awaited before more are sent. */
  onSent(bytes: number): void | Promise<void>;
}

/** Bytes of files, both ways. */
export interface UpstreamBytes {
  /** Whether the server has the bytes and this user may know. @throws Unreachable */
  has(sha256: string): Promise<boolean>;
  /**
   * @throws Unreachable if the connection was lost: call again; UnclearAnswer to call again after other bytes; Failure if
   * the server will never take the bytes.
   */
  send(blobs: BlobStore, wanted: WantedBytes, progress: SendProgress): Promise<void>;
  /** An upload ended with an error. */
  onSendFailed(): void;
  /** @returns undefined if the server does not have them. @throws Failure 403; any other error is a lost connection. */
  read(sha256: string, range?: ByteRange): Promise<Readable | undefined>;
  /** As `BlobStore.listArchive`. */
  listArchive?(sha256: string): Promise<ListedArchive | undefined>;
  /** As `BlobStore.readMember`. */
  readMember?(sha256: string, key: string): Promise<Readable | undefined>;
  /** The MD5 of bytes that were never read here, and that this digest stands for. */
  md5Of?(sha256: string): Promise<string | undefined>;
  /** Such bytes were read whole. */
  learned?(standIn: string, facts: BlobFacts): Promise<void>;
}

/** The app's notes of the user on the server, as JSON texts by key. @throws Unreachable, Failure */
export interface UpstreamDesk {
  list(shelf: Shelf, signal: AbortSignal): Promise<Map<string, string>>;
  keep(shelf: Shelf, key: string, text: string): Promise<void>;
  remove(shelf: Shelf, key: string): Promise<void>;
}

/** An outcome inside the program. A created object may have got the server's ids: `names`, by those given here. */
export type UpstreamOutcome = PushOutcome & { names?: ReadonlyMap<string, string> };

/** What decides whether an operation may be sent now. */
export interface Outgoing extends Pick<Operation, "wire_id" | "kind" | "created"> {
  /** When the user last changed the same object, in microseconds UTC. */
  lastOnObject: number;
}

/** Calls of one account that end with its connection. The rest of a replica knows its server by this port only. */
export interface Upstream {
  /** A short call, to learn whether the server answers. @throws Unreachable, Failure */
  probe(timeoutMs: number): Promise<void>;
  /** The page of changes after a cursor. @param waitSeconds how long the server may wait for a change */
  page(cursor: string | undefined, waitSeconds: number): Promise<Fetched>;
  /** The same page with every object whole. */
  wholePage(cursor: string | undefined): Promise<FeedPage>;
  /** The page after this cursor will be needed next. */
  prefetch(cursor: string): void;
  /** @param cursor lets the server refuse operations that were made against another epoch. */
  push(operations: readonly PushedOperation[], cursor: string): Promise<UpstreamOutcome[] | "restored">;
  /**
   * Sends one batch at a time. The server does not know the ids of operations, so it would execute an operation twice
   * that is sent twice.
   */
  sendsInTurn?: true;
  /** Whether an operation may be sent now; always, if absent. */
  mayGo?(operation: Outgoing): boolean;
  /**
   * The user confirmed this operation just now and waits for it. Some operations, such as publishing, are sent only then.
   * @returns withdraws the confirmation
   */
  press?(operationId: string): () => void;
  /**
   * The user waits for all that is unsent: no pause is left for more of the same.
   * @returns withdraws that
   */
  hurry?(): () => void;
  /**
   * Ids of unsent operations that the user has not confirmed. No other operation waits for them, because they may never
   * be confirmed: the draft may have been discarded.
   */
  listUnconfirmed?(): Promise<ReadonlySet<string>>;
  /** How long what `mayGo` or a push held back has to wait, in milliseconds. */
  sendAgainInMs?(): number;
  /** Called after a push: registers this data folder and tops up its leased ids. */
  prepare(): Promise<void>;
  /** An object that was never here. @throws Failure the server's refusal. */
  open(kind: string, id: string): Promise<Bundle>;
  readonly bytes: UpstreamBytes;
  /** Imported vocabulary entries after a cursor. */
  words(cursor: string, limit: number, signal: AbortSignal): Promise<VocabularyPage>;
  /** The operator's settings. */
  settings(signal: AbortSignal): Promise<OperatorSettings>;
  /** What the app keeps for the user on the server; absent where the server keeps nothing of the kind. */
  readonly desk?: UpstreamDesk;
  /** The draft that a change hands on, as the user sees it. Asked before anything is sent or fetched for the change. */
  shownFor?(req: Request, method: string): Promise<ShownDraft | undefined>;
  /** Passes a call of a page on. @param shown what `shownFor` gave @throws Unreachable */
  pass(req: Request, method: string, shown?: ShownDraft): Promise<IncomingMessage>;
  /** The address of the live document, once; undefined if the user may not open it. */
  liveAddress(document: string): Promise<string | undefined>;
  /** The user reads a draft. Only for a server without a feed, which looks at it more often then. */
  opened?(draftId: string): void;
  /** Polls now, because the user wants to see the current state. Only for a server without a feed. */
  lookNow?(): void;
  /** No calls before this time, because the server limits them, in milliseconds UTC. */
  slowedUntilMs?(): number | undefined;
  /** When a server without a feed last answered, in milliseconds UTC. */
  lastAnswerMs?(): number | undefined;
  /** Why a server without a feed cannot be looked at, although it answers. */
  lookFailure?(): string | undefined;
}

/** A value of the user that a non-Carrel server did not store, and its reasons. */
export interface NotTaken {
  field: string;
  messages: string[];
}

/** What a non-Carrel server left open. It is known without a connection, too. */
export interface LeftOpen {
  /** Drafts with values that it did not store. These stay on this computer. */
  notTaken: { id: string; faults: NotTaken[] }[];
  /** Drafts whose publication had no answer. */
  unsure: string[];
}

/** The kinds of servers that a replica can connect to. */
export interface Upstreams {
  leftOpen(): Promise<LeftOpen>;
  /** Values of one draft that the server did not store. */
  notTakenOf(db: Db, draftId: string): Promise<NotTaken[]>;
  /** Checks an address and a token. @throws Failure 400 that says what is wrong. */
  welcome(address: string, token: string): Promise<Welcome>;
  /** @param signal aborts every call under way */
  open(account: Account, signal: AbortSignal): Upstream;
}
