import type { PresenceEntry } from "../../../shared/sync-protocol/presence-wire.ts";

/** Identity that the server sets in every state, so that nobody can pose as another user (hosts-and-sync 6). */
export interface Identity {
  id: string;
  name: string;
}

/** Any object that identifies one connection. */
export type ConnectionKey = object;

interface Present {
  holder: ConnectionKey;
  userId: string;
  entry: PresenceEntry;
  /** Time of the last ping, in milliseconds. */
  seen: number;
}

const lifeMs = 30_000;
/** Beyond any honest client. A higher value would leave no room for the next one. */
const maxClock = 2 ** 40;

/** The holder of all that other server processes tell. */
const elsewhere: ConnectionKey = {};

/** Who has a document open. Each connection speaks for one client id only. */
export class Presence {
  readonly #present = new Map<number, Present>();
  readonly #ids = new Map<ConnectionKey, number>();
  /** Last clock of each client id. A client that reconnects may repeat an old clock, which others would ignore. */
  readonly #clocks = new Map<number, number>();

  /** Receives the states of a connection. @returns what the others must get. */
  receive(
    holder: ConnectionKey,
    identity: Identity,
    entries: readonly PresenceEntry[],
    nowMs: number,
  ): PresenceEntry[] {
    const own = entries.find((entry) => this.#isOwn(holder, identity, entry));
    if (own === undefined || own.clock > maxClock) return [];
    if (own.state === null) return this.leave(holder);
    const entry = { clientId: own.clientId, clock: this.#nextClock(own), state: withIdentity(own.state, identity) };
    this.#ids.set(holder, own.clientId);
    this.#present.set(own.clientId, { holder, userId: identity.id, entry, seen: nowMs });
    return [entry];
  }

  /**
   * Whether the id is the connection's own: the one it used before, else a free one, or one of a dead connection of the
   * same user.
   */
  #isOwn(holder: ConnectionKey, identity: Identity, { clientId }: PresenceEntry): boolean {
    const bound = this.#ids.get(holder);
    if (bound !== undefined) return bound === clientId;
    const present = this.#present.get(clientId);
    return present === undefined || present.userId === identity.id;
  }

  #nextClock({ clientId, clock }: PresenceEntry): number {
    const next = Math.max((this.#clocks.get(clientId) ?? 0) + 1, clock);
    this.#clocks.set(clientId, next);
    return next;
  }

  /** Removes a connection. @returns what the others must get. */
  leave(holder: ConnectionKey): PresenceEntry[] {
    const clientId = this.#ids.get(holder);
    this.#ids.delete(holder);
    if (clientId === undefined || this.#present.get(clientId)?.holder !== holder) return [];
    return this.#forget(clientId);
  }

  /** Receives states that another process has checked. @returns what the connections here must get. */
  receiveElsewhere(entries: readonly PresenceEntry[], nowMs: number): PresenceEntry[] {
    return entries.flatMap(({ clientId, clock, state }) => {
      const present = this.#present.get(clientId);
      const isHere = present !== undefined && present.holder !== elsewhere;
      if (isHere || (state === null && present === undefined)) return [];
      if (state === null) return this.#forget(clientId);
      const entry = { clientId, clock: this.#nextClock({ clientId, clock, state }), state };
      this.#present.set(clientId, { holder: elsewhere, userId: userIn(state), entry, seen: nowMs });
      return [entry];
    });
  }

  #forget(clientId: number): PresenceEntry[] {
    this.#present.delete(clientId);
    return [{ clientId, clock: this.#nextClock({ clientId, clock: 0, state: null }), state: null }];
  }

  /** Removes users without a ping for 30 s. @returns what the others must get. */
  expire(nowMs: number): PresenceEntry[] {
    const silent = [...this.#present.values()].filter(({ seen }) => seen < nowMs - lifeMs);
    return silent.flatMap(({ holder, entry }) =>
      holder === elsewhere ? this.#forget(entry.clientId) : this.leave(holder),
    );
  }

  /** The states of the connections of this process. */
  ownEntries(): PresenceEntry[] {
    return [...this.#present.values()].filter(({ holder }) => holder !== elsewhere).map(({ entry }) => entry);
  }

  entries(): PresenceEntry[] {
    return [...this.#present.values()].map(({ entry }) => entry);
  }
}

function userIn(state: unknown): string {
  const { user } = state as { user?: { id?: unknown } };
  return String(user?.id);
}

function withIdentity(state: unknown, identity: Identity): unknown {
  const sent: Record<string, unknown> = typeof state === "object" && state !== null ? { ...state } : {};
  const user = typeof sent.user === "object" && sent.user !== null ? sent.user : {};
  return { ...sent, user: { ...user, id: identity.id, name: identity.name } };
}
