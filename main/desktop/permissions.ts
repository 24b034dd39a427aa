/** All that a page of the app may ask of the system. */
const granted = new Set(["clipboard-sanitized-write", "notifications"]);

/** Whether a page from `origin` gets a permission: two harmless ones, for our own pages only; else no. */
export const mayHave = (permission: string, origin: string, apiOrigin: string | undefined): boolean =>
  apiOrigin !== undefined && URL.canParse(origin) && new URL(origin).origin === apiOrigin && granted.has(permission);
