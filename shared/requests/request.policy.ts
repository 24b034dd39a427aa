import type { RequestRow } from "../database/schema.ts";
import { isClosed, type RequestAction } from "./request.lifecycle.ts";

/** The caller's roles in a request (requests 3.1). */
export interface Part {
  isCreator: boolean;
  /** One of the reviewers: the receiver or an added one. */
  isReceiver: boolean;
  /** Signed in, with the level on the topic that reading requires (`levelToRead`). */
  isPreviewer: boolean;
  isSuperuser: boolean;
}

/** The level on the topic with which others read a request. Requests for access need the right to give access. */
export const levelToRead = (isForAccess: boolean): "preview" | "manage" => (isForAccess ? "manage" : "preview");

type Judged = Pick<RequestRow, "status" | "is_locked">;

/** Whether the caller may read the request, its timeline and comments. */
export function mayRead(request: Judged, part: Part): boolean {
  if (part.isSuperuser || part.isCreator) return true;
  return request.status !== "draft" && (part.isReceiver || part.isPreviewer);
}

/** Whether a locked conversation is closed for the caller: only superusers may write. Check `mayRead` first. */
export const isLockedFor = (request: Judged, part: Part): boolean => request.is_locked === 1 && !part.isSuperuser;

export function mayUpdate(request: Judged, part: Part): boolean {
  if (part.isSuperuser) return true;
  if (isClosed(request.status)) return false;
  return part.isCreator || (part.isReceiver && request.status === "submitted");
}

/** Whether the caller may name and remove reviewers: its creator, while the request is open. */
export const mayNameReviewers = (part: Part): boolean => part.isCreator || part.isSuperuser;

/** Only drafts are deleted. For superusers the service checks the status and answers 400. */
export const mayDelete = (request: Judged, part: Part): boolean =>
  part.isSuperuser || (part.isCreator && request.status === "draft");

/** Actions of the creator; all others are the reviewers'. */
const ofCreators = new Set<RequestAction>(["submit", "cancel", "request-review"]);

/** Whether the caller may take an action. Nobody may take `expire`: only the server does. */
export function mayAct(action: RequestAction, part: Part): boolean {
  if (action === "expire") return false;
  if (part.isSuperuser) return true;
  return ofCreators.has(action) ? part.isCreator : part.isReceiver;
}

export const mayLock = (request: Judged, part: Part): boolean =>
  part.isSuperuser || (part.isReceiver && request.status !== "draft");
