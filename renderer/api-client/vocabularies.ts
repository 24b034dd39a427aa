import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { vocabularyShapes } from "../../shared/openapi/answers/vocabulary.schema.ts";
import type { genericVocabularyTypes } from "../../shared/vocabularies/vocabulary.schema.ts";
import type { Envelope, VocabularyEntry } from "./record-types.ts";
import { get, searchWide } from "./request.ts";
import type { UserView } from "./request-types.ts";

type VocabularyType = (typeof genericVocabularyTypes)[number];
type Entries = typeof vocabularyShapes;
type Entry<Type extends keyof Entries> = z.infer<Entries[Type]>;

const hits = async <T>(path: string) => (await get<Envelope<T>>(path)).hits.hits;
const suggest = (text: string) => (text.trim() ? `&suggest=${encodeURIComponent(text.trim())}` : "");

/** All entries of a short vocabulary, or suggestions of a long one for a text. */
export const vocabularyQuery = (type: VocabularyType, text = "") =>
  queryOptions({
    queryKey: ["vocabulary", type, text],
    queryFn: () => hits<VocabularyEntry>(`/api/vocabularies/${type}?size=${text ? 20 : 100}${suggest(text)}`),
    placeholderData: (before) => before,
  });

/** The entries that are recommended to everybody. */
export const recommendedQuery = (type: VocabularyType) =>
  queryOptions({
    queryKey: ["vocabulary", type, "recommended"],
    queryFn: () => hits<VocabularyEntry>(`/api/vocabularies/${type}?size=100&tags=recommended`),
  });

export const vocabularyEntryQuery = (type: VocabularyType, id: string) =>
  queryOptions({
    queryKey: ["vocabulary", type, "one", id],
    queryFn: () => get<VocabularyEntry>(`/api/vocabularies/${type}/${encodeURIComponent(id)}`),
    retry: false,
  });

export const affiliationsQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "affiliations", text],
    queryFn: () => hits<Entry<"affiliations">>(`/api/affiliations?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export const namesQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "names", text],
    queryFn: () => hits<Entry<"names">>(`/api/names?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export const subjectsQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "subjects", text],
    queryFn: () => hits<Entry<"subjects">>(`/api/subjects?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

export const fundersQuery = (text: string) =>
  queryOptions({
    queryKey: ["vocabulary", "funders", text],
    queryFn: () => hits<Entry<"funders">>(`/api/funders?size=10${suggest(text)}`),
    enabled: text.trim().length > 1,
    placeholderData: (before) => before,
  });

/** Users by name: from the server if it can be reached, otherwise those known here. */
export const usersQuery = (text: string) =>
  queryOptions({
    queryKey: ["users", text],
    queryFn: async () => {
      const { body, isLocal } = await searchWide<Envelope<UserView>>(`/api/users?size=10${suggest(text)}`);
      return { users: body.hits.hits, isLocal };
    },
    placeholderData: (before) => before,
  });

/** One user; refused if their profile is not public. */
export const userQuery = (id: string) =>
  queryOptions({ queryKey: ["users", "one", id], queryFn: () => get<UserView>(`/api/users/${id}`), retry: false });
