import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import type { AccessService } from "../../../shared/access/access.service.ts";
import { isAtLeast } from "../../../shared/access/level.policy.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { Failure, forbidden, notFound } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { liveClose, maxFrameBytes } from "../../../shared/sync-protocol/live.schema.ts";
import { compaction } from "./compaction.service.ts";
import { findLiveDocument, findNewId } from "./live.repository.ts";
import { callerNow, identityOf } from "./live-caller.service.ts";
import { LivePeer } from "./live-peer.ts";
import { type Basis, LiveRoom, type StoredDocument } from "./live-room.ts";
import { type TicketService, ticketService } from "./live-ticket.service.ts";
import { readTarget, refuseUpgrade } from "./live-upgrade.ts";
import { watchRooms } from "./live-watch.ts";
import type { Identity } from "./presence.ts";

/** An update to a draft's document, as `draft.edit` takes it. */
export interface LiveEdit {
  id: string;
  epoch: number;
  /** Base64. */
  update: string;
  /** Nothing to compare: who edits live sees what the others do. */
  changes: [];
}

export interface LiveOptions {
  host: Host;
  access: AccessService;
  log: Logger;
  /** Merges an update into a draft's document, through the one write door. @throws Failure. */
  edit(caller: Caller, command: LiveEdit, basis: Basis): Promise<unknown>;
}

/** Documents that people edit at the same time (hosts-and-sync 6, Live documents). */
export interface LiveDocuments {
  tickets: TicketService;
  /** Listener of the HTTP server's `upgrade`. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends everybody away; they come back to the next process. Who does not go within 2 s is cut off. */
  close(): Promise<void>;
}

/** How long a peer has to answer the closing. */
const graceMs = 2000;

interface Admitted {
  caller: Caller;
  identity: Identity;
  document: StoredDocument;
  hasExtras: boolean;
}

export function liveDocuments(options: LiveOptions): LiveDocuments {
  const { host, access, log } = options;
  const rooms = new Map<string, LiveRoom>();
  let isClosing = false;
  const tickets = ticketService(host);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const report = (error: unknown): void => log.error({ err: error }, "live documents");

  async function admit(req: IncomingMessage): Promise<Admitted> {
    if (isClosing) throw new Failure("unavailable", "The server is stopping.");
    const { room, draftId, ticket, hasExtras } = readTarget(req);
    const holder = ticket === undefined ? undefined : tickets.redeem(ticket, room);
    const caller = holder && (await callerNow(host.db, holder, host.now()));
    if (!caller) throw new Failure("unauthorized", "A valid ticket is needed.");
    if (draftId === undefined) throw notFound();
    const id = (await findNewId(host.db, draftId)) ?? draftId;
    const document = await findLiveDocument(host.db, id);
    if (!document) throw notFound("The draft does not exist.");
    const { level } = await access.ofDraft(host.db, caller, document);
    const identity = await identityOf(host.db, caller);
    if (!isAtLeast(level, "preview") || !identity) throw forbidden();
    return { caller, identity, document, hasExtras };
  }

  function roomOf(document: StoredDocument): LiveRoom {
    const { id, epoch } = document;
    const known = rooms.get(id);
    if (known !== undefined && known.epoch === epoch) return known;
    const room = new LiveRoom({
      document,
      edit: async ({ caller }, update, basis) => {
        const command: LiveEdit = { id, epoch, update: Buffer.from(update).toString("base64"), changes: [] };
        await options.edit(caller, command, basis);
      },
      load: () => findLiveDocument(host.db, id),
      emptied: (empty) => {
        if (rooms.get(id) === empty) rooms.delete(id);
      },
      report,
    });
    rooms.set(id, room);
    return room;
  }

  function join(socket: WebSocket, { caller, identity, document, hasExtras }: Admitted): void {
    const room = roomOf(document);
    room.join(new LivePeer({ socket, caller, identity, hasExtras, events: room }));
    // Something may have been committed between reading the document and being here.
    room.refresh().catch(report);
  }

  const watch = watchRooms({ host, access, rooms, report });
  const tidying = compaction({ host, isOpen: (draftId) => rooms.has(draftId), report });
  return {
    tickets,
    upgrade(req, socket, head) {
      socket.on("error", () => socket.destroy());
      admit(req).then(
        (admitted) => sockets.handleUpgrade(req, socket, head, (peer) => join(peer, admitted)),
        (error: unknown) => {
          if (!(error instanceof Failure)) report(error);
          refuseUpgrade(socket, error);
        },
      );
    },
    async close() {
      isClosing = true;
      watch.stop();
      tidying.stop();
      for (const room of rooms.values()) room.closeAll(liveClose.restarting, "the server restarts");
      for (let waited = 0; rooms.size > 0 && waited < graceMs; waited += 20) await setTimeout(20);
      for (const room of rooms.values()) for (const { socket } of room.peers) socket.terminate();
    },
  };
}
