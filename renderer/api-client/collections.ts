import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { collectionChange, newCollection } from "../../shared/collections/collection.schema.ts";
import type { collection } from "../../shared/openapi/answers/people.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { call, get, orGone, searchWide } from "./request.ts";

export type Collection = z.infer<typeof collection>;

/** All collections of the server, which sends no event of changes. Offline 503. */
export const collectionsQuery = queryOptions({
  queryKey: ["collections"],
  queryFn: async () => (await get<Envelope<Collection>>("/api/collections")).hits.hits,
  staleTime: 0,
  retry: false,
});

/** How many records a query finds for the user. @throws ApiFailure 400 for a query that cannot be searched. */
export const foundQuery = (query: string) =>
  queryOptions({
    queryKey: ["records", "found", query],
    queryFn: async () =>
      (await searchWide<Envelope<unknown>>(`/api/records?size=1&q=${encodeURIComponent(query)}`)).body.hits.total,
    enabled: query.trim() !== "",
    retry: false,
  });

const readAgain = () => queryClient.invalidateQueries({ queryKey: collectionsQuery.queryKey });

export async function createCollection(made: z.input<typeof newCollection>): Promise<void> {
  await call("POST", "/api/collections", { body: made });
  await readAgain();
}

/** @throws ApiFailure 412 if somebody changed it since `revision_id`. */
export async function changeCollection({ slug, revision_id }: Collection, change: z.input<typeof collectionChange>) {
  const ifMatch = revision_id === undefined ? {} : { ifMatch: revision_id };
  try {
    await call("PUT", `/api/collections/${slug}`, { body: change, ...ifMatch });
  } catch (error) {
    throw orGone(error);
  } finally {
    // After a refusal too: then somebody else changed it.
    await readAgain();
  }
}

export async function deleteCollection({ slug }: Collection): Promise<void> {
  try {
    await call("DELETE", `/api/collections/${slug}`);
  } catch (error) {
    throw orGone(error);
  } finally {
    await readAgain();
  }
}
