import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";

/** Something small that the app keeps on this computer for its person. */
interface Note<Value> {
  key: string;
  value: Value;
}

/** A search under a name; `search` is the query string of its address. */
export type SavedSearch = Note<{ name: string; search: string }>;

export const savedSearchesQuery = queryOptions({
  queryKey: ["desk", "searches"],
  queryFn: async () => (await get<{ notes: SavedSearch[] }>("/api/sync/desk/searches")).notes,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: ["desk"] });

export async function saveSearch(value: SavedSearch["value"]) {
  const key = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;
  await call("PUT", `/api/sync/desk/searches/${key}`, { body: { value } });
  await refresh();
}
export async function dropSearch(key: string) {
  await call("DELETE", `/api/sync/desk/searches/${key}`);
  await refresh();
}

/** Until when the person has seen what others did; null: never closed that line. */
export const lookQuery = queryOptions({
  queryKey: ["desk", "looks"],
  queryFn: async () => {
    const { notes } = await get<{ notes: Note<{ until: string }>[] }>("/api/sync/desk/looks");
    return notes.find(({ key }) => key === "activity")?.value.until ?? null;
  },
});
export async function keepLook(until: string) {
  await call("PUT", "/api/sync/desk/looks/activity", { body: { value: { until } } });
  await refresh();
}
