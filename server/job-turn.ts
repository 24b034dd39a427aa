import { deleteTurn, renewTurn, takeTurn } from "../shared/database/turn.repository.ts";
import type { Host } from "../shared/kernel/host.ts";

const leaseMicros = 60_000_000;
const renewMs = 10_000;

type Work = (stopping: AbortSignal) => Promise<unknown>;

/**
 * Work of a job that one server process at a time does. While another process does it, a run does nothing. A process that
 * is silent for a minute loses its turn, so the work must bear a second run.
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
    if (!(await takeTurn(db, { name, holder, now, until: now + leaseMicros }))) return;
    const renew = () => renewTurn(db, name, holder, host.now() + leaseMicros);
    const timer = setInterval(() => renew().catch(() => undefined), renewMs).unref();
    try {
      await work(stopping);
    } finally {
      clearInterval(timer);
      await deleteTurn(db, name, holder);
    }
  };
}
