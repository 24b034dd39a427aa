import { z } from "zod";
import { command } from "../kernel/command.ts";

/** Body of `POST /api/sync/notifications/read`: some ids, or all notifications. */
export const readBody = z
  .strictObject({ ids: z.array(z.string()), all: z.literal(true) })
  .partial()
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), "Either ids or all is expected.");

export const markRead = command({
  name: "notification.read",
  version: 1,
  delivery: "queue",
  senders: { route: "person", push: "person" },
  /** For "all", the ids at that time: notifications that arrive later stay unread. */
  input: z.object({ ids: z.array(z.string()) }),
});
