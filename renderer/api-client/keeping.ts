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

export async function setKeeping(rules: Keeping) {
  const { body } = await call<Keeping>("PUT", "/api/sync/keeping", { body: rules });
  queryClient.setQueryData(keepingQuery.queryKey, body);
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
