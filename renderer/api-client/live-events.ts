import type { SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import { type PresentUser, presenceKey } from "./presence.ts";
import { queryClient } from "./query-client.ts";
import { reachQuery, syncStatusQuery, whyAway } from "./sync.ts";

const [gatherMs, againMs] = [80, 3000];
/** A storm of changes, such as an upload of many files, is read once in this time. */
const stormMs = 400;
let flushedAt = Number.NEGATIVE_INFINITY;
let changed = new Map<string, { kind: string; id: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

// First parts of the query keys that a change of each kind affects. Comments and families come with ids that are in no
// query key, so they refresh all pages of their kind.
const shownIn: Record<string, string[]> = {
  comment: ["request", "requests"],
  request: ["request", "requests", "draft"],
  record: ["record", "library"],
  family: ["record", "draft", "library", "container"],
  draft: ["library"],
  user: ["users", "groups", "request"],
  group: ["groups"],
  marks: ["library", "record", "draft", "request", "requests", "container"],
};

// Notes of this computer: kind and id are the beginning of the query key.
const keptHere = new Set(["desk", "comment-draft", "keeping"]);

/** Refreshes the queries that may show the changed objects. */
function flush() {
  const all = [...changed.values()];
  changed = new Map();
  timer = undefined;
  flushedAt = performance.now();
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
  if (timer === undefined) timer = setTimeout(flush, Math.max(gatherMs, flushedAt + stormMs - performance.now()));
}

/** The part of a status that affects the `sync` marks of objects. */
const marksOf = ({ state, pending, sending, rejected, conflicts }: SyncStatus) =>
  [state, pending, sending, rejected, conflicts].join();

/** The status without what changes all the time and is in no list: the bytes of transfers, and the last contact. */
const withoutProgress = ({ last_success: _, transfers, ...others }: SyncStatus) =>
  JSON.stringify({ ...others, transfers: transfers.map(({ direction, record, key }) => [direction, record, key]) });

const isStatusUnknown = () => queryClient.getQueryData(syncStatusQuery.queryKey) === undefined;

type EventName = "status" | "changed" | "presence";

const takers: Record<EventName, (data: string) => void> = {
  status(data) {
    const status = JSON.parse(data) as SyncStatus;
    const before = queryClient.getQueryData(syncStatusQuery.queryKey);
    queryClient.setQueryData(syncStatusQuery.queryKey, status);
    // What was read before the stream was open is read again anyway.
    if (before === undefined) return;
    if (marksOf(before) !== marksOf(status)) gather({ kind: "marks", id: "" });
    // The server alone knows which services it can ask, and what failed without it may succeed now.
    if (whyAway(before) !== whyAway(status))
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [root], state }) => root === "lookup" || state.status === "error",
      });
    if (withoutProgress(before) !== withoutProgress(status)) gather({ kind: "sync", id: "sync" });
  },
  changed: (data) => gather(JSON.parse(data) as { kind: string; id: string }),
  presence(data) {
    const { draft, people } = JSON.parse(data) as { draft: string; people: PresentUser[] };
    queryClient.setQueryData(presenceKey(draft), people);
  },
};

/** After a gap refreshes everything. Presence is sent again by itself. */
function readAgain(): void {
  queryClient.setQueriesData<PresentUser[]>({ queryKey: ["presence"] }, []);
  void queryClient.invalidateQueries();
}

const hear = (name: EventName | "gap", data: string) => (name === "gap" ? readAgain() : takers[name](data));

/**
 * Follows `/api/sync/events`. Browsers allow six connections to a host, so its tabs share one stream: the tab that holds
 * the lock listens, and tells the others.
 */
export function followEvents(): () => void {
  const stopped = new AbortController();
  const others = new BroadcastChannel("carrel-events");
  const seen = new Map<string, string>();
  let listening: Listening | undefined;
  others.onmessage = ({ data: [name, data] }: MessageEvent<[EventName | "gap" | "hello", string]>) => {
    // While this tab was reading for the first time, the other tab may have received changes.
    if (name === "status" && isStatusUnknown()) gather({ kind: "sync", id: "sync" });
    if (name !== "hello") return hear(name, data);
    if (listening) for (const people of seen.values()) others.postMessage(["presence", people]);
    listening?.retry();
  };
  others.postMessage(["hello", ""]);
  const tell = (name: EventName | "gap", data: string) => {
    if (name === "presence") seen.set((JSON.parse(data) as { draft: string }).draft, data);
    if (name === "gap") seen.clear();
    hear(name, data);
    others.postMessage([name, data]);
  };
  const listenUntilStopped = async () => {
    listening = listenAgainAndAgain(tell);
    await new Promise((resolve) => stopped.signal.addEventListener("abort", resolve));
    listening.close();
    others.close();
  };
  const { signal } = stopped;
  const listenWhenFree = async () => {
    const name = "carrel-events";
    const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null && !signal.aborted) await listenUntilStopped();
      return lock !== null;
    });
    if (!isFree) await navigator.locks.request(name, { signal }, listenUntilStopped);
  };
  // Without https a browser has no locks: each tab listens for itself.
  if (!("locks" in navigator)) void listenUntilStopped();
  else listenWhenFree().catch(() => others.close());
  return () => stopped.abort();
}

type Tell = (name: EventName | "gap", data: string) => void;

interface Listening {
  /** Listens again if the session had ended: the user may have signed in. */
  retry: () => void;
  close: () => void;
}

function listenAgainAndAgain(tell: Tell): Listening {
  let source = listen(tell);
  let again: ReturnType<typeof setTimeout> | undefined;
  let isSignedOut = false;
  const listenAgain = () => {
    isSignedOut = false;
    source = listen(tell);
    begin();
  };
  // A refusal, unlike a lost connection, ends an EventSource for good. So check how the API answers.
  const begin = () => {
    source.addEventListener("error", ({ target }) => {
      if ((target as EventSource).readyState !== EventSource.CLOSED) return;
      void queryClient.invalidateQueries({ queryKey: reachQuery.queryKey });
      again = setTimeout(() => {
        isSignedOut = queryClient.getQueryData(reachQuery.queryKey) === 401;
        if (!isSignedOut) listenAgain();
      }, againMs);
    });
  };
  const retry = () => isSignedOut && listenAgain();
  begin();
  addEventListener("focus", retry);
  return {
    retry,
    close() {
      clearTimeout(again);
      removeEventListener("focus", retry);
      source.close();
    },
  };
}

function listen(tell: Tell): EventSource {
  const source = new EventSource("/api/sync/events");
  for (const name of ["status", "changed", "presence"] as const)
    source.addEventListener(name, ({ data }) => tell(name, data));
  // Data read before the stream was open may have changed since.
  source.addEventListener("open", () => tell("gap", ""));
  return source;
}
