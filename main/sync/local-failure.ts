import { isDiskFull, isStorageDown } from "../../shared/kernel/disk-full.ts";

/** What to tell the user of a failure of this computer, not of the server. */
export function localFailure(error: unknown): string {
  if (isDiskFull(error))
    return "The disk of this computer is full. Your work is kept. Free some space; then synchronising goes on by itself.";
  if (isStorageDown(error))
    return "The disk of this computer cannot be used at the moment. Your work is kept, and synchronising is tried again. The log has the details.";
  return "Synchronisation failed on this computer. Your work is kept. The log has the details.";
}
