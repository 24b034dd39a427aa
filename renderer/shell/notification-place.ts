import type { Notification } from "../api-client/sync-types.ts";

/** Where a notification leads: to its event of a request, or to the page of a deleted record. */
export function placeOfNotification({ request, record, comment }: Notification) {
  if (request === null) return { to: "/records/$id", params: { id: record ?? "" } } as const;
  const hash = comment ? { hash: `commentevent-${comment}` } : {};
  return { to: "/me/requests/$id", params: { id: request }, ...hash } as const;
}
