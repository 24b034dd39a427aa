import * as Y from "yjs";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import { hasGone, namesOtherDeletions } from "../../../shared/documents/gone.ts";
import { maxStructsPerUpdate } from "../../../shared/documents/guard.ts";
import { countStructs } from "../../../shared/documents/update-content.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { liveClose } from "../../../shared/sync-protocol/live.schema.ts";
import { type PresenceEntry, writePresence } from "../../../shared/sync-protocol/presence-wire.ts";
import { isStateVector, type LivePeer, type PeerEvents } from "./live-peer.ts";
import { type ClientMessage, writeAnswer, writeAsk, writeUpdate } from "./live-wire.ts";
import { Presence } from "./presence.ts";

/** A document as the database has it. */
export interface StoredDocument {
  id: string;
  parent_id: string;
  epoch: number;
  state: Uint8Array;
}

/** What is known of a peer's update. */
export interface Basis {
  /** It says what the peer did just now. */
  isFresh?: boolean;
  /** The peer's document with the update in it, when it was asked for. */
  whole?: Uint8Array | undefined;
}

export interface RoomOptions {
  document: StoredDocument;
  /**
   * Merges an update into the document through the one write door.
   * @throws Failure.
   */
  edit(peer: LivePeer, update: Uint8Array, basis: Basis): Promise<void>;
  /** The document as it is now; undefined when the draft is gone. */
  load(): Promise<StoredDocument | undefined>;
  emptied(room: LiveRoom): void;
  /** Something failed for no fault of a peer. */
  report(error: unknown): void;
}

/** A document up to here is asked for as a whole, in bytes. */
const mostAskedBytes = 1024 * 1024;
const nothing = Y.encodeStateVector(new Map());

/**
 * The connections to one document. It keeps the state's bytes as they were last sent, no more; every update is in the
 * database before anybody else hears of it, whoever made it.
 */
export class LiveRoom implements PeerEvents {
  readonly id: string;
  readonly parentId: string;
  readonly epoch: number;
  readonly peers = new Set<LivePeer>();
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
    this.#stateVector = Y.encodeStateVectorFromUpdate(this.#state);
  }

  join(peer: LivePeer): void {
    this.peers.add(peer);
    // Who was away may have written into an item that is gone here: only her own document still says what it was.
    peer.sendsAll = this.#state.length <= mostAskedBytes && hasGone(this.#state);
    peer.send(writeAsk(peer.sendsAll ? nothing : this.#stateVector));
    peer.send(writePresence(this.#presence.entries()));
  }

  closed(peer: LivePeer): void {
    this.peers.delete(peer);
    this.#tell(this.#presence.leave(peer), peer);
    if (this.peers.size === 0) this.#options.emptied(this);
  }

  failed(peer: LivePeer, error: unknown): void {
    this.#options.report(error);
    peer.close(liveClose.failed, "the server failed");
  }

  catchUp(stateVector: Uint8Array): Uint8Array {
    return Y.diffUpdate(this.#state, stateVector);
  }

  async handle(peer: LivePeer, message: ClientMessage): Promise<void> {
    switch (message.type) {
      case "ask":
        if (isStateVector(message.stateVector)) peer.answer(message.stateVector, writeAnswer);
        else peer.close(liveClose.unreadable, "the message cannot be read");
        break;
      case "answer":
        await this.#takeAnswer(peer, message.update);
        break;
      case "update":
        await this.#takeUpdate(peer, message.update, { isFresh: true });
        break;
      case "presence":
        this.#tell(this.#presence.take(peer, peer.identity, message.entries, performance.now()), peer);
        break;
      case "query-presence":
        peer.send(writePresence(this.#presence.entries()));
        break;
    }
  }

  /** What a document has and this one does not; one that cannot be read is refused as it is. */
  #newIn(whole: Uint8Array): Uint8Array {
    if (countStructs(whole, maxStructsPerUpdate) !== undefined) return whole;
    try {
      return Y.diffUpdate(whole, this.#stateVector);
    } catch {
      return whole;
    }
  }

  /** A reader, too, answers the server's question; as long as that brings nothing new, nothing is asked of her rights. */
  async #takeAnswer(peer: LivePeer, answer: Uint8Array): Promise<void> {
    const update = peer.sendsAll ? this.#newIn(answer) : answer;
    const basis = peer.sendsAll ? { whole: answer } : {};
    const tried = await inDocuments("guardUpdate", this.#state, update);
    if (!tried.ok || tried.changed) await this.#takeUpdate(peer, update, basis);
    else {
      // It may take something out of an item that is gone here. Of a reader it is not heard.
      if (peer.sendsAll && namesOtherDeletions(this.#state, update)) await this.#edit(peer, update, basis);
      peer.stored(++peer.updates);
    }
  }

  async #takeUpdate(peer: LivePeer, update: Uint8Array, basis: Basis): Promise<void> {
    const number = ++peer.updates;
    const reason = await this.#edit(peer, update, basis);
    if (reason === undefined) peer.stored(number);
    else peer.refused(number, reason);
  }

  /** Answers why it is refused, if it is. */
  async #edit(peer: LivePeer, update: Uint8Array, basis: Basis): Promise<string | undefined> {
    try {
      await this.#options.edit(peer, update, basis);
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }

  /** Sends on what the database has and the peers do not. Calls while one is under way end in one more. */
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
      else if (document.epoch !== this.epoch) this.closeAll(liveClose.startedAnew, "the draft was started anew");
      else this.#relay(document.state);
    }
  }

  #relay(state: Uint8Array): void {
    if (Buffer.compare(state, this.#state) === 0) return;
    const before = this.#stateVector;
    this.#state = state;
    this.#stateVector = Y.encodeStateVectorFromUpdate(state);
    const frame = writeUpdate(Y.diffUpdate(state, before));
    for (const peer of this.peers) peer.feed(frame, before);
  }

  /** Regular work: people without a sign of life, peers that were behind; `isAlive` sends a sign of our own. */
  tick(nowMs: number, isAlive: boolean): void {
    this.#tell(this.#presence.expire(nowMs), undefined);
    for (const peer of this.peers) {
      if (peer.recover(writeUpdate)) peer.send(writePresence(this.#presence.entries()));
      if (isAlive) peer.send(writePresence([]));
    }
  }

  #tell(entries: readonly PresenceEntry[], source: LivePeer | undefined): void {
    if (entries.length === 0) return;
    const frame = writePresence(entries);
    for (const peer of this.peers) if (peer !== source) peer.feed(frame, this.#stateVector);
  }

  closeAll(code: number, reason: string): void {
    for (const peer of this.peers) peer.close(code, reason);
  }
}
