import type { SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import { type PersonHere, presenceKey } from "./presence.ts";
import { queryClient } from "./query-client.ts";
import { reachQuery, syncStatusQuery } from "./sync.ts";

const [gatherMs, againMs] = [80, 3000];
let changed = new Map<string, { kind: string; id: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

// What a change of each kind may show up in, by the first part of the query key. A comment is told by its own id
// and a family by its parent's, neither of which stands in a key: these refresh every page of their sort.
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

/** Reads again what shows the changed objects: their own pages, and the lists they may stand in. */
function flush() {
  const objects = [...changed.values()];
  changed = new Map();
  timer = undefined;
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

/** What a status says about unsent work; when it changes, the `sync` marks of bodies may have changed too. */
const marksOf = ({ state, pending, sending, rejected, conflicts }: SyncStatus) =>
  [state, pending, sending, rejected, conflicts].join();

/** Follows `/api/sync/events`: the status goes straight into the cache, changed objects are read again. */
export function followEvents(): () => void {
  let source = listen(false);
  let again: ReturnType<typeof setTimeout> | undefined;
  // Other than a cut, a refusal ends the stream for good: it is found out how Carrel answers now.
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

/** @param wasOpen whether something may have been missed before. */
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
    const { draft, people } = JSON.parse(event.data) as { draft: string; people: PersonHere[] };
    queryClient.setQueryData(presenceKey(draft), people);
  });
  // After a gap nothing is known about what was missed; who is at a draft now is told right after it.
  let mayHaveMissed = wasOpen;
  source.addEventListener("open", () => {
    if (mayHaveMissed) {
      queryClient.setQueriesData<PersonHere[]>({ queryKey: ["presence"] }, []);
      void queryClient.invalidateQueries();
    }
    mayHaveMissed = true;
  });
  return source;
}
