import type { Request } from "express";
import { forbidden } from "../kernel/failure.ts";
import { callerOf } from "../kernel/resource.ts";

/** Whose notes and unsent comments a call is about. @throws Failure 403 for a caller without an account. */
export type DeskOwner = (req: Request) => string;

/** The one owner on a replica. The user's id changes when the replica is connected; the notes stay. */
export const localOwner = "local";

export const callerOwns: DeskOwner = (req) => {
  const { userId } = callerOf(req);
  if (userId === null) throw forbidden();
  return userId;
};
