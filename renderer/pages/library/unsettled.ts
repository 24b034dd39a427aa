import { useQuery } from "@tanstack/react-query";
import type { LibrarySearch } from "../../api-client/records.ts";
import { conflictsQuery, operationsQuery, syncStatusQuery, trayQuery } from "../../api-client/sync.ts";
import type { ObjectRef } from "../../api-client/sync-types.ts";

/** Ids of the drafts and records whose work waits to be sent, or needs the person's decision. */
export type Unsettled = Record<"waiting" | "needs", string[]>;

const idsOf = (objects: ObjectRef[]) => [
  ...new Set(objects.filter(({ kind }) => kind === "draft" || kind === "record").map(({ id }) => id)),
];

/** What of the library is not yet as on the server; of thousands that wait, the first few hundred changes tell. */
export function useUnsettled(): Unsettled {
  const { data: status } = useQuery(syncStatusQuery);
  const { data: operations } = useQuery(operationsQuery);
  const { data: tray } = useQuery(trayQuery);
  const { data: conflicts } = useQuery(conflictsQuery);
  const refused = tray?.hits.hits.map(({ object }) => object) ?? [];
  const disputed = conflicts?.hits.hits.map(({ record }) => ({ kind: "draft", id: record })) ?? [];
  return {
    // Without a server nothing waits for one.
    waiting: status?.server ? idsOf(operations?.hits.hits.map(({ object }) => object) ?? []) : [],
    needs: idsOf([...refused, ...disputed]),
  };
}

/** The search that the API is asked: it knows nothing of `work`, which is told by ids. */
export function amongUnsettled(query: LibrarySearch, unsettled: Unsettled): LibrarySearch {
  const { work, ...facets } = query.facets;
  if (!work) return query;
  const ids = new Set(work.flatMap((name) => unsettled[name as keyof Unsettled] ?? []));
  const among = `id:(${[...ids].join(" ") || "none"})`;
  return { ...query, facets, q: query.q ? `(${query.q}) AND ${among}` : among };
}
