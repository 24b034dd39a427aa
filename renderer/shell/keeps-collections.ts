import { useQuery } from "@tanstack/react-query";
import { collectionsQuery } from "../api-client/collections.ts";
import { isSuperuser, personQuery } from "../api-client/people.ts";

const staleMs = 600_000;

/** Whether the user keeps a collection as a member of its group. Administrators find all in the administration. */
export function useKeepsCollections(): boolean {
  const { data: person } = useQuery(personQuery);
  const mayKeep = person !== undefined && person.groups.length > 0 && !isSuperuser(person);
  const { data = [] } = useQuery({ ...collectionsQuery, staleTime: staleMs, enabled: mayKeep });
  return mayKeep && data.some(({ permissions }) => permissions.can_update);
}
