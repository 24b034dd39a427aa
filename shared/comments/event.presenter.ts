import type { EventFileRow, EventRow, RequestRow } from "../database/schema.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { spacedTime } from "../kernel/timestamps.ts";
import type { Part } from "../requests/request.policy.ts";
import { permissionsOf } from "./comment.policy.ts";

export interface EventView {
  baseUrl: string;
  request: RequestRow;
  part: Part;
  /** The reader, to mark their own comments. */
  userId: string | null;
  files: readonly EventFileRow[];
  sync?: SyncMark | undefined;
  expanded?: Record<string, unknown>;
  /** Whether a comment links its place on the request's page; the last reply in a request does not. */
  hasPage: boolean;
}

function payloadOf(event: EventRow, files: readonly EventFileRow[]): Record<string, unknown> {
  if (event.type === "C") {
    const attached = files.map((file) => ({ file_id: file.id }));
    return { content: event.content, format: event.format, ...(attached.length > 0 ? { files: attached } : {}) };
  }
  const content = event.event === "comment_deleted" ? { content: "" } : {};
  return { event: event.event, ...content, format: event.format };
}

function linksOf(event: EventRow, { baseUrl, request, hasPage }: EventView): Record<string, string> {
  const self = `${baseUrl}/api/requests/${request.id}/comments/${event.id}`;
  if (event.type !== "C") return { self };
  const anchor = event.parent_id === null ? event.id : `${event.parent_id}_${event.id}`;
  const page: Record<string, string> = hasPage
    ? { self_html: `${baseUrl}/me/requests/${request.id}#commentevent-${anchor}` }
    : {};
  if (event.parent_id !== null) return { self, ...page };
  const replies = { reply: `${self}/reply`, replies: `${self}/replies`, replies_focused: `${self}/replies_focused` };
  return { self, ...replies, ...page };
}

/** An event of a conversation: a comment, a deleted comment or a log event (requests 7). */
export function presentEvent(event: EventRow, view: EventView): Record<string, unknown> {
  const isAuthor = view.userId !== null && view.userId === event.creator_id;
  return {
    id: event.id,
    type: event.type,
    payload: payloadOf(event, view.files),
    ...(event.about === null ? {} : { about: JSON.parse(event.about) }),
    created_by: { user: event.creator_id },
    parent_id: event.parent_id,
    created: spacedTime(event.created),
    updated: spacedTime(event.updated),
    revision_id: event.revision_id,
    permissions: permissionsOf(view.request, event, view.part, isAuthor),
    links: linksOf(event, view),
    ...(view.expanded ? { expanded: view.expanded } : {}),
    ...(view.sync ? { sync: view.sync } : {}),
  };
}

/** A file in `expanded`, with the keys that clients of InvenioRDM read there (interoperability 23). */
export const presentExpandedFile = (file: EventFileRow, baseUrl: string): Record<string, unknown> => ({
  ...presentAttachment(file, baseUrl),
  file_id: file.id,
  original_filename: file.original_filename,
});

/** A file of a conversation (requests 9). */
export function presentAttachment(file: EventFileRow, baseUrl: string): Record<string, unknown> {
  const self = `${baseUrl}/api/requests/${file.request_id}/files/${encodeURIComponent(file.key)}`;
  return {
    id: file.id,
    key: file.key,
    checksum: `md5:${file.md5}`,
    size: file.size,
    mimetype: file.mimetype,
    metadata: { original_filename: file.original_filename },
    links: { self, content: `${self}/content` },
  };
}
