import { queryOptions } from "@tanstack/react-query";
import type { FoundOrganisation, FoundPerson, LookupKind } from "../../shared/lookup/lookup.schema.ts";
import { ApiFailure, get } from "./request.ts";

/** Kinds of identifiers that the server can look up; none without a server, offline, or where none is set up. */
export const lookupQuery = queryOptions({
  queryKey: ["lookup"],
  queryFn: async (): Promise<LookupKind[]> => {
    try {
      return (await get<{ kinds: LookupKind[] }>("/api/lookup")).kinds;
    } catch (error) {
      if (error instanceof ApiFailure) return [];
      throw error;
    }
  },
  retry: false,
});

const find = async <Found>(kind: LookupKind, id: string): Promise<Found> =>
  (await get<{ found: Found }>(`/api/lookup/${kind}?id=${encodeURIComponent(id)}`)).found;

/** A work as CSL-JSON. @throws ApiFailure 404 if no service knows it, 503 offline. */
export const findWork = (doi: string) => find<Record<string, unknown>>("doi", doi);
/** @throws ApiFailure as above. */
export const findPerson = (orcid: string) => find<FoundPerson>("orcid", orcid);
/** @throws ApiFailure as above. */
export const findOrganisation = (ror: string) => find<FoundOrganisation>("ror", ror);

const unlessUnknown = async <T>(reading: Promise<T>): Promise<T | undefined> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
};

/** The organisation with a ROR id; without `id` if the vocabulary does not have it. Null if nobody knows it. */
export const organisationQuery = (vocabulary: "affiliations" | "funders", ror: string, mayLookUp: boolean) =>
  queryOptions({
    queryKey: ["lookup", "ror", vocabulary, ror, mayLookUp],
    queryFn: async (): Promise<{ id?: string; name: string; country?: string | undefined } | null> => {
      const entry = await unlessUnknown(
        get<{ id: string; name: string; country?: string }>(`/api/${vocabulary}/${encodeURIComponent(ror)}`),
      );
      if (entry) return entry;
      const found = mayLookUp ? await unlessUnknown(findOrganisation(ror)) : undefined;
      return found ? { name: found.name, country: found.country } : null;
    },
    retry: false,
  });
