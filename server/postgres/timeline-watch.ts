import type { PoolClient } from "pg";
import { Failure } from "../../shared/kernel/failure.ts";

/** Refusals of a server that does not tell its timeline: unknown function, no permission, not offered. */
const withoutTimeline = /^(42|0A|55)/;

async function isStandby(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  return rows[0]?.standby === true;
}

/** The number of the timeline, which the name of a log file begins with; undefined if the server does not tell it. */
async function readTimeline(client: PoolClient): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ name: string }>("select pg_walfile_name(pg_current_wal_lsn()) as name");
    return rows[0]?.name.slice(0, 8);
  } catch (error) {
    if (error instanceof Error && "code" in error && withoutTimeline.test(String(error.code))) return undefined;
    throw error;
  }
}

export interface TimelineWatch {
  /** Checks a new connection before its first use. @throws Failure `unavailable` on a new timeline, and for a standby. */
  check(client: PoolClient): Promise<void>;
  /** Rejects when the database has begun a new timeline. */
  changed: Promise<never>;
}

/**
 * Notices a standby that was promoted, and a database recovered to an earlier moment. Both begin a new timeline and may
 * lack the last commits, which this process knows: its search index, and what it read. So it must not go on. PostgreSQL
 * has ended all connections before, so nothing is read or written between.
 */
export function timelineWatch(): TimelineWatch {
  const { promise: changed, reject } = Promise.withResolvers<never>();
  // Not every process waits for it.
  changed.catch(() => undefined);
  let known: string | undefined;
  return {
    changed,
    async check(client) {
      // A connection to a standby outlives the promotion, so it is not kept.
      if (await isStandby(client)) throw new Failure("unavailable", "The database is a standby. Try again.");
      const timeline = await readTimeline(client);
      known ??= timeline;
      if (timeline === known) return;
      const failure = new Failure(
        "unavailable",
        "The database was promoted or recovered, and may lack the last changes. The server has to start again.",
      );
      reject(failure);
      throw failure;
    },
  };
}
