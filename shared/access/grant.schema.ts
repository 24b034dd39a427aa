import { z } from "zod";

const permission = z.enum(["view", "preview", "edit", "manage"]);
const subject = z.object({ type: z.enum(["user", "role", "system_role"]), id: z.string().min(1) });
export type GrantSubject = z.infer<typeof subject>;

const grantInput = z.object({
  permission,
  subject,
  origin: z.string().nullish(),
  message: z.string().nullish(),
  notify: z.boolean().optional(),
});

/** What a caller may send for new grants (records 7.3). */
export const grantsInput = z.object({ grants: z.array(grantInput).min(1).max(100) });

/** A whole grant in place of another (PUT), or a part of one (PATCH). */
export const grantReplacement = grantInput;
export const grantChange = grantInput.partial();

export const createGrants = {
  name: "access-grant.create",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    recordId: z.string(),
    grants: z
      .array(
        z.object({
          id: z.string(),
          permission,
          subject,
          origin: z.string().nullable(),
          message: z.string().nullable(),
        }),
      )
      .min(1)
      .max(100),
  }),
};
export type CreateGrants = z.infer<typeof createGrants.input>;

export const updateGrant = {
  name: "access-grant.update",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    id: z.string(),
    recordId: z.string(),
    permission: permission.optional(),
    subject: subject.optional(),
    origin: z.string().nullable().optional(),
    message: z.string().nullable().optional(),
  }),
};
export type UpdateGrant = z.infer<typeof updateGrant.input>;

export const deleteGrant = {
  name: "access-grant.delete",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ id: z.string(), recordId: z.string() }),
};
export type DeleteGrant = z.infer<typeof deleteGrant.input>;

/** Settings of a family; a sent key replaces that setting (records 7.3). */
export const accessSettings = z
  .strictObject({
    allow_user_requests: z.boolean(),
    allow_guest_requests: z.boolean(),
    accept_conditions_text: z.string().nullable(),
    secret_link_expiration: z.int().min(0).max(365),
  })
  .partial();

export const updateAccessSettings = {
  name: "access.update-settings",
  version: 1,
  delivery: "server" as const,
  input: z.object({ recordId: z.string(), settings: accessSettings }),
};
export type UpdateAccessSettings = z.infer<typeof updateAccessSettings.input>;
