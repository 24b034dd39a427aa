import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Grantee } from "../../api-client/access.ts";
import { groupsQuery, personQuery } from "../../api-client/people.ts";
import { usersQuery } from "../../api-client/vocabularies.ts";
import { userName } from "../../format/names.ts";

/** Somebody to give access to, with the words to show. */
export interface FoundGrantee extends Grantee {
  name: string;
  help: string;
}

export const keyOf = ({ type, id }: Grantee): string => `${type}:${id}`;

/** People and groups by name, with the user's own groups: a search hides those that are managed in Carrel (requests 11). */
export function useGrantees(text: string): { found: FoundGrantee[]; isLocal: boolean; isFetching: boolean } {
  const { t } = useTranslation();
  const { data: { users, isLocal } = { users: [], isLocal: false }, isFetching } = useQuery(usersQuery(text));
  const { data: groups } = useQuery(groupsQuery(text));
  const { data: person } = useQuery(personQuery);
  const start = text.trim().toLowerCase();
  const own = (person?.groups ?? []).filter((name) => name.toLowerCase().startsWith(start));
  const helpOf = new Map(own.map((name): [string, string] => [name, t("share.own_group")]));
  for (const { name, description } of groups?.body.hits.hits ?? [])
    helpOf.set(name, description || t("reviewers.group"));
  const found: FoundGrantee[] = [
    ...users.map((user) => ({
      ...{ type: "user" as const, id: user.id },
      ...{ name: userName(user, user.id), help: user.username ?? "" },
    })),
    ...[...helpOf].map(([name, help]) => ({ type: "role" as const, id: name, name, help })),
  ];
  return { found, isLocal, isFetching };
}
