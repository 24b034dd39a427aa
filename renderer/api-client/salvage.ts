import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";
import { reachQuery } from "./sync.ts";

const againMs = 250;

/** The damage of the database, while only its salvage is available (hosts-and-sync 7). */
export const salvageQuery = queryOptions({
  queryKey: ["salvage"],
  queryFn: () => get<{ damage: string }>("/api/sync/salvage"),
  staleTime: 0,
});

/** Saves unsent work, creates a new database and fetches the rest again. @returns how many changes were saved. */
export async function salvage(): Promise<number> {
  const { body } = await call<{ saved: number }>("POST", "/api/sync/salvage");
  // The API restarts and does not answer for a moment.
  while ((await queryClient.fetchQuery({ ...reachQuery, staleTime: 0 }).catch(() => 0)) !== 200)
    await new Promise((resolve) => setTimeout(resolve, againMs));
  await queryClient.invalidateQueries();
  return body.saved;
}
