import { z } from "zod";

const permission = z.enum(["view", "preview", "edit"]);

/** What a caller may send for a new link (records 7.2). */
export const accessLinkInput = z.object({
  permission,
  expires_at: z.string().nullish(),
  description: z.string().max(1000).nullish(),
});

/** A new link of a family; the token is minted where it is made and works once the server has it. */
export const createAccessLink = {
  name: "access-link.create",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    id: z.uuid(),
    recordId: z.string(),
    token: z.string().min(20),
    permission,
    /** Day `YYYY-MM-DD`. */
    expires_at: z.string().nullable(),
    description: z.string(),
  }),
};
export type CreateAccessLink = z.infer<typeof createAccessLink.input>;

/** Changes a link; an absent key stays as it is. */
export const updateAccessLink = {
  name: "access-link.update",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    id: z.string(),
    recordId: z.string(),
    permission,
    expires_at: z.string().nullable().optional(),
    description: z.string().optional(),
  }),
};
export type UpdateAccessLink = z.infer<typeof updateAccessLink.input>;

export const deleteAccessLink = {
  name: "access-link.delete",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ id: z.string(), recordId: z.string() }),
};
export type DeleteAccessLink = z.infer<typeof deleteAccessLink.input>;
