import type { EventRow, RequestRow } from "../database/schema.ts";
import { isLockedFor, type Part } from "../requests/request.policy.ts";

export type Judged = Pick<EventRow, "type" | "event" | "parent_id" | "creator_id">;

const isDeleted = (event: Judged): boolean => event.event === "comment_deleted";

/** A live comment; log events and deleted comments are nobody's to change, not even a superuser's (requests 7). */
const isLive = (event: Judged): boolean => event.type === "C";

export const mayEditComment = (event: Judged, part: Part, isAuthor: boolean): boolean =>
  isLive(event) && (isAuthor || part.isSuperuser);

export const mayDeleteComment = (event: Judged, part: Part, isAuthor: boolean): boolean =>
  isLive(event) && (isAuthor || part.isReceiver || part.isSuperuser);

/** Only comments at the top level, deleted ones too, are replied to. */
export const isRepliable = (event: Judged): boolean => event.parent_id === null && (isLive(event) || isDeleted(event));

/** What the reader of an event may do with it (requests 7). */
export function permissionsOf(request: RequestRow, event: Judged, part: Part, isAuthor: boolean) {
  const isLocked = isLockedFor(request, part);
  return {
    can_update_comment: !isLocked && mayEditComment(event, part, isAuthor),
    can_delete_comment: mayDeleteComment(event, part, isAuthor),
    can_reply_comment: !isLocked && isRepliable(event),
  };
}
