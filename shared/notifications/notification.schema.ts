import { z } from "zod";
import { command } from "../kernel/command.ts";

/** Body of `POST /api/sync/notifications/read`: some, or all that there are. */
export const readBody = z.union([
  z.strictObject({ ids: z.array(z.string()) }),
  z.strictObject({ all: z.literal(true) }),
]);

export const markRead = command({
  name: "notification.read",
  version: 1,
  delivery: "queue",
  /** Spelled out when the person asked for all: what arrives meanwhile stays unread. */
  input: z.object({ ids: z.array(z.string()) }),
});
