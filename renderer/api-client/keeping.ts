import { queryOptions } from "@tanstack/react-query";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";
import { storageQuery } from "./sync.ts";
import type { RecordRoom, StorageFigures } from "./sync-types.ts";

/** Which files are kept on this computer, and how much of the line they may take. */
export const keepingQuery = queryOptions({
  queryKey: ["keeping"],
  queryFn: () => get<Keeping>("/api/sync/keeping"),
});

// One after the other, each made of the rules as they are by then: another window changes them too.
let changing: Promise<unknown> = Promise.resolve();

/** What to change of the rules, made of what they are by then. */
type Change = (now: Keeping) => Partial<Keeping>;

/** Changes what `part` gives of the rules; the answer takes it back, and of the records kept those alone that it changed. */
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

/** Without what a change added, with what it removed; what others added or removed since stays so. */
function takenBack(now: string[], before: string[], after: string[]): string[] {
  const removed = before.filter((id) => !after.includes(id) && !now.includes(id));
  return [...now.filter((id) => before.includes(id) || !after.includes(id)), ...removed];
}

/** Drafts and records whose files take most room here. */
export const largestQuery = queryOptions({
  queryKey: ["sync", "storage", "records"],
  queryFn: async () => (await get<{ records: RecordRoom[] }>("/api/sync/storage/records")).records,
});

/** Drops the copies of a record's files that the server has too. */
export async function releaseRecord(id: string) {
  const { body } = await call<StorageFigures>("DELETE", `/api/sync/storage/records/${id}`);
  queryClient.setQueryData(storageQuery.queryKey, body);
  await queryClient.invalidateQueries({ queryKey: ["keeping"] });
  await queryClient.invalidateQueries({ queryKey: largestQuery.queryKey });
}
