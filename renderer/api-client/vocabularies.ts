import { queryOptions } from "@tanstack/react-query";
import type { Affiliation, Envelope, PersonOrOrg, VocabularyEntry } from "./record-types.ts";
import { get, searchWide } from "./request.ts";
import type { UserView } from "./request-types.ts";

type VocabularyType =
  | "resourcetypes"
  | "licenses"
  | "languages"
  | "titletypes"
  | "descriptiontypes"
  | "datetypes"
  | "relationtypes"
  | "creatorsroles"
  | "contributorsroles"
  | "removalreasons";

const hits = async <T>(path: string) => (await get<Envelope<T>>(path)).hits.hits;
const suggest = (text: string) => (text.trim() ? `&suggest=${encodeURIComponent(text.trim())}` : "");

/** A whole short vocabulary, or what a long one suggests for some text. */
export const vocabularyQuery = (type: VocabularyType, text = "") =>
  queryOptions({
    queryKey: ["vocabulary", type, text],
    queryFn: () => hits<VocabularyEntry>(`/api/vocabularies/${type}?size=${text ? 20 : 100}${suggest(text)}`),
    placeholderData: (before) => before,
  });

/** One entry, by its id. */
export const vocabularyEntryQuery = (type: VocabularyType, id: string) =>
  queryOptions({
    queryKey: ["vocabulary", type, "one", id],
    queryFn: () => get<VocabularyEntry>(`/api/vocabularies/${type}/${encodeURIComponent(id)}`),
    retry: false,
  });

export const affiliationsQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "affiliations", text],
    queryFn: () => hits<Affiliation & { acronym?: string }>(`/api/affiliations?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export interface NameEntry extends Pick<PersonOrOrg, "family_name" | "given_name" | "identifiers"> {
  id: string;
  name: string;
  affiliations?: Affiliation[];
}
export const namesQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "names", text],
    queryFn: () => hits<NameEntry>(`/api/names?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export const subjectsQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "subjects", text],
    queryFn: () => hits<{ id: string; subject: string; scheme: string }>(`/api/subjects?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export const fundersQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "funders", text],
    queryFn: () => hits<{ id: string; name: string; country?: string }>(`/api/funders?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

/** People by name: all of the server's when it can be reached, else those known on this computer. */
export const usersQuery = (text: string) =>
  queryOptions({
    queryKey: ["users", text],
    queryFn: async () => (await searchWide<Envelope<UserView>>(`/api/users?size=10${suggest(text)}`)).body.hits.hits,
    placeholderData: (before) => before,
  });

/** One person; refused when their profile is not public. */
export const userQuery = (id: string) =>
  queryOptions({ queryKey: ["users", "one", id], queryFn: () => get<UserView>(`/api/users/${id}`), retry: false });
