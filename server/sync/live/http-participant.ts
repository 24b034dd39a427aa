import type { Caller } from "../../../shared/kernel/caller.ts";
import { PeoplePresent, type PresentUser } from "../../../shared/live-events/people-present.ts";
import type { PresenceEntry } from "../../../shared/sync-protocol/presence-wire.ts";
import type { Identity } from "./presence.ts";
import type { RoomPeer } from "./room-peer.ts";

/** A window that did not report for this long is gone. Windows report every 15 s. */
const windowLifeMs = 40_000;
const maxWindows = 50;

export interface ParticipantOptions {
  draft: string;
  caller: Caller;
  identity: Identity;
  clientId: number;
  /** Called with who else is at the draft. */
  onPeople(people: PresentUser[]): void;
  /** Called once, when the room closed the participant. */
  onClosed(participant: HttpParticipant): void;
}

/** One browser that has a draft open: it takes part in presence over HTTP, and never in the document. */
export class HttpParticipant implements RoomPeer {
  readonly draft: string;
  readonly identity: Identity;
  caller: Caller;
  readonly #options: ParticipantOptions;
  readonly #windows = new Map<string, number>();
  readonly #people: PeoplePresent;
  #clock = 0;
  #field: string | null = null;
  #isClosed = false;

  constructor(options: ParticipantOptions) {
    this.#options = options;
    this.draft = options.draft;
    this.identity = options.identity;
    this.caller = options.caller;
    this.#people = new PeoplePresent(options.clientId);
  }

  get people(): PresentUser[] {
    return this.#people.all;
  }

  /** Whether a window still has the draft open. */
  isPresent(nowMs: number): boolean {
    for (const [window, seen] of this.#windows) if (seen < nowMs - windowLifeMs) this.#windows.delete(window);
    return this.#windows.size > 0;
  }

  report(window: string, field: string | null, nowMs: number): void {
    if (!this.#windows.has(window) && this.#windows.size >= maxWindows) return;
    this.#windows.set(window, nowMs);
    this.#field = field;
  }

  leave(window: string): void {
    this.#windows.delete(window);
  }

  /** The state that the room tells the others. */
  entry(): PresenceEntry {
    this.#clock += 1;
    return { clientId: this.#options.clientId, clock: this.#clock, state: { user: {}, field: this.#field } };
  }

  send(frame: Uint8Array): void {
    if (!this.#isClosed && this.#people.receive(frame)) this.#options.onPeople(this.people);
  }

  feed(frame: Uint8Array): void {
    this.send(frame);
  }

  recover(): boolean {
    return false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#people.clear();
    this.#options.onPeople([]);
    this.#options.onClosed(this);
  }

  terminate(): void {
    this.close();
  }
}
