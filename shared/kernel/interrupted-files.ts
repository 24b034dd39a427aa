import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "./data-folder.ts";

/** The name of a file that becomes `target` when it is complete, or helps to make it. It tells which process writes it. */
export const unfinished = (target: string, part: "partial" | "database"): string => `${target}.${process.pid}.${part}`;

/** Removes the unfinished files of `target` that killed processes left, with the logs of an unfinished database. */
export function removeInterrupted(target: string): void {
  const start = `${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    const [, pid] = /^(\d+)[.](partial|database)(-wal|-shm|-journal)?$/.exec(name.slice(start.length)) ?? [];
    if (!name.startsWith(start) || pid === undefined) continue;
    if (Number(pid) === process.pid || !isAlive(Number(pid))) rmSync(join(dirname(target), name), { force: true });
  }
}
