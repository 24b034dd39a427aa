import type { Caller } from "../../../shared/kernel/caller.ts";
import type { Identity } from "./presence.ts";

/** What a room needs of who is in it: a connection to the document, or the participant of a browser. */
export interface RoomPeer {
  readonly identity: Identity;
  /** The caller as of the last check. */
  caller: Caller;
  send(frame: Uint8Array): void;
  /** Sends a frame. A peer that is behind does not get it, since it gets everything at once later. */
  feed(frame: Uint8Array, before: Uint8Array): void;
  /** Brings a peer up to date that was behind. @returns whether it was. */
  recover(write: (update: Uint8Array) => Uint8Array): boolean;
  close(code: number, reason: string): void;
  /** Ends without waiting for the other side. */
  terminate(): void;
}
