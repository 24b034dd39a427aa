/** What the list of requests can be narrowed to: a status, or open requests that wait for changes. */
export const statusFilters = [
  ...(["draft", "submitted", "changes_requested", "accepted", "declined", "cancelled", "expired"] as const),
] as const;
export type StatusFilter = (typeof statusFilters)[number];
