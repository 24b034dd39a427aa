import { type Caller, isSuperuser } from "../kernel/caller.ts";

/** The log contains everybody's names and addresses, so only administrators may read it. */
export const mayReadAuditLog = (caller: Caller): boolean => isSuperuser(caller);
