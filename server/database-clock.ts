import type { Logger } from "pino";
import type { Environment } from "../shared/kernel/environment.ts";
import { startJob } from "../shared/kernel/job.ts";

const compareEveryMs = 10_000;
/** A smaller difference may come from the way to the database. */
const closeMicros = 100_000;
/** A difference larger by this than the waits explain: a clock was set, so times may decrease. */
const setMicros = 1_000_000;
/** A machine that is off by more is reported. */
const reportedMicros = 5_000_000;

export interface DatabaseClock {
  environment: Environment;
  /** Compares with the database again, every ten seconds. @returns how that stops. */
  follow(log: Logger): () => Promise<void>;
}

/**
 * The time of the database for all server processes. By the clock of its own machine, a process could end a session, a
 * lock or an upload that another one has just begun. Between two comparisons a monotonic clock advances the time, so
 * setting the clock of the machine has no effect.
 * @param read microseconds UTC by the database.
 */
export async function databaseClock(read: () => Promise<number>, machine: Environment): Promise<DatabaseClock> {
  const elapsed = () => performance.now() * 1000;
  let start = 0;
  /** How far `start` may be from the database's time: half of the wait for it. */
  let doubt = 0;
  let last = 0;
  let isReported = false;

  function now(): number {
    const time = Math.floor(start + elapsed());
    last = time > last ? time : last + 1;
    return last;
  }

  /** @returns by how much the machine is ahead, in microseconds. */
  async function compare(): Promise<number> {
    const begun = elapsed();
    const there = await read();
    const ended = elapsed();
    const right = there - (begun + ended) / 2;
    const halfWait = (ended - begun) / 2;
    const off = Math.abs(right - start);
    if (off > setMicros + doubt + halfWait) last = 0;
    if (off > closeMicros + halfWait) {
      start = right;
      doubt = halfWait;
    }
    return machine.now() - there;
  }

  function report(log: Logger, aheadMicros: number): void {
    const isOff = Math.abs(aheadMicros) > reportedMicros;
    if (isOff && !isReported) {
      const seconds = Math.round(aheadMicros / 1_000_000);
      log.warn(
        { seconds },
        "this machine's clock is ahead of the database's, or behind it; the database's time counts",
      );
    }
    isReported = isOff;
  }

  const ahead = await compare();
  return {
    environment: { ...machine, now },
    follow(log) {
      report(log, ahead);
      const work = async () => report(log, await compare());
      return startJob({ name: "comparing clocks", everyMs: compareEveryMs, log, work }).stop;
    },
  };
}
