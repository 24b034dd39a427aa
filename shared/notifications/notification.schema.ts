import { z } from "zod";
import { command } from "../kernel/command.ts";

/** Body of `POST /api/sync/notifications/read`: some, or all that there are. */
export const readBody = z
  .strictObject({ ids: z.array(z.string()), all: z.literal(true) })
  .partial()
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), "Either ids or all is expected.");

export const markRead = command({
  name: "notification.read",
  version: 1,
  delivery: "queue",
  doors: { route: "person", push: "person" },
  /** Spelled out when the person asked for all: what arrives meanwhile stays unread. */
  input: z.object({ ids: z.array(z.string()) }),
});
