import type { Logger } from "pino";
import { WebSocket } from "ws";
import { PeoplePresent } from "../../shared/live-events/people-present.ts";
import type { Presence, WindowAt } from "../../shared/live-events/presence.routes.ts";
import { writePresence } from "../../shared/sync-protocol/presence-wire.ts";
import type { SyncEngine } from "./engine.ts";
import type { WindowEvents } from "./window-events.ts";

export interface PresenceOptions {
  engine: SyncEngine;
  log: Logger;
  /** Receives who has a draft open. */
  events: Pick<WindowEvents, "people">;
}

interface Seat {
  field: string | null;
  /** When the window last called, in milliseconds. */
  seen: number;
}

/** One draft that is open in windows of this computer. */
interface Room {
  draft: string;
  seats: Map<string, Seat>;
  people: PeoplePresent;
  clientId: number;
  clock: number;
  socket: WebSocket | undefined;
  isOpening: boolean;
  field: string | null;
  /** Frames since the last heartbeat. */
  frames: number;
}

/** Limits on what the server may send: bytes a frame, frames a heartbeat. */
const limits = { bytes: 1024 * 1024, frames: 2000 };
const socketOptions = {
  maxPayload: limits.bytes,
  perMessageDeflate: false,
  followRedirects: false,
  handshakeTimeout: 10_000,
};

const heartbeatMs = 10_000;
const seatLifeMs = 40_000;

/**
 * Exchanges presence with the server: who has a draft open here and elsewhere. Works only online, while a window has
 * the draft open. Nothing is stored.
 */
export class PresenceClient implements Presence {
  readonly #options: PresenceOptions;
  readonly #rooms = new Map<string, Room>();
  readonly #heartbeat: NodeJS.Timeout;
  #wasOnline = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#onHeartbeat(), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** A window has the draft open, with the cursor in this field. */
  join({ draft, window }: Omit<WindowAt, "caller">, field: string | null): void {
    const room = this.#rooms.get(draft) ?? newRoom(draft);
    this.#rooms.set(draft, room);
    room.seats.set(window, { field, seen: performance.now() });
    room.field = field;
    if (room.socket?.readyState === WebSocket.OPEN) this.#sendPresence(room);
    else this.#open(room);
  }

  leave({ draft, window }: Omit<WindowAt, "caller">): void {
    const room = this.#rooms.get(draft);
    room?.seats.delete(window);
    if (room && room.seats.size === 0) this.#close(room);
  }

  /** Called when the connection changed. Reconnects at once instead of at the next heartbeat. */
  notify(): void {
    const isOnline = this.#options.engine.isOnline();
    if (isOnline && !this.#wasOnline) for (const room of this.#rooms.values()) this.#open(room);
    this.#wasOnline = isOnline;
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    for (const room of this.#rooms.values()) this.#close(room);
  }

  #close(room: Room): void {
    this.#clearPeople(room);
    this.#rooms.delete(room.draft);
    if (room.socket?.readyState === WebSocket.OPEN) this.#send(room, null);
    room.socket?.close();
  }

  /** Clears the users of a room. A room that was closed and opened again keeps its own. */
  #clearPeople(room: Room): void {
    room.people.clear();
    if (this.#rooms.get(room.draft) === room) this.#options.events.people(room.draft, []);
  }

  #onHeartbeat(): void {
    const oldest = performance.now() - seatLifeMs;
    for (const room of this.#rooms.values()) {
      room.frames = 0;
      for (const [window, { seen }] of room.seats) if (seen < oldest) room.seats.delete(window);
      if (room.seats.size === 0) this.#close(room);
      else if (room.socket?.readyState === WebSocket.OPEN) this.#sendPresence(room);
      else this.#open(room);
    }
  }

  #sendPresence(room: Room): void {
    this.#send(room, { user: {}, field: room.field });
  }

  #send(room: Room, state: unknown): void {
    room.clock += 1;
    room.socket?.send(writePresence([{ clientId: room.clientId, clock: room.clock, state }]));
  }

  #open(room: Room): void {
    if (room.isOpening || room.socket || !this.#options.engine.isOnline()) return;
    room.isOpening = true;
    this.#connect(room)
      .catch((error: unknown) =>
        this.#options.log.debug({ err: error, draft: room.draft }, "the presence connection could not be opened"),
      )
      .finally(() => {
        room.isOpening = false;
      });
  }

  async #connect(room: Room): Promise<void> {
    const { connection } = this.#options.engine;
    const address = await connection.upstream?.liveAddress(`draft:${room.draft}`);
    if (address === undefined || room.seats.size === 0) return;
    const socket = new WebSocket(address, socketOptions);
    room.socket = socket;
    socket.on("open", () => (room.seats.size === 0 ? socket.close() : this.#sendPresence(room)));
    socket.on("message", (data: Buffer) => this.#receive(room, data));
    // `close` follows and cleans up.
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      room.socket = undefined;
      this.#clearPeople(room);
    });
  }

  #receive(room: Room, data: Buffer): void {
    room.frames += 1;
    if (room.frames > limits.frames) room.socket?.terminate();
    if (room.frames > limits.frames) return;
    if (this.#rooms.get(room.draft) !== room || !room.people.receive(data)) return;
    this.#options.events.people(room.draft, room.people.all);
  }
}

function newRoom(draft: string): Room {
  const clientId = Math.floor(Math.random() * 2 ** 32);
  const people = new PeoplePresent(clientId);
  return {
    draft,
    seats: new Map(),
    people,
    clientId,
    clock: 0,
    socket: undefined,
    isOpening: false,
    field: null,
    frames: 0,
  };
}
