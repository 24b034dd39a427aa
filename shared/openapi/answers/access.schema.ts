import { z } from "zod";
import { day, isoTime, marked, plainListOf } from "./common.schema.ts";
import { named } from "./named.schema.ts";

export const accessLink = named(
  "AccessLink",
  "Gives its level to whoever holds the token (`?token=`).",
  z.object({
    id: z.uuid(),
    created_at: isoTime,
    expires_at: day.optional(),
    permission: z.enum(["view", "preview", "edit"]),
    description: z.string(),
    token: z.string(),
    ...marked,
  }),
);

export const accessGrant = named(
  "AccessGrant",
  "Gives a level to a person, a group or everybody signed in.",
  z.object({
    id: z.int().min(0).describe("Its place in the list of the family, as in addresses"),
    permission: z.enum(["view", "preview", "edit", "manage"]),
    subject: z.object({ type: z.enum(["user", "role", "system_role"]), id: z.string() }),
    origin: z.string().nullable(),
    message: z.string().optional(),
    expanded: z
      .object({ subject: z.record(z.string(), z.unknown()) })
      .optional()
      .describe("With `expand=1`"),
    ...marked,
  }),
);

export const accessLinkList = named("AccessLinkList", "Access links of a family.", plainListOf(accessLink));
export const accessGrantList = named("AccessGrantList", "Grants of a family.", plainListOf(accessGrant));
