import { type Caller, system } from "../../shared/kernel/caller.ts";

/** Passes every permission check of routes, like a member of `superuser-access`. */
export const superuser: Caller = { ...system, via: "token" };
