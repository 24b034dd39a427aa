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
export type Grantee = Grant["subject"];
type NewGrant = Pick<Grant, "permission" | "subject"> & Partial<Grant>;

/** A grant of a person or group has an address of its own, which stays the same when other grants go. */
const addressOf = (id: string, { type, id: subject }: Grantee): string =>
  `${accessOf(id)}/${type === "user" ? "users" : "groups"}/${encodeURIComponent(subject)}`;

export async function giveGrant(id: string, { permission, subject, origin, message }: NewGrant) {
  await call("POST", `${accessOf(id)}/grants`, { body: { grants: [{ permission, subject, origin, message }] } });
  await refresh(id);
}
export async function changeGrant(id: string, subject: Grantee, permission: GrantLevel) {
  await call("PATCH", addressOf(id, subject), { body: { permission } });
  await refresh(id);
}
export async function revokeFrom(id: string, subject: Grantee) {
  await call("DELETE", addressOf(id, subject));
  await refresh(id);
}
export async function changeAccessSettings(id: string, settings: AccessSettings) {
  await call("PUT", accessOf(id), { body: settings });
  await refresh(id);
}
/** Whether the owner's account is closed, so that nobody decides on requests for access. Only the server knows. */
export const ownerGoneQuery = (id: string) =>
  queryOptions({
    queryKey: ["record", id, "owner"],
    queryFn: async () => {
      const { expanded } = await get<{ expanded?: { parent?: { access?: { owned_by?: { active?: boolean } } } } }>(
        `/api/records/${id}?expand=1&scope=server`,
      );
      return expanded?.parent?.access?.owned_by?.active === false;
    },
    retry: false,
  });

/** Asks the owner for access to the restricted files. */
export async function askForAccess(id: string, message: string) {
  const { body } = await call<ReviewRequest>("POST", `${accessOf(id)}/request`, { body: { message } });
  return body;
}
