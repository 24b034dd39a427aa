import type { Trigger } from "../notifications/notification.presenter.ts";

/** The payload of a mail job to a guest who asks for access. The link itself is computed when the mail is written. */
export type GuestOrder =
  | { guest: "confirm"; confirmationId: string }
  | { guest: Trigger; requestId: string; commentId: string | null };

export const isGuestOrder = (order: object): order is GuestOrder => "guest" in order;
