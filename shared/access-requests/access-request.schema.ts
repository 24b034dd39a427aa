import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";

/** In place of the id of a user: a guest has no account. */
export const guestId = "guest";

const message = z.string().overwrite(cleanText).max(5000);
const fullName = z.string().overwrite(cleanText).min(1).max(250);
const email = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .max(255)
  .pipe(z.email("Not a valid email address."));

/** The body of `POST /api/records/{id}/access/request`. `view` is the only level that can be asked for. */
export const accessRequestBody = z.object({
  permission: z.literal("view").optional(),
  message: message.nullish(),
  email: z.string().max(255).nullish(),
  full_name: z.string().max(1000).nullish(),
  consent_to_share_personal_data: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
});

const consent = "The owner must see your name and address to decide.";

/** The same from a guest, who has to say who they are. */
export const guestBody = z.object({
  email,
  full_name: fullName,
  message: message.nullish().transform((text) => text ?? ""),
  consent_to_share_personal_data: z
    .union([z.boolean(), z.string()], consent)
    .refine((value) => String(value) === "true", consent),
});

export const requestAnswer = z.object({ message: z.string() });

/** A user asks for access to the files of a record. */
export const askForAccess = command({
  name: "access-request.create",
  version: 1,
  senders: { route: "person" },
  input: z.object({ recordId: idText, id: newId, message }),
});
export type AskForAccess = z.infer<typeof askForAccess.input>;

/** A guest confirms their address; then the owner is asked. */
export const confirmGuest = command({
  name: "access-request.confirm",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ confirmationId: idText, id: newId }),
});
export type ConfirmGuest = z.infer<typeof confirmGuest.input>;

/** A guest does not need the access any more. */
export const withdrawGuest = command({
  name: "access-request.withdraw",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ confirmationId: idText, logId: newId }),
});
export type WithdrawGuest = z.infer<typeof withdrawGuest.input>;
