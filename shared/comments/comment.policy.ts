import type { EventRow, RequestRow } from "../database/schema.ts";
import { isLockedFor, type Part } from "../requests/request.policy.ts";

export type Judged = Pick<EventRow, "type" | "event" | "parent_id" | "creator_id">;

export const isDeleted = (event: Judged): boolean => event.event === "comment_deleted";

/** Whether an event is a live comment. Nobody, not even a superuser, may change log events and deleted comments (requests 7). */
const isLive = (event: Judged): boolean => event.type === "C";

export const mayEditComment = (event: Judged, part: Part, isAuthor: boolean): boolean =>
  isLive(event) && (isAuthor || part.isSuperuser);

export const mayDeleteComment = (event: Judged, part: Part, isAuthor: boolean): boolean =>
  isLive(event) && (isAuthor || part.isReceiver || part.isSuperuser);

/** Whether the caller may settle a comment on a field or file: its author, and whoever asked for the review. */
export const mayResolveComment = (event: Judged, part: Part, isAuthor: boolean): boolean =>
  isLive(event) && (isAuthor || part.isCreator || part.isSuperuser);

/** Only top-level comments, deleted ones too, can have replies. */
export const isRepliable = (event: Judged): boolean => event.parent_id === null && (isLive(event) || isDeleted(event));

/** What the caller may do with an event (requests 7). */
export function permissionsOf(
  request: RequestRow,
  event: Judged & Pick<EventRow, "about">,
  part: Part,
  isAuthor: boolean,
) {
  const isLocked = isLockedFor(request, part);
  return {
    can_update_comment: !isLocked && mayEditComment(event, part, isAuthor),
    can_delete_comment: mayDeleteComment(event, part, isAuthor),
    can_reply_comment: !isLocked && isRepliable(event),
    // Only of a comment on a field or file: other clients know the three keys above.
    ...(isLive(event) && event.about !== null ? { can_resolve_comment: mayResolveComment(event, part, isAuthor) } : {}),
  };
}
