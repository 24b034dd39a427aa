import type { AccessService } from "../../shared/access/access.service.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { exportBundles } from "../../shared/bundles/bundle.service.ts";
import { type Db, snapshot } from "../../shared/database/open.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectKind } from "../../shared/kernel/object-ref.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { type CursorService, cursorAt, type Position } from "./cursor.service.ts";
import { listFeed, readHead } from "./feed.repository.ts";
import type { FeedSignal } from "./feed-signal.ts";
import { listApplied } from "./operation-result.repository.ts";
import { countedSince } from "./usage-feed.service.ts";

export interface ChangesService {
  /**
   * The caller's changes after a cursor, as the caller may read them now.
   * @param cursor of an earlier page; undefined: from the beginning.
   * @param waitMs how long to wait if there is no change yet.
   * @param again authenticates the caller again after the wait, since credentials and groups may change meanwhile.
   * @throws Failure 410 as `CursorService.read`. Whatever `again` throws.
   */
  page(
    caller: Caller,
    cursor: string | undefined,
    limit: number,
    waitMs: number,
    again?: () => Promise<Caller>,
  ): Promise<FeedPage>;
}

/** A page ends once its rows exceed this many characters. */
const pageBytes = 512 * 1024;
/** Few at first, because they may be large; then as many as seem to fit. */
const [firstObjects, objectsAtOnce] = [8, 50];

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

interface ChangesOptions {
  host: Host;
  access: AccessService;
  cursors: CursorService;
  signal: FeedSignal;
  /** Ends waiting calls. */
  closing: AbortSignal;
}

/** The ordered feed of one user (hosts-and-sync 6, Feed). */
export function changesService(options: ChangesOptions): ChangesService {
  const { host, access, cursors, signal, closing } = options;

  /** Reads the objects of these feed entries together. */
  async function readChanges(db: Db, caller: Caller, rows: readonly FeedRow[]): Promise<Change[]> {
    const refs = rows.map((row) => ({ kind: row.kind as ObjectKind, id: row.object_id }));
    const live = refs.filter((_, index) => rows[index]?.state === "live");
    const bundles = (await exportBundles({ db, access, caller }, live)).values();
    return rows.map((row): Change => {
      const change = { kind: row.kind as ObjectKind, id: row.object_id, seq: row.seq, state: row.state };
      return row.state === "live" ? { ...change, bundle: bundles.next().value } : change;
    });
  }

  /** As many entries as fit a page: whole transactions, and at least one. */
  async function fillPage(db: Db, caller: Caller, rows: readonly FeedRow[]): Promise<Change[]> {
    const changes: Change[] = [];
    for (let bytes = 0; changes.length < rows.length && bytes < pageBytes; ) {
      const fitting =
        changes.length === 0 ? firstObjects : Math.ceil(((pageBytes - bytes) * changes.length) / (bytes + 1));
      let end = Math.min(changes.length + Math.min(fitting, objectsAtOnce), rows.length);
      while (end < rows.length && rows[end]?.seq === rows[end - 1]?.seq) end += 1;
      const found = await readChanges(db, caller, rows.slice(changes.length, end));
      for (const { bundle } of found) bytes += bundle ? sizeOf(bundle) : 0;
      changes.push(...found);
    }
    return changes;
  }

  /** Reads a page. The database is one moment's, so that the rows match the feed position. */
  async function readPage(db: Db, caller: Caller, from: Position, limit: number): Promise<FeedPage> {
    const userId = caller.userId ?? "";
    const after = from.seq;
    const rows = await listFeed(db, userId, after, limit);
    const changes = await fillPage(db, caller, rows);
    const more = rows.length >= limit || changes.length < rows.length;
    const seq = more ? (changes.at(-1)?.seq ?? after) : Math.max(await readHead(db), after);
    const families = changes.filter(({ kind, state }) => kind === "family" && state === "live").map(({ id }) => id);
    const { usage, position } = await countedSince(db, access, { caller, after: from.counted, families });
    const cursor = await cursorAt(db, { epoch: from.epoch, seq, counted: position });
    return { changes, applied: await listApplied(db, userId, after, seq), usage, cursor, seq, more, now: host.now() };
  }

  /** Waits until there is a change after the position, or the time is over. */
  async function waitForChange(userId: string, after: number, waitMs: number): Promise<void> {
    const until = performance.now() + waitMs;
    while (performance.now() < until && !closing.aborted) {
      const wait = signal.wait(userId, until - performance.now());
      const [row] = await listFeed(host.db, userId, after, 1);
      if (row) return wait.cancel();
      await wait.ended;
    }
  }

  return {
    async page(caller, cursor, limit, waitMs, again = async () => caller) {
      const from = cursor === undefined ? await cursors.beginning() : await cursors.read(cursor);
      if (waitMs > 0) await waitForChange(caller.userId ?? "", from.seq, waitMs);
      const callerNow = waitMs > 0 ? await again() : caller;
      return snapshot(host.db, (db) => readPage(db, callerNow, from, limit));
    },
  };
}
