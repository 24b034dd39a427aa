import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import type { z } from "zod";
import type { group, userGroups } from "../../shared/openapi/answers/people.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { ApiFailure, type CallOptions, call, get, searchWide } from "./request.ts";
import type { UserView } from "./request-types.ts";

/** The user of this computer, with the groups known here. */
export interface Person {
  id: string;
  groups: string[];
}

export const personQuery = queryOptions({
  queryKey: ["users", "person"],
  queryFn: () => get<Person>("/api/sync/person"),
});

/** Whether the rights of an administrator wait until they have set up a second factor. */
export const waitsForFactorQuery = queryOptions({
  queryKey: ["users", "second-factor"],
  queryFn: async () => (await get<{ is_demanded: boolean }>("/api/user/second-factor")).is_demanded,
  retry: false,
});

export const isSuperuser = (person: Person | undefined): boolean =>
  person?.groups.some((group) => group === "superuser-access" || group === "admin") ?? false;

/** May change groups and their members (requests 11, 12.1). */
export const mayAdminister = (person: Person | undefined): boolean =>
  isSuperuser(person) || (person?.groups.includes("administration-moderation") ?? false);

/** Users by name, at most ten; without text the first ones by user name (requests 12). */
export const peopleQuery = (text: string) =>
  queryOptions({
    queryKey: ["users", "search", text],
    queryFn: () => {
      const words = text.trim();
      const what = words ? `suggest=${encodeURIComponent(words)}` : "sort=username";
      return searchWide<Envelope<UserView>>(`/api/users?${what}`);
    },
    placeholderData: (before) => before,
  });

/** A user's groups; `available_groups` only for administrators (requests 12.1). */
export type Memberships = z.infer<typeof userGroups>;
export type GroupName = Memberships["groups"][number] & { description?: string | null };

/** From the server, which sends no event of changes: offline 503. 403 for the groups of others, but for administrators. */
export const membershipsQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "groups", id],
    queryFn: () => get<Memberships>(`/api/users/${id}/groups`),
    staleTime: 0,
    retry: false,
  });

export type Group = z.infer<typeof group>;

/** Groups by the beginnings of words in name or description (requests 11). */
export const groupsQuery = (text: string) =>
  queryOptions({
    queryKey: ["groups", text],
    queryFn: () => {
      const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const q = words.length > 0 ? `&q=${encodeURIComponent(words.map((word) => `${word}*`).join(" AND "))}` : "";
      return searchWide<Envelope<Group>>(`/api/groups?size=50${q}`);
    },
    // Other administrators change groups, and no event tells it.
    staleTime: 0,
    placeholderData: (before) => before,
  });

async function changeGroups(method: string, path: string, options: CallOptions = {}) {
  try {
    await call(method, path, options);
  } catch (error) {
    // The pages offer only allowed changes, so they are out of date: the group was deleted elsewhere, for example.
    if (error instanceof ApiFailure && error.status === 403) throw new ApiFailure(403, i18next.t("people.group_stale"));
    throw error;
  } finally {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ["groups"] }),
      queryClient.invalidateQueries({ queryKey: ["users"] }),
      queryClient.invalidateQueries({ queryKey: ["administration"] }),
    ]);
  }
}

export const changeMembership = (id: string, group: string, isMember: boolean) =>
  changeGroups(isMember ? "POST" : "DELETE", `/api/users/${id}/groups`, { body: { groups: [group] } });

const described = (description: string) => ({ description: description.trim() || null });

/** @throws ApiFailure 400 by field; 403 for a protected name. */
export const createGroup = (name: string, description: string) =>
  changeGroups("POST", "/api/groups", { body: { name, ...described(description) } });
/** @throws ApiFailure 412 if somebody changed it since. */
export const describeGroup = ({ name, revision_id }: Group, description: string) =>
  changeGroups("PUT", `/api/groups/${encodeURIComponent(name)}`, {
    body: described(description),
    ifMatch: revision_id,
  });
export const deleteGroup = (name: string) => changeGroups("DELETE", `/api/groups/${encodeURIComponent(name)}`);
