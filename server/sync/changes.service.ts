import type { AccessService } from "../../shared/access/access.service.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { exportBundles } from "../../shared/bundles/bundle.service.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host, ObjectKind } from "../../shared/kernel/host.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { firstEpoch, readEpoch } from "./epoch.repository.ts";
import { listFeed, readHead } from "./feed.repository.ts";
import { listApplied } from "./operation-result.repository.ts";
import { countedSince } from "./usage-feed.service.ts";

export interface ChangesService {
  /** @throws Failure 410 when the cursor is of another life of the database. */
  assertSameLife(cursor: string): Promise<void>;
  /**
   * What happened to the caller's objects after a cursor, as she may read them now.
   * @param cursor of an earlier page; undefined for everything.
   * @param waitMs how long to wait for the first change when there is none.
   * @throws Failure 410 when the cursor is of another life of the database: start again.
   */
  page(caller: Caller, cursor: string | undefined, limit: number, waitMs: number): Promise<FeedPage>;
}

/** A page ends after the objects with which it is longer than this, in characters of their rows. */
const pageBytes = 512 * 1024;
const objectsAtOnce = 50;

function sizeOf(bundle: Bundle): number {
  let size = 0;
  for (const rows of Object.values(bundle.rows)) {
    for (const row of rows) {
      for (const name in row) {
        const cell = row[name];
        if (typeof cell === "string") size += cell.length;
        else if (cell !== null && typeof cell === "object") size += cell.$bytes.length;
      }
    }
  }
  return size;
}

/** What a cursor stands for: positions in the feed and among what was counted, in one life of the database. */
interface Position {
  epoch: string;
  seq: number;
  counted: number;
}

/** Short, since every poll carries it: what is usual is left out. */
const encode = ({ epoch, seq, counted }: Position): string =>
  [epoch === firstEpoch ? "" : epoch, seq, ...(counted === 0 ? [] : [counted])].join(".");

function decode(cursor: string): Position {
  // Those given out before protocol 2 were written in base64.
  const text = cursor.includes(".") ? cursor : Buffer.from(cursor, "base64url").toString().replaceAll(" ", ".");
  const [named = "", seq = "", counted = "0"] = text.split(".");
  const epoch = named === "" ? firstEpoch : named;
  if (!/^\d+$/.test(seq) || !/^\d+$/.test(counted)) {
    throw new Failure("invalid", "The cursor is not one of this server's.");
  }
  return { epoch, seq: Number(seq), counted: Number(counted) };
}

/** Feed position of a cursor that was given out. */
export const seqOf = (cursor: string): number => decode(cursor).seq;

/** Resolves at the next commit of this process, or when the time is over. */
function nextCommit(host: Host, waitMs: number, closing: AbortSignal): { happened: Promise<void>; cancel(): void } {
  const { promise: happened, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(cancel, Math.max(0, waitMs));
  const stop = host.onCommitted(cancel);
  closing.addEventListener("abort", cancel);
  function cancel() {
    closing.removeEventListener("abort", cancel);
    clearTimeout(timer);
    stop();
    resolve();
  }
  return { happened, cancel };
}

/** The ordered feed of one person (hosts-and-sync 6, Feed). */
export function changesService(options: { host: Host; access: AccessService; closing: AbortSignal }): ChangesService {
  const { host, access, closing } = options;

  /** The objects of some rows of the feed, read together. */
  async function present(db: Db, caller: Caller, rows: readonly FeedRow[]): Promise<Change[]> {
    const refs = rows.map((row) => ({ kind: row.kind as ObjectKind, id: row.object_id }));
    const live = refs.filter((_, index) => rows[index]?.state === "live");
    const bundles = (await exportBundles({ db, access, caller }, live)).values();
    return rows.map((row): Change => {
      const change = { kind: row.kind as ObjectKind, id: row.object_id, seq: row.seq, state: row.state };
      return row.state === "live" ? { ...change, bundle: bundles.next().value } : change;
    });
  }

  /** What of the rows fits a page: whole transactions, and at least one. */
  async function fill(db: Db, caller: Caller, rows: readonly FeedRow[]): Promise<Change[]> {
    const changes: Change[] = [];
    for (let bytes = 0; changes.length < rows.length && bytes < pageBytes; ) {
      let end = Math.min(changes.length + objectsAtOnce, rows.length);
      while (end < rows.length && rows[end]?.seq === rows[end - 1]?.seq) end += 1;
      const found = await present(db, caller, rows.slice(changes.length, end));
      for (const { bundle } of found) bytes += bundle ? sizeOf(bundle) : 0;
      changes.push(...found);
    }
    return changes;
  }

  /** A page of one moment: an object's rows are those of its feed position, and of no later one. */
  async function snapshot(tx: Tx, caller: Caller, from: Position, limit: number): Promise<FeedPage> {
    const userId = caller.userId ?? "";
    const after = from.seq;
    const rows = await listFeed(tx, userId, after, limit);
    const changes = await fill(tx, caller, rows);
    const more = rows.length >= limit || changes.length < rows.length;
    const seq = more ? (changes.at(-1)?.seq ?? after) : Math.max(await readHead(tx), after);
    const families = changes.filter(({ kind, state }) => kind === "family" && state === "live").map(({ id }) => id);
    const { usage, position } = await countedSince(tx, access, { caller, after: from.counted, families });
    const cursor = encode({ epoch: from.epoch, seq, counted: position });
    return { changes, applied: await listApplied(tx, userId, after, seq), usage, cursor, seq, more, now: host.now() };
  }

  /** Returns as soon as there is something after the position, at the latest when the time is over. */
  async function untilNews(userId: string, after: number, waitMs: number): Promise<void> {
    const until = Date.now() + waitMs;
    while (Date.now() < until && !closing.aborted) {
      const commit = nextCommit(host, until - Date.now(), closing);
      const [row] = await listFeed(host.db, userId, after, 1);
      if (row) return commit.cancel();
      await commit.happened;
    }
  }

  /** A copy of old files put in place by hand keeps its epoch, but the cursor is beyond its end. */
  async function positionOf(cursor: string): Promise<Position> {
    const from = decode(cursor);
    if (from.epoch !== (await readEpoch(host.db)) || from.seq > (await readHead(host.db))) {
      throw new Failure("gone", "The server was restored from a backup: what this cursor stood for is gone.");
    }
    return from;
  }

  return {
    async assertSameLife(cursor) {
      await positionOf(cursor);
    },
    async page(caller, cursor, limit, waitMs) {
      const beginning = async () => ({ epoch: await readEpoch(host.db), seq: 0, counted: 0 });
      const from = cursor === undefined ? await beginning() : await positionOf(cursor);
      if (waitMs > 0) await untilNews(caller.userId ?? "", from.seq, waitMs);
      // The database closes soon, and whoever waited has hung up or asks again.
      if (closing.aborted) throw new Failure("unavailable", "The server is being stopped.");
      return transaction(host.db, (tx) => snapshot(tx, caller, from, limit));
    },
  };
}
