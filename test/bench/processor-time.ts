import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const milliseconds = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

/** Processor time of all threads of this process. Other load on the machine does not count. */
const cpuMs = (): number => milliseconds(process.cpuUsage());

/** As `cpuMs`, for this thread alone. */
export const threadMs = (): number => milliseconds(process.threadCpuUsage());

/** Processor seconds of a process. Linux counts them in hundredths. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const spinMs = 40;

/**
 * Waits until this process has been idle for a while, because a search thread may still prepare. On a busy machine a
 * thread may get little time; next to this one, which is always busy, it gets its share.
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

/** The longest block of this thread's event loop during the work, in milliseconds. */
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
