import { has } from "../api-client/host.ts";
import { runSync } from "../api-client/sync.ts";

/** Contacts the server at once when the computer is back online. */
export function syncWhenOnline(): (() => void) | undefined {
  if (!has("sync")) return undefined;
  const run = () => {
    // A failure changes nothing: attempts continue, and the pill shows the status.
    runSync().catch(() => undefined);
  };
  addEventListener("online", run);
  return () => removeEventListener("online", run);
}
