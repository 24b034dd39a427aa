import type { RequestRow } from "../database/schema.ts";
import { isClosed, type RequestAction } from "./request.lifecycle.ts";

/** What a caller is to a request (requests 3.1). */
export interface Part {
  isCreator: boolean;
  isReceiver: boolean;
  /** Signed in, and may preview the topic. */
  isPreviewer: boolean;
  isSuperuser: boolean;
}

type Judged = Pick<RequestRow, "status" | "is_locked">;

/** The request, its timeline and comments. */
export function mayRead(request: Judged, part: Part): boolean {
  if (part.isSuperuser || part.isCreator) return true;
  return request.status !== "draft" && (part.isReceiver || part.isPreviewer);
}

/** Writing into a locked conversation is for superusers alone; `mayRead` is asked before. */
export const isLockedFor = (request: Judged, part: Part): boolean => request.is_locked === 1 && !part.isSuperuser;

export function mayUpdate(request: Judged, part: Part): boolean {
  if (part.isSuperuser) return true;
  if (isClosed(request.status)) return false;
  return part.isCreator || (part.isReceiver && request.status === "submitted");
}

/** A request past `draft` is not deleted; for a superuser that is a matter of state, answered elsewhere. */
export const mayDelete = (request: Judged, part: Part): boolean =>
  part.isSuperuser || (part.isCreator && request.status === "draft");

/** `expire` is the server's alone. */
export function mayAct(action: RequestAction, part: Part): boolean {
  if (action === "expire") return false;
  if (part.isSuperuser) return true;
  return action === "submit" || action === "cancel" ? part.isCreator : part.isReceiver;
}

export const mayLock = (request: Judged, part: Part): boolean =>
  part.isSuperuser || (part.isReceiver && request.status !== "draft");
