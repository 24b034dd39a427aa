import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";
import { isDay } from "../metadata/edtf.schema.ts";

const permission = z.enum(["view", "preview", "edit"]);
const description = z.string().max(1000);
/** Day `YYYY-MM-DD`. If it has passed when the operation is pushed, the link is created as expired. */
const day = z.string().refine(isDay, "Not a valid date.");

/** The input of a new link (records 7.2). */
export const accessLinkInput = z.object({
  permission,
  expires_at: z.string().nullish(),
  description: description.nullish(),
});

/**
 * Creates a link of a family. The host that creates the link also makes its token, which works once the server has it.
 * The server cannot check that a token is random, but refuses one shorter than 256 bits.
 */
export const createAccessLink = command({
  name: "access-link.create",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    id: newId,
    recordId: idText,
    token: z.string().regex(/^[\w-]{43}$/, "256 bits in base64url are expected."),
    permission,
    expires_at: day.nullable(),
    description,
  }),
});
export type CreateAccessLink = z.infer<typeof createAccessLink.input>;

/** Changes a link; absent keys stay unchanged. `seen`: the link before; older replicas send none. */
export const updateAccessLink = command({
  name: "access-link.update",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    id: idText,
    recordId: idText,
    permission,
    expires_at: day.nullable().optional(),
    description: description.optional(),
    seen: z.object({ permission, expires_at: day.nullable(), description }).optional(),
  }),
});
export type UpdateAccessLink = z.infer<typeof updateAccessLink.input>;

export const deleteAccessLink = command({
  name: "access-link.delete",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: idText, recordId: idText }),
});
export type DeleteAccessLink = z.infer<typeof deleteAccessLink.input>;
