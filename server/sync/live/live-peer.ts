import type { WebSocket } from "ws";
import * as Y from "yjs";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { liveClose } from "../../../shared/sync-protocol/live.schema.ts";
import { type ClientMessage, readMessage, writeDenied, writeRefused, writeStored } from "./live-wire.ts";
import type { Identity } from "./presence.ts";

/** Above this a peer is not fed any further until it has read what it was sent. */
const maxBufferedBytes = 1024 * 1024;
/** Frames that wait for being stored; above this nothing more is read from the peer. */
const maxWaitingBytes = 1024 * 1024;
/** A peer that reads nothing for so long is dropped. */
const maxBehindMs = 60_000;

/** What a connection calls back. */
export interface PeerEvents {
  /** One message after the other: the next waits for the answer to this. */
  handle(peer: LivePeer, message: ClientMessage): Promise<void>;
  /** The update that brings a peer with this state vector up to date. */
  catchUp(stateVector: Uint8Array): Uint8Array;
  closed(peer: LivePeer): void;
  /** Handling a message failed for no fault of the peer. */
  failed(peer: LivePeer, error: unknown): void;
}

export interface PeerOptions {
  socket: WebSocket;
  /** As of the last check. */
  caller: Caller;
  identity: Identity;
  /** Wants messages of our own (types from 100 up). */
  hasExtras: boolean;
  events: PeerEvents;
}

/** One connection to a document: reads in order, sends no faster than the other side reads. */
export class LivePeer {
  readonly socket: WebSocket;
  readonly identity: Identity;
  caller: Caller;
  /** It was asked for its whole document. */
  sendsAll = false;
  /** Number of updates taken on this connection. */
  updates = 0;
  readonly #hasExtras: boolean;
  readonly #events: PeerEvents;
  #waiting: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  /** Where the peer stood when it fell behind. */
  #behind: { stateVector: Uint8Array; sinceMs: number } | undefined;

  constructor(options: PeerOptions) {
    this.socket = options.socket;
    this.caller = options.caller;
    this.identity = options.identity;
    this.#hasExtras = options.hasExtras;
    this.#events = options.events;
    this.socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    this.socket.on("close", () => this.#events.closed(this));
    // What is wrong with the connection ends in `close`, which follows.
    this.socket.on("error", () => this.socket.terminate());
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const message = isBinary ? readable(data) : undefined;
    if (message !== undefined) this.#enqueue(message, data.length);
    else if (isBinary) this.close(liveClose.unreadable, "the message cannot be read");
    else this.close(liveClose.notBinary, "binary messages are expected");
  }

  #enqueue(message: ClientMessage, bytes: number): void {
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > maxWaitingBytes) this.socket.pause();
    this.#waiting = this.#waiting
      .then(() => (this.isOpen ? this.#events.handle(this, message) : undefined))
      .catch((error: unknown) => this.#events.failed(this, error))
      .then(() => {
        this.#waitingBytes -= bytes;
        if (this.socket.isPaused && this.#waitingBytes <= maxWaitingBytes) this.socket.resume();
      });
  }

  /** Sends what may be lost for a peer that is behind: it gets all of it at once later. */
  feed(frame: Uint8Array, before: Uint8Array): void {
    if (this.#behind !== undefined) return;
    if (this.socket.bufferedAmount > maxBufferedBytes)
      this.#behind = { stateVector: before, sinceMs: performance.now() };
    else this.send(frame);
  }

  /** Answers a question of the peer, or later when it is behind. */
  answer(stateVector: Uint8Array, write: (update: Uint8Array) => Uint8Array): void {
    if (this.socket.bufferedAmount > maxBufferedBytes) this.#behind = { stateVector, sinceMs: performance.now() };
    else this.send(write(this.#events.catchUp(stateVector)));
  }

  /** Feeds a peer that was behind and has read everything since; drops one that does not read. True when it was fed. */
  recover(write: (update: Uint8Array) => Uint8Array): boolean {
    if (this.#behind === undefined) return false;
    if (this.socket.bufferedAmount === 0) {
      const { stateVector } = this.#behind;
      this.#behind = undefined;
      this.send(write(this.#events.catchUp(stateVector)));
      return true;
    }
    if (performance.now() - this.#behind.sinceMs > maxBehindMs) {
      this.close(liveClose.tooSlow, "too slow");
      this.socket.terminate();
    }
    return false;
  }

  send(frame: Uint8Array): void {
    if (this.isOpen) this.socket.send(frame);
  }

  stored(number: number): void {
    if (this.#hasExtras) this.send(writeStored(number));
  }

  refused(number: number, reason: string): void {
    this.send(this.#hasExtras ? writeRefused(number, reason) : writeDenied(reason));
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    // A paused socket would not see the other side's answer to the closing.
    if (this.socket.isPaused) this.socket.resume();
  }
}

function readable(data: Buffer): ClientMessage | undefined {
  try {
    return readMessage(new Uint8Array(data));
  } catch {
    return undefined;
  }
}

/** Whether a text of bytes can be a state vector at all. */
export function isStateVector(bytes: Uint8Array): boolean {
  try {
    Y.decodeStateVector(bytes);
    return true;
  } catch {
    return false;
  }
}
