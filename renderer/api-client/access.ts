import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import type { Envelope, SyncMark } from "./record-types.ts";
import { call, get } from "./request.ts";

export type LinkLevel = "view" | "preview" | "edit";
export type GrantLevel = LinkLevel | "manage";

/** A link that opens a record to whoever holds it (records 7.2). */
export interface AccessLink {
  id: string;
  created_at: string;
  expires_at?: string;
  permission: LinkLevel;
  description: string;
  token: string;
  sync?: SyncMark;
}

export interface Grant {
  permission: GrantLevel;
  subject: { type: "user" | "role" | "system_role"; id: string };
  sync?: SyncMark;
}

const accessOf = (id: string) => `/api/records/${id}/access`;

export const linksQuery = (id: string) =>
  queryOptions({
    queryKey: ["record", id, "access-links"],
    queryFn: async () => (await get<Envelope<AccessLink>>(`${accessOf(id)}/links`)).hits.hits,
  });
export const grantsQuery = (id: string) =>
  queryOptions({
    queryKey: ["record", id, "access-grants"],
    queryFn: async () => (await get<Envelope<Grant>>(`${accessOf(id)}/grants`)).hits.hits,
  });

const refresh = (id: string) => queryClient.invalidateQueries({ queryKey: ["record", id] });

export async function createLink(
  id: string,
  link: { permission: LinkLevel; expires_at?: string; description: string },
) {
  const { body } = await call<AccessLink>("POST", `${accessOf(id)}/links`, { body: link });
  await refresh(id);
  return body;
}
export async function deleteLink(id: string, link: string) {
  await call("DELETE", `${accessOf(id)}/links/${link}`);
  await refresh(id);
}
export async function grantTo(id: string, user: string, permission: GrantLevel) {
  await call("POST", `${accessOf(id)}/grants`, {
    body: { grants: [{ permission, subject: { type: "user", id: user } }] },
  });
  await refresh(id);
}
export async function revokeFrom(id: string, user: string) {
  await call("DELETE", `${accessOf(id)}/users/${user}`);
  await refresh(id);
}
