import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";
import { reachQuery } from "./sync.ts";

const againMs = 250;

/** What is wrong with the database, while nothing but its salvage is offered (hosts-and-sync 7). */
export const salvageQuery = queryOptions({
  queryKey: ["salvage"],
  queryFn: () => get<{ damage: string }>("/api/sync/salvage"),
  staleTime: 0,
});

/**
 * Saves unsent work and begins a new database, into which the rest is fetched again; what was shown is read anew.
 * @returns how many changes could be saved.
 */
export async function salvage(): Promise<number> {
  const { body } = await call<{ saved: number }>("POST", "/api/sync/salvage");
  // It closes its door for a moment.
  while ((await queryClient.fetchQuery({ ...reachQuery, staleTime: 0 }).catch(() => 0)) !== 200)
    await new Promise((resolve) => setTimeout(resolve, againMs));
  await queryClient.invalidateQueries();
  return body.saved;
}
