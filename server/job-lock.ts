import { deleteLock, renewLock, takeLock } from "../shared/database/lock.repository.ts";
import type { Host } from "../shared/kernel/host.ts";

const leaseMicros = 60_000_000;
const renewMs = 10_000;

type Work = (stopping: AbortSignal) => Promise<unknown>;

/**
 * Makes a job run in one server process at a time: while another process runs it, a run does nothing and returns
 * undefined. A process that is silent for a minute loses its lock and may run on, so the work must tolerate two runs.
 */
export function oneProcessAtATime(
  host: Pick<Host, "db" | "now" | "newUuid" | "abilities">,
  job: string,
  work: Work,
): Work {
  if (!host.abilities.sharesDatabase) return work;
  const { db } = host;
  const name = `job:${job}`;
  return async (stopping) => {
    const holder = host.newUuid();
    const now = host.now();
    if (!(await takeLock(db, { name, holder, now, until: now + leaseMicros }))) return undefined;
    const renew = () => renewLock(db, name, holder, host.now() + leaseMicros);
    const timer = setInterval(() => renew().catch(() => undefined), renewMs).unref();
    try {
      return await work(stopping);
    } finally {
      clearInterval(timer);
      await deleteLock(db, name, holder);
    }
  };
}
