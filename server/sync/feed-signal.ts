import { setTimeout as delay } from "node:timers/promises";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { readForeignWrites } from "./live/live.repository.ts";

/** How often commits of other processes (the console) are looked for while somebody waits. */
const foreignCheckMs = 1000;

/** Waits for new entries in a user's feed. The caller then reads the database. */
interface Wait {
  /** Resolves when the feed may have changed, the time is over or the server closes. Never rejects. */
  readonly ended: Promise<void>;
  cancel(): void;
}

export interface FeedSignal {
  /** Call it before reading the feed, so that no commit is missed in between. */
  wait(userId: string, waitMs: number): Wait;
  /** Wakes the calls that wait for changes of these users. */
  notify(people: Iterable<string>): void;
}

/**
 * Wakes waiting polls of the users whose feed a commit wrote to. In SQLite a commit of another process wakes everybody,
 * because its users are unknown; in PostgreSQL the commit watch names them.
 * @param closing ends every wait.
 */
export function feedSignal(host: Host, closing: AbortSignal): FeedSignal {
  const waiting = new Map<string, Set<() => void>>();
  let isWatching = false;

  function notify(people: Iterable<string>): void {
    for (const userId of people) for (const wake of [...(waiting.get(userId) ?? [])]) wake();
  }
  const notifyAll = () => notify([...waiting.keys()]);

  /** Polls the database for commits of other processes while somebody waits. */
  async function watchOtherProcesses(): Promise<void> {
    isWatching = true;
    let seen: number | undefined;
    while (waiting.size > 0 && !closing.aborted) {
      const writes = await readForeignWrites(host.db);
      if (seen !== undefined && writes !== seen) notifyAll();
      seen = writes;
      // Closing aborts the delay and wakes everybody itself.
      await delay(foreignCheckMs, undefined, { ref: false, signal: closing }).catch(() => {});
    }
  }

  function endWatching(): void {
    isWatching = false;
  }

  host.onCommitted((_touched, people) => notify(people));
  closing.addEventListener("abort", notifyAll);
  return {
    wait(userId, waitMs) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const others = waiting.get(userId) ?? new Set();
      waiting.set(userId, others.add(cancel));
      const end = setTimeout(cancel, Math.max(0, waitMs));
      function cancel() {
        clearTimeout(end);
        others.delete(cancel);
        if (others.size === 0 && waiting.get(userId) === others) waiting.delete(userId);
        resolve();
      }
      // If the database cannot be read, the woken calls report it.
      if (!isWatching && !isPostgres(host.db)) void watchOtherProcesses().catch(notifyAll).finally(endWatching);
      return { ended, cancel };
    },
    notify,
  };
}
