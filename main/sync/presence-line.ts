import * as decoding from "lib0/decoding";
import type { Logger } from "pino";
import { WebSocket } from "ws";
import { liveMessage } from "../../shared/sync-protocol/live.schema.ts";
import { type PresenceEntry, readPresence, writePresence } from "../../shared/sync-protocol/presence-wire.ts";
import type { SyncEngine } from "./engine.ts";
import type { EventStream } from "./event-stream.ts";

/** Somebody else who has the draft open: another person, or oneself on another computer. */
export interface PersonHere {
  seat: number;
  id: string;
  name: string;
  /** Path of the field she is in, such as `metadata.title`. */
  field: string | null;
}

export interface PresenceOptions {
  engine: SyncEngine;
  log: Logger;
  /** Told who is at a draft. */
  events: Pick<EventStream, "people">;
}

interface Seat {
  field: string | null;
  /** Milliseconds of the last sign of the window. */
  seen: number;
}

/** One draft that windows of this computer have open. */
interface Room {
  draft: string;
  seats: Map<string, Seat>;
  people: Map<number, PersonHere>;
  clientId: number;
  clock: number;
  socket: WebSocket | undefined;
  isOpening: boolean;
  field: string | null;
}

const beatMs = 10_000;
const seatLifeMs = 40_000;

/**
 * Tells the server's live documents who is at a draft on this computer, and its windows who else is there. Only while
 * the server can be reached, and only while a window has the draft open; nothing of it is kept.
 */
export class PresenceLine {
  readonly #options: PresenceOptions;
  readonly #rooms = new Map<string, Room>();
  readonly #beat: NodeJS.Timeout;
  #wasOnline = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#beat = setInterval(() => this.#tick(), beatMs);
    this.#beat.unref();
  }

  /** A window has the draft open, with the cursor in this field. */
  sit(draft: string, window: string, field: string | null): void {
    const room = this.#rooms.get(draft) ?? newRoom(draft);
    this.#rooms.set(draft, room);
    room.seats.set(window, { field, seen: Date.now() });
    room.field = field;
    if (room.socket?.readyState === WebSocket.OPEN) this.#tell(room);
    else this.#open(room);
  }

  leave(draft: string, window: string): void {
    const room = this.#rooms.get(draft);
    room?.seats.delete(window);
    if (room && room.seats.size === 0) this.#close(room);
  }

  /** Something about the line to the server changed: when it is back, nobody waits for the next beat to be seen. */
  poke(): void {
    const isOnline = this.#options.engine.isOnline();
    if (isOnline && !this.#wasOnline) for (const room of this.#rooms.values()) this.#open(room);
    this.#wasOnline = isOnline;
  }

  stop(): void {
    clearInterval(this.#beat);
    for (const room of this.#rooms.values()) this.#close(room);
  }

  #close(room: Room): void {
    this.#empty(room);
    this.#rooms.delete(room.draft);
    if (room.socket?.readyState === WebSocket.OPEN) this.#say(room, null);
    room.socket?.close();
  }

  /** Nobody is seen any more. What ends in a room that was closed meanwhile says nothing about its successor. */
  #empty(room: Room): void {
    room.people.clear();
    if (this.#rooms.get(room.draft) === room) this.#options.events.people(room.draft, []);
  }

  #tick(): void {
    const oldest = Date.now() - seatLifeMs;
    for (const room of this.#rooms.values()) {
      for (const [window, { seen }] of room.seats) if (seen < oldest) room.seats.delete(window);
      if (room.seats.size === 0) this.#close(room);
      else if (room.socket?.readyState === WebSocket.OPEN) this.#tell(room);
      else this.#open(room);
    }
  }

  #tell(room: Room): void {
    this.#say(room, { user: {}, field: room.field });
  }

  #say(room: Room, state: unknown): void {
    room.clock += 1;
    room.socket?.send(writePresence([{ clientId: room.clientId, clock: room.clock, state }]));
  }

  #open(room: Room): void {
    if (room.isOpening || room.socket || !this.#options.engine.isOnline()) return;
    room.isOpening = true;
    this.#connect(room)
      .catch((error: unknown) =>
        this.#options.log.debug({ err: error, draft: room.draft }, "nobody can be seen at the draft"),
      )
      .finally(() => {
        room.isOpening = false;
      });
  }

  async #connect(room: Room): Promise<void> {
    const { line } = this.#options.engine;
    const name = `draft:${room.draft}`;
    const answer = await line.transport?.call("POST", "/api/sync/ticket", { document: name });
    if (answer?.status !== 201 || !line.connection || room.seats.size === 0) return;
    const { ticket } = answer.body as { ticket: string };
    const address = `${line.connection.server.replace(/^http/, "ws")}/api/sync/documents/${name}?ticket=${ticket}`;
    const socket = new WebSocket(address);
    room.socket = socket;
    socket.on("open", () => (room.seats.size === 0 ? socket.close() : this.#tell(room)));
    socket.on("message", (data: Buffer) => this.#hear(room, data));
    // What is wrong with the connection ends in `close`, which follows.
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      room.socket = undefined;
      this.#empty(room);
    });
  }

  #hear(room: Room, data: Buffer): void {
    const entries = presenceIn(data);
    if (entries.length === 0 || this.#rooms.get(room.draft) !== room) return;
    for (const { clientId, state } of entries) {
      const person = clientId === room.clientId ? undefined : personOf(clientId, state);
      if (person) room.people.set(clientId, person);
      else room.people.delete(clientId);
    }
    this.#options.events.people(room.draft, [...room.people.values()]);
  }
}

const newRoom = (draft: string): Room => ({
  draft,
  seats: new Map(),
  people: new Map(),
  clientId: Math.floor(Math.random() * 2 ** 32),
  clock: 0,
  socket: undefined,
  isOpening: false,
  field: null,
});

/** The states of a frame; none when it is of another kind or cannot be read. */
function presenceIn(data: Buffer): PresenceEntry[] {
  try {
    const decoder = decoding.createDecoder(data);
    if (decoding.readVarUint(decoder) !== liveMessage.awareness) return [];
    return readPresence(decoding.readVarUint8Array(decoder));
  } catch {
    return [];
  }
}

function personOf(seat: number, state: unknown): PersonHere | undefined {
  const { user, field } = (state ?? {}) as { user?: { id?: unknown; name?: unknown }; field?: unknown };
  if (typeof user?.id !== "string" || typeof user.name !== "string") return undefined;
  return { seat, id: user.id, name: user.name, field: typeof field === "string" ? field : null };
}
