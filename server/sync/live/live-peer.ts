import type { WebSocket } from "ws";
import * as Y from "yjs";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { liveClose } from "../../../shared/sync-protocol/live.schema.ts";
import { type ClientMessage, readMessage, writeDenied, writeRefused, writeStored } from "./live-wire.ts";
import type { Identity } from "./presence.ts";
import type { RoomPeer } from "./room-peer.ts";

/** Stops sending to a peer with more unread bytes than this. */
const maxBufferedBytes = 1024 * 1024;
/** Stops reading from a peer with more unprocessed bytes than this. */
const maxWaitingBytes = 1024 * 1024;
/** Closes a peer that reads nothing for this long. */
const maxBehindMs = 60_000;

/** Callbacks of a connection. */
export interface PeerEvents {
  /** Handles one message. The next one waits for it. */
  handle(peer: LivePeer, message: ClientMessage): Promise<void>;
  /** The update that a peer with this state vector lacks. */
  catchUp(stateVector: Uint8Array): Promise<Uint8Array>;
  closed(peer: LivePeer): void;
  /** Handling a message failed, not through the peer's fault. */
  failed(peer: LivePeer, error: unknown): void;
}

export interface PeerOptions {
  socket: WebSocket;
  /** The caller as of the last check. */
  caller: Caller;
  identity: Identity;
  /** The client understands Carrel's messages (types from 100 up). */
  hasExtras: boolean;
  events: PeerEvents;
}

/** One connection to a document, with flow control in both directions. */
export class LivePeer implements RoomPeer {
  readonly socket: WebSocket;
  readonly identity: Identity;
  caller: Caller;
  /** The server requested the peer's whole document. */
  sendsWholeDocument = false;
  /** Number of updates received on this connection. */
  updates = 0;
  readonly #hasExtras: boolean;
  readonly #events: PeerEvents;
  #waiting: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  /** The peer's state vector when it fell behind. */
  #behind: { stateVector: Uint8Array; sinceMs: number } | undefined;

  constructor(options: PeerOptions) {
    this.socket = options.socket;
    this.caller = options.caller;
    this.identity = options.identity;
    this.#hasExtras = options.hasExtras;
    this.#events = options.events;
    this.socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    this.socket.on("close", () => this.#events.closed(this));
    // `close` follows and cleans up.
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

  /** Sends a frame. A peer that is behind does not get it, since it gets everything at once later. */
  feed(frame: Uint8Array, before: Uint8Array): void {
    if (this.#behind !== undefined) return;
    if (this.socket.bufferedAmount > maxBufferedBytes)
      this.#behind = { stateVector: before, sinceMs: performance.now() };
    else this.send(frame);
  }

  /** Answers a sync request, or postpones it while the peer is behind. */
  async answer(stateVector: Uint8Array, write: (update: Uint8Array) => Uint8Array): Promise<void> {
    if (this.socket.bufferedAmount > maxBufferedBytes) this.#behind = { stateVector, sinceMs: performance.now() };
    else this.send(write(await this.#events.catchUp(stateVector)));
  }

  /**
   * Brings a peer up to date that was behind and has read everything. Closes a peer that does not read. @returns
   * whether it was brought up to date.
   */
  recover(write: (update: Uint8Array) => Uint8Array): boolean {
    if (this.#behind === undefined) return false;
    if (this.socket.bufferedAmount === 0) {
      const { stateVector } = this.#behind;
      this.#behind = undefined;
      this.answer(stateVector, write).catch((error: unknown) => this.#events.failed(this, error));
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
    // A paused socket would not see the peer's close frame.
    if (this.socket.isPaused) this.socket.resume();
  }

  terminate(): void {
    this.socket.terminate();
  }
}

function readable(data: Buffer): ClientMessage | undefined {
  try {
    return readMessage(new Uint8Array(data));
  } catch {
    return undefined;
  }
}

/** Whether bytes can be a state vector. */
export function isStateVector(bytes: Uint8Array): boolean {
  try {
    Y.decodeStateVector(bytes);
    return true;
  } catch {
    return false;
  }
}
