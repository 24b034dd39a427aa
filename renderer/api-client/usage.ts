import { queryOptions } from "@tanstack/react-query";
import type { Envelope, RecordBody } from "./record-types.ts";
import { get } from "./request.ts";

const maxRecords = 100;

/** The user's own published records, most viewed first. Counts of a replica are those that the server sent last. */
export const ownUsageQuery = queryOptions({
  queryKey: ["library", "usage"],
  queryFn: async ({ signal }) => {
    const params = new URLSearchParams({ size: String(maxRecords), sort: "mostviewed", q: "is_published:true" });
    const { hits, total } = (await get<Envelope<RecordBody>>(`/api/user/records?${params}`, { signal })).hits;
    return { records: hits.filter(({ stats }) => stats), isCut: total > hits.length, total };
  },
  retry: false,
});
