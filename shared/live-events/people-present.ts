import * as decoding from "lib0/decoding";
import { liveMessage } from "../sync-protocol/live.schema.ts";
import { type PresenceEntry, readPresence } from "../sync-protocol/presence-wire.ts";

/** Another user who has the draft open, or the same user elsewhere. */
export interface PresentUser {
  seat: number;
  id: string;
  name: string;
  /** Path of the field that has the cursor, such as `metadata.title`. */
  field: string | null;
}

const maxPeople = 200;

/** The presence states of a frame; none if it is of another kind or unreadable. */
function presenceIn(frame: Uint8Array): PresenceEntry[] {
  try {
    const decoder = decoding.createDecoder(frame);
    if (decoding.readVarUint(decoder) !== liveMessage.awareness) return [];
    return readPresence(decoding.readVarUint8Array(decoder));
  } catch {
    return [];
  }
}

function personOf(seat: number, state: unknown): PresentUser | undefined {
  const { user, field } = (state ?? {}) as { user?: { id?: unknown; name?: unknown }; field?: unknown };
  if (typeof user?.id !== "string" || typeof user.name !== "string") return undefined;
  return { seat, id: user.id, name: user.name, field: typeof field === "string" ? field : null };
}

/** Who else is at a document, as the frames of its room say. */
export class PeoplePresent {
  readonly #people = new Map<number, PresentUser>();
  readonly #own: number;

  /** @param own the client id of this seat, which is left out. */
  constructor(own: number) {
    this.#own = own;
  }

  get all(): PresentUser[] {
    return [...this.#people.values()];
  }

  /** @returns whether the frame said who is there. */
  receive(frame: Uint8Array): boolean {
    const entries = presenceIn(frame);
    for (const { clientId, state } of entries) {
      const person = clientId === this.#own ? undefined : personOf(clientId, state);
      if (!person) this.#people.delete(clientId);
      else if (this.#people.has(clientId) || this.#people.size < maxPeople) this.#people.set(clientId, person);
    }
    return entries.length > 0;
  }

  clear(): void {
    this.#people.clear();
  }
}
