import { queryOptions } from "@tanstack/react-query";
import { fold } from "../../../../shared/search/language/analysis.ts";
import type { Creator, Envelope, RecordBody } from "../../../api-client/record-types.ts";
import { get } from "../../../api-client/request.ts";
import { personName } from "../../../format/names.ts";

const orcidOf = ({ person_or_org }: Creator) =>
  person_or_org?.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;

/** People in the user's drafts and records whose family name starts with this text, latest spelling. */
export const knownPeopleQuery = (familyName: string) => {
  const [word = ""] = familyName.match(/[\p{L}\p{N}]+/u) ?? [];
  return queryOptions({
    queryKey: ["library", "people", word],
    queryFn: async ({ signal }) => {
      const q = `metadata.creators.person_or_org.family_name:${word}*`;
      const params = new URLSearchParams({ q, size: "25", sort: "updated-desc" });
      const { hits } = (await get<Envelope<RecordBody>>(`/api/user/records?${params}`, { signal })).hits;
      const people = hits.flatMap(({ metadata }) => metadata.creators ?? []);
      const fitting = people.filter(({ person_or_org }) =>
        fold(person_or_org?.family_name ?? "").startsWith(fold(word)),
      );
      const known = new Map<string, Creator>();
      for (const one of fitting) {
        const key = orcidOf(one) ?? fold(personName(one.person_or_org));
        if (!known.has(key)) known.set(key, one);
      }
      return [...known].map(([key, { person_or_org, affiliations }]) => ({
        id: `known ${key}`,
        name: personName(person_or_org),
        family_name: person_or_org?.family_name ?? "",
        given_name: person_or_org?.given_name,
        affiliations,
        identifiers: person_or_org?.identifiers,
      }));
    },
    enabled: word.length > 1,
    placeholderData: (before) => before,
  });
};
