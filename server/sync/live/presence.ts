import type { PresenceEntry } from "../../../shared/sync-protocol/presence-wire.ts";

/** Who somebody is, put into every state: nobody shows up under another's name (hosts-and-sync 6). */
export interface Identity {
  id: string;
  name: string;
}

/** Anything that stays the same object for one connection. */
export type Holder = object;

interface Present {
  holder: Holder;
  userId: string;
  entry: PresenceEntry;
  /** Milliseconds of the last sign of life. */
  seen: number;
}

const lifeMs = 30_000;
/** No honest client counts so far; a higher one would leave no room for the next. */
const maxClock = 2 ** 40;

/** Who is at a document. One client id for each connection, and each connection speaks only for itself. */
export class Presence {
  readonly #present = new Map<number, Present>();
  readonly #ids = new Map<Holder, number>();
  /** Last clock given out for a client id. A client that comes back may repeat an old one and would not be seen. */
  readonly #clocks = new Map<number, number>();

  /** Takes what a connection says; answers what others must hear. */
  take(holder: Holder, identity: Identity, entries: readonly PresenceEntry[], nowMs: number): PresenceEntry[] {
    const own = entries.find((entry) => this.#isOwn(holder, identity, entry));
    if (own === undefined || own.clock > maxClock) return [];
    if (own.state === null) return this.leave(holder);
    const entry = { clientId: own.clientId, clock: this.#nextClock(own), state: withIdentity(own.state, identity) };
    this.#ids.set(holder, own.clientId);
    this.#present.set(own.clientId, { holder, userId: identity.id, entry, seen: nowMs });
    return [entry];
  }

  /** A connection's own id: the one it used before, else the first that belongs to nobody, or to the same person's dead one. */
  #isOwn(holder: Holder, identity: Identity, { clientId }: PresenceEntry): boolean {
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

  /** A connection is gone; answers what others must hear. */
  leave(holder: Holder): PresenceEntry[] {
    const clientId = this.#ids.get(holder);
    this.#ids.delete(holder);
    if (clientId === undefined || this.#present.get(clientId)?.holder !== holder) return [];
    this.#present.delete(clientId);
    return [{ clientId, clock: this.#nextClock({ clientId, clock: 0, state: null }), state: null }];
  }

  /** Drops who gave no sign of life for 30 s; answers what others must hear. */
  expire(nowMs: number): PresenceEntry[] {
    const silent = [...this.#present.values()].filter(({ seen }) => seen < nowMs - lifeMs);
    return silent.flatMap(({ holder }) => this.leave(holder));
  }

  entries(): PresenceEntry[] {
    return [...this.#present.values()].map(({ entry }) => entry);
  }
}

function withIdentity(state: unknown, identity: Identity): unknown {
  const sent: Record<string, unknown> = typeof state === "object" && state !== null ? { ...state } : {};
  const user = typeof sent.user === "object" && sent.user !== null ? sent.user : {};
  return { ...sent, user: { ...user, id: identity.id, name: identity.name } };
}
