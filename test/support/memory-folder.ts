import { accessSync, constants, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
/** A whole run holds about 1 GB at a time. Containers often offer 64 MB here. */
const roomBytes = 6 * 1024 ** 3;

/** Native code is loaded from there too, by the tests of the package. */
function forbidsPrograms(): boolean {
  const mounted = readFileSync("/proc/mounts", "utf8").split("\n");
  return mounted.some((line) => line.split(" ")[1] === memory && line.includes("noexec"));
}

/**
 * The folder for the tests' temporary files: in memory where the system offers enough, else the usual one. Tests commit
 * thousands of transactions, and each waits milliseconds for a disk. No test pulls the plug of the machine, so what
 * they prove is the same. `TMPDIR` decides when it is set.
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomBytes && !forbidsPrograms() ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
