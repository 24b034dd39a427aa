import { z } from "zod";
import { command } from "../kernel/command.ts";

/** The body of `PUT /api/administration/people/{id}/quota`. null: the quota of the settings. */
export const quotaBody = z.object({ quota_bytes: z.int().min(0).nullable() });

/** Gives a user a storage quota of their own, or that of the settings again. */
export const setQuota = command({
  name: "user.set-quota",
  version: 1,
  senders: { route: "administrator" },
  input: quotaBody.extend({ userId: z.string() }),
});
