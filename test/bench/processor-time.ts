import { setTimeout } from "node:timers/promises";

const milliseconds = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

/** Time of the processor, all threads: what the machine does besides is left out. */
export const cpuMs = (): number => milliseconds(process.cpuUsage());

/** As `cpuMs`, of this thread alone. */
export const threadMs = (): number => milliseconds(process.threadCpuUsage());

/** Waits until this process has nothing more to do: what a search thread makes ready should not count as a search. */
export async function quiet(): Promise<void> {
  for (let before = cpuMs(); ; ) {
    await setTimeout(500);
    const now = cpuMs();
    if (now - before < 25) return;
    before = now;
  }
}
