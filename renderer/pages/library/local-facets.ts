import { useQuery } from "@tanstack/react-query";
import type { LibrarySearch } from "../../api-client/records.ts";
import { topicsQuery } from "../../api-client/requests.ts";
import { conflictsQuery, operationsQuery, syncStatusQuery, trayQuery } from "../../api-client/sync.ts";
import type { ObjectRef } from "../../api-client/sync-types.ts";

/** Filters that the API does not have; resolved to ids here. */
export const localFacets = { work: ["needs", "waiting"], review: ["asked", "commented"] } as const;
export type LocalFacet = keyof typeof localFacets;
type LocalValue = (typeof localFacets)[LocalFacet][number];

/** Whether only this computer can answer a query. */
export const isOnlyHere = (facets: Record<string, string[]>) => Object.keys(localFacets).some((name) => facets[name]);

/** Ids of drafts and records for each value. */
export type LocalIds = Record<LocalValue, string[]>;

/** Limits the length of a query. */
const maxIds = 500;

const idsOf = (objects: ObjectRef[]) => [
  ...new Set(objects.filter(({ kind }) => kind === "draft" || kind === "record").map(({ id }) => id)),
];

/**
 * Ids of unsynchronised objects, of reviews for the user, and of objects with comments. Limited to the first few
 * hundred changes and the latest reviews.
 */
export function useLocalIds(): LocalIds {
  const { data: status } = useQuery(syncStatusQuery);
  const { data: operations } = useQuery(operationsQuery);
  const { data: tray } = useQuery(trayQuery);
  const { data: conflicts } = useQuery(conflictsQuery);
  const { data: topics } = useQuery(topicsQuery(status?.user?.id));
  const refused = tray?.hits.hits.map(({ object }) => object) ?? [];
  const disputed = conflicts?.hits.hits.map(({ record }) => ({ kind: "draft", id: record })) ?? [];
  return {
    // Without a server nothing is waiting.
    waiting: status?.server ? idsOf(operations?.hits.hits.map(({ object }) => object) ?? []) : [],
    needs: idsOf([...refused, ...disputed]),
    asked: topics?.asked ?? [],
    commented: topics?.commented ?? [],
  };
}

/** The query for the API. */
export function withLocalIds(query: LibrarySearch, ids: LocalIds): LibrarySearch {
  const { work, review, ...facets } = query.facets;
  const chosen = [work, review].filter((values) => values !== undefined);
  if (chosen.length === 0) return query;
  const among = chosen.map((values) => {
    const found = new Set(values.flatMap((value) => ids[value as LocalValue] ?? []));
    return `id:(${[...found].slice(0, maxIds).join(" ") || "none"})`;
  });
  return { ...query, facets, q: [...(query.q ? [`(${query.q})`] : []), ...among].join(" AND ") };
}
