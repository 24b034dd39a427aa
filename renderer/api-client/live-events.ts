import { queryClient } from "./query-client.ts";
import { syncStatusQuery } from "./sync.ts";
import type { SyncStatus } from "./sync-types.ts";

const gatherMs = 80;
let changed = new Map<string, { kind: string; id: string }>();
let _timer: ReturnType<typeof setTimeout> | undefined;

/** Reads again what shows the changed objects: their own pages, and every list. */
function flush() {
  const objects = [...changed.values()];
  changed = new Map();
  _timer = undefined;
  const ids = new Set(objects.map(({ id }) => id));
  const lists = new Set(["library", "requests", "notifications"]);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [root, id] }) =>
      lists.has(String(root)) || root === "sync" ? id !== "status" : typeof id === "string" && ids.has(id),
  });
}

/** Follows `/api/sync/events`: the status goes straight into the cache, changed objects are read again. */
export function followEvents(): () => void {
  const source = new EventSource("/api/sync/events");
  source.addEventListener("status", (event) => {
    queryClient.setQueryData(syncStatusQuery.queryKey, JSON.parse(event.data) as SyncStatus);
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [root, part] }) => root === "sync" && part !== "status",
    });
  });
  source.addEventListener("changed", (event) => {
    const object = JSON.parse(event.data) as { kind: string; id: string };
    changed.set(`${object.kind}:${object.id}`, object);
    _timer ??= setTimeout(flush, gatherMs);
  });
  // After a gap nothing is known about what was missed.
  let wasOpen = false;
  source.addEventListener("open", () => {
    if (wasOpen) void queryClient.invalidateQueries();
    wasOpen = true;
  });
  return () => source.close();
}
