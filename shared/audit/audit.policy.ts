import { type Caller, isSuperuser } from "../kernel/caller.ts";

/** The log names everybody and every address: administrators alone read it. */
export const mayReadAuditLog = (caller: Caller): boolean => isSuperuser(caller);
