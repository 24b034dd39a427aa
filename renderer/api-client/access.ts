import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { accessGrant, accessLink } from "../../shared/openapi/answers/access.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope, RecordBody } from "./record-types.ts";
import { call, get } from "./request.ts";
import type { ReviewRequest } from "./request-types.ts";

/** A link that gives access to a record to everybody who has it (records 7.2). */
export type AccessLink = z.infer<typeof accessLink>;
export type LinkLevel = AccessLink["permission"];

export type Grant = z.infer<typeof accessGrant>;
export type GrantLevel = Grant["permission"];

/** Who may ask for access, and what a guest's link is like. */
export type AccessSettings = RecordBody["parent"]["access"]["settings"];

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
export async function changeAccessSettings(id: string, settings: AccessSettings) {
  await call("PUT", accessOf(id), { body: settings });
  await refresh(id);
}
/** Asks the owner for access to the restricted files. */
export async function askForAccess(id: string, message: string) {
  const { body } = await call<ReviewRequest>("POST", `${accessOf(id)}/request`, { body: { message } });
  return body;
}
