/** By what administrators filter and sort the people of the server. */
export const personStates = ["active", "inactive", "unconfirmed"] as const;
export const personRoles = ["superuser-access", "administration-moderation"] as const;
export const personSorts = ["name", "newest", "last_seen", "storage"] as const;
