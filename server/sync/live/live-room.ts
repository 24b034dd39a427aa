import * as Y from "yjs";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import { hasDeletedItems } from "../../../shared/documents/yjs-internals.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { liveClose } from "../../../shared/sync-protocol/live.schema.ts";
import { type PresenceEntry, writePresence } from "../../../shared/sync-protocol/presence-wire.ts";
import type { HttpParticipant } from "./http-participant.ts";
import { isStateVector, type LivePeer, type PeerEvents } from "./live-peer.ts";
import { type ClientMessage, writeAnswer, writeAsk, writeUpdate } from "./live-wire.ts";
import { Presence } from "./presence.ts";
import type { RoomPeer } from "./room-peer.ts";

/** A document from the database. */
export interface StoredDocument {
  id: string;
  parent_id: string;
  epoch: number;
  state: Uint8Array;
}

/** A document and its state vector, which is slow to compute for a large state. */
export interface OpenedDocument extends StoredDocument {
  stateVector: Uint8Array;
}

/** Facts about a peer's update. */
export interface UpdateContext {
  /** The update is a current edit, not a catch-up. */
  isFresh?: boolean;
  /** The peer's whole document including the update, if it was requested. */
  whole?: Uint8Array | undefined;
}

export interface RoomOptions {
  document: OpenedDocument;
  /** Merges an update into the document through `host.write`. @throws Failure. */
  edit(peer: LivePeer, update: Uint8Array, basis: UpdateContext): Promise<void>;
  /** The current document; undefined if the draft is gone. */
  load(): Promise<StoredDocument | undefined>;
  emptied(room: LiveRoom): void;
  /** Tells other server processes who is present here. */
  sendElsewhere(entries: readonly PresenceEntry[]): void;
  /** Reports a failure that is not a peer's fault. */
  report(error: unknown): void;
}

/** Limits how much longer a peer's state vector may be than the room's: about 6,000 unknown edits. */
const maxUnknownBytes = 64 * 1024;
/** Maximum size of a document that is requested as a whole, in bytes. */
const maxWholeBytes = 1024 * 1024;
const nothing = Y.encodeStateVector(new Map());

/**
 * The connections to one document. Keeps only the bytes of the last state. Every update is stored in the database
 * before peers get it.
 */
export class LiveRoom implements PeerEvents {
  readonly id: string;
  readonly parentId: string;
  readonly epoch: number;
  readonly peers = new Set<RoomPeer>();
  readonly #options: RoomOptions;
  readonly #presence = new Presence();
  #state: Uint8Array;
  #stateVector: Uint8Array;
  #refreshing: Promise<void> | undefined;
  #isStale = false;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.id = options.document.id;
    this.parentId = options.document.parent_id;
    this.epoch = options.document.epoch;
    this.#state = options.document.state;
    this.#stateVector = options.document.stateVector;
  }

  join(peer: LivePeer): void {
    this.peers.add(peer);
    // A peer that was offline may have edited a deleted item. Only its own document still has the content.
    peer.sendsWholeDocument = this.#state.length <= maxWholeBytes && hasDeletedItems(this.#state);
    peer.send(writeAsk(peer.sendsWholeDocument ? nothing : this.#stateVector));
    peer.send(writePresence(this.#presence.entries()));
  }

  /** A browser opens the draft without the document. */
  joinByHttp(participant: HttpParticipant): void {
    this.peers.add(participant);
    participant.send(writePresence(this.#presence.entries()));
  }

  /** A browser has the draft open, with the cursor in a field. */
  announce(participant: HttpParticipant): void {
    if (this.peers.has(participant)) this.#receive(participant, [participant.entry()]);
  }

  leave(participant: HttpParticipant): void {
    if (this.peers.has(participant)) this.closed(participant);
  }

  closed(peer: RoomPeer): void {
    this.peers.delete(peer);
    this.#broadcast(this.#presence.leave(peer), peer);
    if (this.peers.size === 0) this.#options.emptied(this);
  }

  failed(peer: LivePeer, error: unknown): void {
    this.#options.report(error);
    peer.close(liveClose.failed, "the server failed");
  }

  catchUp(stateVector: Uint8Array): Promise<Uint8Array> {
    return inDocuments("diffUpdate", this.#state, stateVector);
  }

  async handle(peer: LivePeer, message: ClientMessage): Promise<void> {
    switch (message.type) {
      case "ask":
        if (this.#isReadable(message.stateVector)) await peer.answer(message.stateVector, writeAnswer);
        else peer.close(liveClose.unreadable, "the message cannot be read");
        break;
      case "answer":
        await this.#takeAnswer(peer, message.update);
        break;
      case "update":
        await this.#takeUpdate(peer, message.update, { isFresh: true });
        break;
      case "presence":
        this.#receive(peer, message.entries);
        break;
      case "query-presence":
        peer.send(writePresence(this.#presence.entries()));
        break;
    }
  }

  /** Checks the length before decoding, because a long state vector blocks Yjs for a second. */
  #isReadable(stateVector: Uint8Array): boolean {
    return stateVector.length <= this.#stateVector.length + maxUnknownBytes && isStateVector(stateVector);
  }

  /** Readers answer the sync request too. Without new content their rights do not matter. */
  async #takeAnswer(peer: LivePeer, answer: Uint8Array): Promise<void> {
    const update = peer.sendsWholeDocument ? await inDocuments("newIn", answer, this.#stateVector) : answer;
    const basis = peer.sendsWholeDocument ? { whole: answer } : {};
    const tried = await inDocuments("guardUpdate", this.#state, update);
    if (!tried.ok || tried.changed) await this.#takeUpdate(peer, update, basis);
    else {
      // The update may edit a deleted item. Ignored from readers.
      if (peer.sendsWholeDocument && (await inDocuments("namesOtherDeletions", this.#state, update)))
        await this.#edit(peer, update, basis);
      peer.stored(++peer.updates);
    }
  }

  async #takeUpdate(peer: LivePeer, update: Uint8Array, basis: UpdateContext): Promise<void> {
    const number = ++peer.updates;
    const reason = await this.#edit(peer, update, basis);
    if (reason === undefined) peer.stored(number);
    else peer.refused(number, reason);
  }

  /** @returns why the update was refused, if it was. */
  async #edit(peer: LivePeer, update: Uint8Array, basis: UpdateContext): Promise<string | undefined> {
    try {
      await this.#options.edit(peer, update, basis);
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }

  /** Sends new content of the database to the peers. Calls during a run cause one more run. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#refreshing ??= this.#refreshWhileStale().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const document = await this.#options.load();
      if (document === undefined) this.closeAll(liveClose.gone, "the draft is gone");
      else if (document.epoch !== this.epoch) this.closeAll(liveClose.startedAnew, "the draft was compacted");
      else await this.#relay(document.state);
    }
  }

  async #relay(state: Uint8Array): Promise<void> {
    if (Buffer.compare(state, this.#state) === 0) return;
    const before = this.#stateVector;
    const { stateVector, update } = await inDocuments("advance", state, before);
    [this.#state, this.#stateVector] = [state, stateVector];
    const frame = writeUpdate(update);
    for (const peer of this.peers) peer.feed(frame, before);
  }

  /** Periodic work: expires presence, brings peers up to date. `isAlive` also sends a ping. */
  tick(nowMs: number, isAlive: boolean): void {
    this.#deliver(this.#presence.expire(nowMs), undefined);
    for (const peer of this.peers) {
      if (peer.recover(writeUpdate)) peer.send(writePresence(this.#presence.entries()));
      if (isAlive) peer.send(writePresence([]));
    }
  }

  #receive(peer: RoomPeer, entries: readonly PresenceEntry[]): void {
    this.#broadcast(this.#presence.receive(peer, peer.identity, entries, performance.now()), peer);
  }

  /** Who is present at the room's document in another process. */
  receiveElsewhere(entries: readonly PresenceEntry[]): void {
    this.#deliver(this.#presence.receiveElsewhere(entries, performance.now()), undefined);
  }

  /** Answers another process that asks who is present here. */
  answerElsewhere(): void {
    const own = this.#presence.ownEntries();
    if (own.length > 0) this.#options.sendElsewhere(own);
  }

  #broadcast(entries: readonly PresenceEntry[], source: RoomPeer): void {
    this.#deliver(entries, source);
    if (entries.length > 0) this.#options.sendElsewhere(entries);
  }

  #deliver(entries: readonly PresenceEntry[], source: RoomPeer | undefined): void {
    if (entries.length === 0) return;
    const frame = writePresence(entries);
    for (const peer of this.peers) if (peer !== source) peer.feed(frame, this.#stateVector);
  }

  closeAll(code: number, reason: string): void {
    for (const peer of this.peers) peer.close(code, reason);
  }
}
