import type { Db } from "../../shared/database/open.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import type { SyncState, SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import type { SyncEngine } from "./engine.ts";
import type { Keeper } from "./keeper.ts";
import { countByState, hasUnconfirmed } from "./operation.repository.ts";
import { waitingForRefused } from "./order.policy.ts";
import { recall } from "./person.repository.ts";
import { listOpenWithTopics } from "./sending.repository.ts";
import { isPractice } from "./upstream-facts.schema.ts";

async function countConflicts(db: Db): Promise<number> {
  const row = await db
    .selectFrom("conflict")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function stateOf(engine: SyncEngine, counts: { isMoving: boolean; disputed: number }): SyncState {
  if (!engine.account) return "local";
  if (engine.pause.isOn) return "paused";
  if (engine.connection.needsSignIn) return "sign_in";
  if (!engine.isOnline() || engine.connection.upstream?.lookFailure?.() !== undefined) return "offline";
  if (counts.isMoving || engine.uploader.transfers().length > 0 || !engine.isCaughtUp || engine.indexBacklog.isBusy)
    return "syncing";
  return counts.disputed > 0 ? "needs_you" : "up_to_date";
}

const noticeMicros = 7 * 86_400 * 1_000_000;

/** Shown for a week; the user need not act. */
async function noticeIn(db: Db): Promise<Pick<SyncStatus, "notice">> {
  const copied = await recall(db, "copied");
  if (copied === undefined || Math.abs(Date.now() * 1000 - copied) > noticeMicros) return {};
  const notice = "The data folder of this computer is a copy of another one, or was restored from a backup.";
  return { notice: `${notice} Both keep synchronising, and nothing is lost.` };
}

function asksOf({ pause, connection, indexBacklog }: SyncEngine): Pick<SyncStatus, "asks"> {
  if (pause.isOn) return pause.removalQuestion === null ? {} : { asks: "removal" };
  if (connection.lacksSpace || indexBacklog.lacksSpace) return { asks: "space" };
  return connection.isOutdated || connection.unsupported.size > 0 ? { asks: "update" } : {};
}

/** The replica polls a server without a feed, so its last answer is the last contact. */
function lastContact({ connection }: SyncEngine, last: number | undefined): string | null {
  const lastAnswerMs = connection.upstream?.lastAnswerMs?.();
  const micros = lastAnswerMs === undefined ? last : Math.round(lastAnswerMs * 1000);
  return micros === undefined ? null : isoTime(micros);
}

async function titlesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("draft").select(["id", "metadata"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, metadata }) => [id, String(JSON.parse(metadata).title ?? "")]));
}

/** The state of a connection to a non-Carrel server. */
async function upstreamOf(db: Db, engine: SyncEngine): Promise<Pick<SyncStatus, "upstream">> {
  const { account, connection } = engine;
  const { server = "", upstream } = account ?? {};
  if (!upstream) return {};
  const slowedUntilMs = connection.upstream?.slowedUntilMs?.();
  const { kind, name, offers, checked } = upstream;
  const { notTaken, unsure } = await connection.leftOpen();
  const titles = await titlesOf(db, [...notTaken.map(({ id }) => id), ...unsure]);
  const named = (id: string) => ({ id, title: titles.get(id) ?? "" });
  return {
    upstream: {
      ...{ kind, name, url: server, offers: [...offers], checked: isoTime(checked), is_practice: isPractice(server) },
      slowed_until: slowedUntilMs === undefined ? null : isoTime(Math.round(slowedUntilMs * 1000)),
      not_taken: notTaken.map(({ id, faults }) => ({ ...named(id), count: faults.length })),
      unsure: unsure.map(named),
    },
  };
}

/** The sync status. `up_to_date` only when all work of the user is durably on the server. */
export async function readStatus(db: Db, engine: SyncEngine, keeper: Keeper): Promise<SyncStatus> {
  const counts = await countByState(db);
  const [pending, sending, rejected] = [counts.pending ?? 0, counts.sending ?? 0, counts.rejected ?? 0];
  const upstream = await upstreamOf(db, engine);
  const notTaken = upstream.upstream?.not_taken ?? [];
  const conflicts = (await countConflicts(db)) + notTaken.reduce((sum, { count }) => sum + count, 0);
  const last = await recall(db, "last_success");
  // What waits for a refused operation waits for the user.
  const waiting = rejected > 0 && pending > 0 ? waitingForRefused(await listOpenWithTopics(db)).size : 0;
  // Applied operations that the feed has not confirmed count as under way, so that `up_to_date` can be trusted.
  const isMoving = pending + sending > waiting || (await hasUnconfirmed(db, (await recall(db, "seq")) ?? 0));
  return {
    state: stateOf(engine, { isMoving, disputed: rejected + conflicts }),
    server: engine.account?.server ?? null,
    user: (await recall(db, "user")) ?? null,
    online: engine.isOnline(),
    paused: engine.pause.isOn,
    pending,
    sending,
    rejected,
    conflicts,
    transfers: [...engine.uploader.transfers(), ...keeper.transfers()],
    last_success: lastContact(engine, last),
    last_error:
      engine.pause.removalQuestion ??
      engine.connection.lastError ??
      engine.connection.upstream?.lookFailure?.() ??
      [...engine.connection.unsupported.values()][0] ??
      engine.connection.putAside.reason ??
      engine.connection.filesAside.reason ??
      engine.indexBacklog.lastError,
    ...(engine.account && (await recall(db, "cursor")) === undefined ? { awaits_copy: true as const } : {}),
    ...asksOf(engine),
    ...(await noticeIn(db)),
    ...upstream,
  };
}
