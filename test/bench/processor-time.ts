import { setTimeout } from "node:timers/promises";

const milliseconds = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

/** Time of the processor, all threads: what the machine does besides is left out. */
export const cpuMs = (): number => milliseconds(process.cpuUsage());

/** As `cpuMs`, of this thread alone. */
export const threadMs = (): number => milliseconds(process.threadCpuUsage());

/** Waits until this process has had nothing to do for a while: what a search thread makes ready is no search. */
export async function quiet(): Promise<void> {
  for (let [before, times] = [cpuMs(), 0]; times < 6; ) {
    await setTimeout(500);
    const now = cpuMs();
    times = now - before < 25 ? times + 1 : 0;
    before = now;
  }
}
