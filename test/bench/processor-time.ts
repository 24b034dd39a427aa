import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const milliseconds = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

/** Time of the processor, all threads: what the machine does besides is left out. */
const cpuMs = (): number => milliseconds(process.cpuUsage());

/** As `cpuMs`, of this thread alone. */
export const threadMs = (): number => milliseconds(process.threadCpuUsage());

/** Seconds of processor that a process has used; Linux counts them in hundredths. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const spinMs = 40;

/**
 * Waits until this process has had nothing to do for a while: what a search thread makes ready is no search. On a busy
 * machine a thread with work may get little time; beside one that is always busy, as this one here, it gets its part.
 */
export async function quiet(): Promise<void> {
  for (let times = 0; times < 6; ) {
    const before = { all: cpuMs(), own: threadMs() };
    await setTimeout(200);
    const begun = threadMs();
    while (threadMs() - begun < spinMs);
    const others = cpuMs() - before.all - (threadMs() - before.own);
    times = begun - before.own + others < spinMs / 4 ? times + 1 : 0;
  }
}

/** The longest that one turn of the event loop of this thread takes while the work goes on, in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadMs();
  let timer = setImmediate(function tick() {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setImmediate(tick);
  });
  try {
    await work();
  } finally {
    clearImmediate(timer);
  }
  return longest;
}
