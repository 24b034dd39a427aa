import type { SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import { type PresentUser, presenceKey } from "./presence.ts";
import { queryClient } from "./query-client.ts";
import { reachQuery, syncStatusQuery } from "./sync.ts";

const [gatherMs, againMs] = [80, 3000];
let changed = new Map<string, { kind: string; id: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

// First parts of the query keys that a change of each kind affects. Comments and families come with ids that are in no
// query key, so they refresh all pages of their kind.
const shownIn: Record<string, string[]> = {
  comment: ["request", "requests"],
  request: ["request", "requests", "draft"],
  record: ["record", "library"],
  family: ["record", "draft", "library"],
  draft: ["library"],
  user: ["users"],
  group: ["groups"],
  marks: ["library", "record", "draft", "request", "requests"],
};

// Notes of this computer: kind and id are the beginning of the query key.
const keptHere = new Set(["desk", "comment-draft", "keeping"]);

/** Refreshes the queries that may show the changed objects. */
function flush() {
  const all = [...changed.values()];
  changed = new Map();
  timer = undefined;
  for (const { kind, id } of all) if (keptHere.has(kind)) void queryClient.invalidateQueries({ queryKey: [kind, id] });
  const objects = all.filter(({ kind }) => !keptHere.has(kind));
  if (objects.length === 0) return;
  const ids = new Set(objects.map(({ id }) => id));
  const roots = new Set(objects.flatMap(({ kind }) => shownIn[kind] ?? []));
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [root, part] }) => {
      if (root === "sync") return part !== "status";
      return roots.has(String(root)) || (typeof part === "string" && ids.has(part));
    },
  });
}

function gather(object: { kind: string; id: string }) {
  changed.set(`${object.kind}:${object.id}`, object);
  if (timer === undefined) timer = setTimeout(flush, gatherMs);
}

/** The part of a status that affects the `sync` marks of objects. */
const marksOf = ({ state, pending, sending, rejected, conflicts }: SyncStatus) =>
  [state, pending, sending, rejected, conflicts].join();

/** Follows `/api/sync/events`: writes the status into the cache and refreshes changed objects. */
export function followEvents(): () => void {
  let source = listen(false);
  let again: ReturnType<typeof setTimeout> | undefined;
  // A refusal, unlike a lost connection, ends an EventSource for good. So check how the API answers.
  const begin = () => {
    source.addEventListener("error", ({ target }) => {
      if ((target as EventSource).readyState !== EventSource.CLOSED) return;
      void queryClient.invalidateQueries({ queryKey: reachQuery.queryKey });
      again = setTimeout(() => {
        source = listen(true);
        begin();
      }, againMs);
    });
  };
  begin();
  return () => {
    clearTimeout(again);
    source.close();
  };
}

/** @param wasOpen whether events may have been missed. */
function listen(wasOpen: boolean): EventSource {
  const source = new EventSource("/api/sync/events");
  source.addEventListener("status", (event) => {
    const status = JSON.parse(event.data) as SyncStatus;
    const before = queryClient.getQueryData(syncStatusQuery.queryKey);
    queryClient.setQueryData(syncStatusQuery.queryKey, status);
    if (before && marksOf(before) !== marksOf(status)) gather({ kind: "marks", id: "" });
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [root, part] }) => root === "sync" && part !== "status",
    });
  });
  source.addEventListener("changed", (event) => {
    gather(JSON.parse(event.data) as { kind: string; id: string });
  });
  source.addEventListener("presence", (event) => {
    const { draft, people } = JSON.parse(event.data) as { draft: string; people: PresentUser[] };
    queryClient.setQueryData(presenceKey(draft), people);
  });
  // After a gap refresh everything. Presence is sent again by itself.
  let mayHaveMissed = wasOpen;
  source.addEventListener("open", () => {
    if (mayHaveMissed) {
      queryClient.setQueriesData<PresentUser[]>({ queryKey: ["presence"] }, []);
      void queryClient.invalidateQueries();
    }
    mayHaveMissed = true;
  });
  return source;
}
