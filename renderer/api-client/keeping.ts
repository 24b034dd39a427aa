import { queryOptions } from "@tanstack/react-query";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";
import { has } from "./host.ts";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";
import { storageQuery } from "./sync.ts";
import type { RecordStorage, StorageFigures } from "./sync-types.ts";

/** Rules for files available offline and for file transfers. */
export const keepingQuery = queryOptions({
  queryKey: ["keeping", "rules"],
  enabled: () => has("keeping"),
  queryFn: () => get<Keeping>("/api/sync/keeping"),
});

// Changes run one at a time, each based on the current rules, because other windows change them too.
let changing: Promise<unknown> = Promise.resolve();

/** A change of the rules, computed from the current ones. */
type Change = (now: Keeping) => Partial<Keeping>;

/** Changes the rules. @returns the change that undoes this one, limited to the records that it added or removed. */
export function changeKeeping(part: Change): Promise<Change> {
  const changed = changing.then(async () => {
    const rules = await get<Keeping>("/api/sync/keeping");
    const change = part(rules);
    const { body } = await call<Keeping>("PUT", "/api/sync/keeping", { body: { ...rules, ...change } });
    queryClient.setQueryData(keepingQuery.queryKey, body);
    const { records: after, ...others } = change;
    const before = Object.fromEntries(Object.keys(others).map((key) => [key, rules[key as keyof Keeping]]));
    return (now: Keeping) => (after ? { ...before, records: takenBack(now.records, rules.records, after) } : before);
  });
  changing = changed.catch(() => undefined);
  return changed;
}

/** Undoes additions and removals of one change and keeps later ones. */
function takenBack(now: string[], before: string[], after: string[]): string[] {
  const removed = before.filter((id) => !after.includes(id) && !now.includes(id));
  return [...now.filter((id) => before.includes(id) || !after.includes(id)), ...removed];
}

/** Drafts and records whose files take most space here. */
export const largestQuery = queryOptions({
  queryKey: ["sync", "storage", "records"],
  queryFn: async () => (await get<{ records: RecordStorage[] }>("/api/sync/storage/records")).records,
});

/** Drops local copies of a record's files that the server has too. */
export async function releaseRecord(id: string) {
  const { body } = await call<StorageFigures>("DELETE", `/api/sync/storage/records/${id}`);
  queryClient.setQueryData(storageQuery.queryKey, body);
  await queryClient.invalidateQueries({ queryKey: keepingQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: largestQuery.queryKey });
}
