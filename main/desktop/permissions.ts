/** Permissions that pages of the app may get. */
const granted = new Set(["clipboard-sanitized-write", "notifications"]);

/** Whether a page gets a permission: only our own pages, and only harmless ones. */
export const isPermissionGranted = (permission: string, origin: string, apiOrigin: string | undefined): boolean =>
  apiOrigin !== undefined && URL.canParse(origin) && new URL(origin).origin === apiOrigin && granted.has(permission);
