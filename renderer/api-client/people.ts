import { queryOptions } from "@tanstack/react-query";
import { get } from "./request.ts";

/** Who works at this computer, with the groups she is in as far as they are known here. */
export interface Person {
  id: string;
  groups: string[];
}

export const personQuery = queryOptions({
  queryKey: ["users", "person"],
  queryFn: () => get<Person>("/api/sync/person"),
});

export const isSuperuser = (person: Person | undefined): boolean =>
  person?.groups.some((group) => group === "superuser-access" || group === "admin") ?? false;
