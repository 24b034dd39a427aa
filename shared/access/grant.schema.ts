import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";

const permission = z.enum(["view", "preview", "edit", "manage"]);
const subject = z.object({ type: z.enum(["user", "role", "system_role"]), id: idText.min(1) });
const words = z.string().max(10_000);
export type GrantSubject = z.infer<typeof subject>;

const grantInput = z.object({
  permission,
  subject,
  origin: words.nullish(),
  message: words.nullish(),
  notify: z.boolean().optional(),
});

/** The input of new grants (records 7.3). */
export const grantsInput = z.object({ grants: z.array(grantInput).min(1).max(100) });

/** A whole grant in place of another (PUT), or a part of one (PATCH). */
export const grantReplacement = grantInput;
export const grantChange = grantInput.partial();

export const createGrants = command({
  name: "access-grant.create",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    recordId: idText,
    grants: z
      .array(
        z.object({
          id: newId,
          permission,
          subject,
          origin: words.nullable(),
          message: words.nullable(),
        }),
      )
      .min(1)
      .max(100),
  }),
});
export type CreateGrants = z.infer<typeof createGrants.input>;

export const updateGrant = command({
  name: "access-grant.update",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    id: idText,
    recordId: idText,
    permission: permission.optional(),
    subject: subject.optional(),
    origin: words.nullable().optional(),
    message: words.nullable().optional(),
    /** The grant before; older replicas send none. */
    seen: z.object({ permission, subject, origin: words.nullable(), message: words.nullable() }).optional(),
  }),
});
export type UpdateGrant = z.infer<typeof updateGrant.input>;

export const deleteGrant = command({
  name: "access-grant.delete",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: idText, recordId: idText }),
});
export type DeleteGrant = z.infer<typeof deleteGrant.input>;

/** Settings of a family. A key in the request replaces that setting (records 7.3). */
export const accessSettings = z
  .strictObject({
    allow_user_requests: z.boolean(),
    allow_guest_requests: z.boolean(),
    accept_conditions_text: words.nullable(),
    secret_link_expiration: z.int().min(0).max(365),
  })
  .partial();

export const updateAccessSettings = command({
  name: "access.update-settings",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ recordId: idText, settings: accessSettings }),
});
export type UpdateAccessSettings = z.infer<typeof updateAccessSettings.input>;
