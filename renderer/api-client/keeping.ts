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

/** Changes what `part` gives of the rules; the answer is that part as it was before. */
export function changeKeeping(part: (now: Keeping) => Partial<Keeping>): Promise<Partial<Keeping>> {
  const changed = changing.then(async () => {
    const rules = await get<Keeping>("/api/sync/keeping");
    const change = part(rules);
    const { body } = await call<Keeping>("PUT", "/api/sync/keeping", { body: { ...rules, ...change } });
    queryClient.setQueryData(keepingQuery.queryKey, body);
    return Object.fromEntries(Object.keys(change).map((key) => [key, rules[key as keyof Keeping]]));
  });
  changing = changed.catch(() => undefined);
  return changed;
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
