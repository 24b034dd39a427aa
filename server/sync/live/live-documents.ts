import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import type { AccessService } from "../../../shared/access/access.service.ts";
import { isAtLeast } from "../../../shared/access/level.policy.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { Failure, forbidden, notFound } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { startJob } from "../../../shared/kernel/job.ts";
import { liveClose, maxFrameBytes } from "../../../shared/sync-protocol/live.schema.ts";
import type { PresenceEntry } from "../../../shared/sync-protocol/presence-wire.ts";
import type { ProcessLink } from "../../process-link.ts";
import { compaction } from "./compaction.service.ts";
import { type HttpParticipants, httpParticipants } from "./http-participants.ts";
import { findLiveDocument, findNewId } from "./live.repository.ts";
import { callerNow, identityOf } from "./live-caller.service.ts";
import { LivePeer } from "./live-peer.ts";
import { LiveRoom, type OpenedDocument, type UpdateContext } from "./live-room.ts";
import { type TicketService, ticketService } from "./live-ticket.service.ts";
import { readTarget, refuseUpgrade } from "./live-upgrade.ts";
import { watchRooms } from "./live-watch.ts";
import type { Identity } from "./presence.ts";

/** An update to a draft's document, as input of `draft.edit`. */
export interface LiveEdit {
  id: string;
  epoch: number;
  /** Base64. */
  update: string;
  /** Empty: a live editor sees the changes of others, so there is nothing to compare. */
  changes: [];
}

export interface LiveOptions {
  host: Host;
  access: AccessService;
  log: Logger;
  /** Absent where no other process has the database. */
  link?: ProcessLink | undefined;
  /** Merges an update into a draft's document through `host.write`. @throws Failure. */
  edit(caller: Caller, command: LiveEdit, basis: UpdateContext): Promise<unknown>;
}

/** Documents that several users edit at the same time (hosts-and-sync 6, Live documents). */
export interface LiveDocuments {
  tickets: TicketService;
  /** Browsers that have a draft open. */
  participants: HttpParticipants;
  /** How much is open. */
  counts(): { documents: number; sockets: number };
  /** Listener for the HTTP server's `upgrade` event. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all connections. Clients reconnect to the next process. After 2 s the rest is terminated. */
  close(): Promise<void>;
}

/** Rooms forget who is silent for 30 s. */
const participantBeatMs = 10_000;

/** Time for a peer to answer the close frame. */
const graceMs = 2000;

interface Admitted {
  caller: Caller;
  identity: Identity;
  document: OpenedDocument;
  hasExtras: boolean;
}

/** An update sent by a peer. */
interface PeerEdit extends Pick<LiveEdit, "id" | "epoch"> {
  update: Uint8Array;
  basis: UpdateContext;
}

/** Withdrawn credentials must not edit, even before the watch closes their sockets. */
async function editAs({ host, edit }: LiveOptions, peer: LivePeer, sent: PeerEdit): Promise<void> {
  const caller = await callerNow(host, peer.caller);
  if (!caller) throw new Failure("unauthorized", "Sign in again.");
  const { id, epoch, basis } = sent;
  await edit(caller, { id, epoch, update: Buffer.from(sent.update).toString("base64"), changes: [] }, basis);
}

/** Checks that the caller may see the draft, and loads its document. @throws Failure 403, 404. */
async function openDocument({ host, access }: LiveOptions, caller: Caller, draftId: string) {
  const id = (await findNewId(host.db, draftId)) ?? draftId;
  const document = await findLiveDocument(host.db, id);
  if (!document) throw notFound("The draft does not exist.");
  const { level } = await access.ofDraft(host.db, caller, document);
  const identity = await identityOf(host.db, caller);
  if (!isAtLeast(level, "preview") || !identity) throw forbidden();
  const stateVector = await inDocuments("stateVector", document.state);
  return { identity, document: { ...document, stateVector } };
}

async function closeRooms(rooms: ReadonlyMap<string, LiveRoom>): Promise<void> {
  for (const room of rooms.values()) room.closeAll(liveClose.restarting, "the server restarts");
  for (let waited = 0; rooms.size > 0 && waited < graceMs; waited += 20) await setTimeout(20);
  for (const room of rooms.values()) for (const peer of room.peers) peer.terminate();
}

/** Lets rooms know who is present at the same document in other processes. */
function receivePresence(link: ProcessLink, rooms: ReadonlyMap<string, LiveRoom>): void {
  link.onMessage("presence", (message) => {
    const { draft, entries } = message as { draft: string; entries: PresenceEntry[] };
    rooms.get(draft)?.receiveElsewhere(entries);
  });
  link.onMessage("who", (message) => rooms.get((message as { draft: string }).draft)?.answerElsewhere());
  link.onGap(() => {
    for (const id of rooms.keys()) link.send("who", { draft: id });
  });
}

export function liveDocuments(options: LiveOptions): LiveDocuments {
  const { host, access, log, link } = options;
  const rooms = new Map<string, LiveRoom>();
  let isClosing = false;
  const tickets = ticketService(host);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const report = (error: unknown): void => log.error({ err: error }, "live documents");

  async function open(caller: Caller, draftId: string): Promise<Pick<Admitted, "identity" | "document">> {
    if (isClosing) throw new Failure("unavailable", "The server is stopping.");
    return openDocument(options, caller, draftId);
  }

  async function admit(req: IncomingMessage): Promise<Admitted> {
    if (isClosing) throw new Failure("unavailable", "The server is stopping.");
    const { room, draftId, ticket, hasExtras } = readTarget(req);
    const holder = ticket === undefined ? undefined : await tickets.redeem(ticket, room);
    const caller = holder && (await callerNow(host, holder));
    if (!caller) throw new Failure("unauthorized", "A valid ticket is needed.");
    if (draftId === undefined) throw notFound();
    return { caller, ...(await open(caller, draftId)), hasExtras };
  }

  function roomOf(document: OpenedDocument): LiveRoom {
    const { id, epoch } = document;
    const known = rooms.get(id);
    if (known !== undefined && known.epoch === epoch) return known;
    const room = new LiveRoom({
      document,
      edit: (peer, update, basis) => editAs(options, peer, { id, epoch, update, basis }),
      load: () => findLiveDocument(host.db, id),
      emptied: (empty) => {
        if (rooms.get(id) === empty) rooms.delete(id);
      },
      sendElsewhere: (entries) => link?.send("presence", { draft: id, entries }),
      report,
    });
    rooms.set(id, room);
    link?.send("who", { draft: id });
    return room;
  }

  function join(socket: WebSocket, { caller, identity, document, hasExtras }: Admitted): void {
    const room = roomOf(document);
    room.join(new LivePeer({ socket, caller, identity, hasExtras, events: room }));
    // Catches commits between reading the document and joining the room.
    room.refresh().catch(report);
  }

  if (link) receivePresence(link, rooms);
  const participants = httpParticipants({ open, roomOf, newClientId: host.newClientId });
  const watch = watchRooms({ host, access, rooms, log, report });
  const repeating = startJob({
    ...{ name: "the participants of browsers", everyMs: participantBeatMs, log },
    work: async () => participants.tick(performance.now()),
  });
  const tidying = compaction({ host, isOpen: (draftId) => rooms.has(draftId), log });
  return {
    tickets,
    participants,
    counts: () => ({ documents: rooms.size, sockets: sockets.clients.size }),
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
      const stopped = Promise.all([watch.stop(), tidying.stop(), repeating.stop()]);
      await closeRooms(rooms);
      await stopped;
    },
  };
}
