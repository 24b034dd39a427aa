import type { Logger } from "pino";
import type { AccessService } from "../../../shared/access/access.service.ts";
import { isAtLeast } from "../../../shared/access/level.policy.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { startJob } from "../../../shared/kernel/job.ts";
import type { ObjectRef } from "../../../shared/kernel/object-ref.ts";
import { liveClose } from "../../../shared/sync-protocol/live.schema.ts";
import { listValidSessions, listValidTokens, readForeignWrites } from "./live.repository.ts";
import { callerNow } from "./live-caller.service.ts";
import type { LiveRoom } from "./live-room.ts";
import type { RoomPeer } from "./room-peer.ts";

export interface WatchOptions {
  host: Host;
  access: AccessService;
  rooms: ReadonlyMap<string, LiveRoom>;
  log: Logger;
  report(error: unknown): void;
}

/** How often rooms touched by a commit are checked. Withdrawn access must take effect within 1 s. */
const tickMs = 250;
/** Every 20 s: a ping, and a check of what expires by the clock (access links). */
const ticksPerRound = 80;

/** Filters the credentials that are still valid. */
async function filterValid(host: Host, list: typeof listValidTokens, named: string[]): Promise<string[]> {
  const ids = [...new Set(named)];
  const good: string[] = [];
  for (let at = 0; at < ids.length; at += 500) {
    good.push(...(await list(host.db, ids.slice(at, at + 500), host.now())));
  }
  return good;
}

/** Tokens and sessions end without a feed entry, so all are checked with one query each. */
async function checkCredentials({ host, rooms }: WatchOptions): Promise<void> {
  const peers = [...rooms.values()].flatMap((room) => [...room.peers]);
  const tokens = peers.flatMap(({ caller }) => caller.tokenId ?? []);
  const sessions = peers.flatMap(({ caller }) => caller.sessionId ?? []);
  const good = new Set([
    ...(await filterValid(host, listValidTokens, tokens)),
    ...(await filterValid(host, listValidSessions, sessions)),
  ]);
  for (const peer of peers) {
    const id = peer.caller.tokenId ?? peer.caller.sessionId;
    if (id !== undefined && !good.has(id)) peer.close(liveClose.signInAgain, "sign in again");
  }
}

/**
 * Watches commits of all processes: sends changes on, and closes sockets whose users lost access (hosts-and-sync 6,
 * Live documents).
 */
export function watchRooms(options: WatchOptions): { stop(): Promise<void> } {
  const { host, access, rooms, log, report } = options;
  const due = new Set<LiveRoom>();
  let ticks = 0;
  let foreignWrites: number | undefined;

  async function check(room: LiveRoom, peer: RoomPeer): Promise<void> {
    const caller = await callerNow(host, peer.caller);
    if (caller) peer.caller = caller;
    else peer.close(liveClose.signInAgain, "sign in again");
    const level = caller && (await levelOf(room, peer));
    if (level !== undefined && !isAtLeast(level, "preview")) peer.close(liveClose.withdrawn, "access was withdrawn");
  }

  async function levelOf(room: LiveRoom, { caller }: RoomPeer) {
    try {
      return (await access.ofDraft(host.db, caller, { id: room.id, parent_id: room.parentId })).level;
    } catch (error) {
      // The family is gone.
      if (error instanceof Failure) return "none";
      throw error;
    }
  }

  async function checkDue(): Promise<void> {
    const concerned = [...due];
    due.clear();
    for (const room of concerned) for (const peer of [...room.peers]) await check(room, peer);
  }

  async function tick(): Promise<void> {
    if (rooms.size === 0) return;
    const isRound = ++ticks % ticksPerRound === 0;
    for (const room of rooms.values()) room.tick(performance.now(), isRound);
    const seen = await readForeignWrites(host.db);
    const isForeign = seen !== foreignWrites;
    foreignWrites = seen;
    for (const room of rooms.values()) {
      if (isForeign) await room.refresh();
      if (isForeign || isRound) due.add(room);
    }
    await checkDue();
    await checkCredentials(options);
  }

  /** Changes of users, groups and requests may affect all rooms; a family only its own. */
  function onCommit(touched: readonly ObjectRef[]): void {
    const isForAll = touched.some(({ kind }) => kind !== "family");
    const families = new Set(touched.filter(({ kind }) => kind === "family").map(({ id }) => id));
    for (const room of rooms.values()) {
      if (isForAll || families.has(room.parentId)) due.add(room);
      if (families.has(room.parentId)) room.refresh().catch(report);
    }
  }

  const stopListening = host.onCommitted(onCommit);
  const job = startJob({ name: "the watch over live documents", everyMs: tickMs, work: tick, log });
  return {
    stop() {
      stopListening();
      return job.stop();
    },
  };
}
