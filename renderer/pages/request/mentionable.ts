import { useQuery } from "@tanstack/react-query";
import { personQuery } from "../../api-client/people.ts";
import type { ReviewRequest, UserView } from "../../api-client/request-types.ts";
import { newestEventsQuery, reviewingQuery } from "../../api-client/requests.ts";
import type { Mentionable } from "../../components/mention-suggestions.tsx";
import { userName } from "../../format/names.ts";
import { isForeign } from "./part.ts";

/**
 * Who may be mentioned: those of whom it is known that they read the request, but not the user. Only the server knows who
 * else is in a reviewing group.
 */
export function useMentionable(request: ReviewRequest): Mentionable[] {
  const { data: me } = useQuery(personQuery);
  const { data: events } = useQuery(newestEventsQuery(request.id));
  const { data: reviewing = [] } = useQuery({ ...reviewingQuery(request.id), enabled: !isForeign(request) });
  const { created_by, reviewers = [] } = request.expanded ?? {};
  const authors = (events?.hits.hits ?? []).map(({ expanded }) => expanded?.created_by);
  const people = new Map<string, string>();
  for (const user of [created_by, ...reviewers, ...authors, ...reviewing]) {
    const name = userName(user, "");
    if (user && !isAbsent(user) && name !== "" && user.id !== me?.id) people.set(String(user.id), name);
  }
  return [...people].map(([id, name]) => ({ id, name }));
}

const isAbsent = ({ id, is_ghost }: UserView): boolean => is_ghost === true || id === "system";
