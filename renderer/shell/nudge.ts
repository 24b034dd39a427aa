import { runSync } from "../api-client/sync.ts";

/** Tries the server at once when the computer says that it has a network again, instead of at the next attempt. */
export function nudgeWhenOnline(): () => void {
  const run = () => {
    // A failed nudge changes nothing: the attempts go on by themselves, and the pill says how things stand.
    runSync().catch(() => undefined);
  };
  addEventListener("online", run);
  return () => removeEventListener("online", run);
}
