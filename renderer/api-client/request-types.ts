import type { SyncMark } from "./record-types.ts";

export type RequestStatus = "draft" | "submitted" | "accepted" | "declined" | "cancelled" | "expired";

export interface UserView {
  id: string;
  username?: string;
  email?: string;
  profile?: { full_name?: string; affiliations?: string };
  is_current_user?: boolean;
  is_ghost?: boolean;
}

/** A review request (requests contract 3); `expanded` with `?expand=1`. */
export interface ReviewRequest {
  id: string;
  number: string;
  type: string;
  title: string;
  description?: string;
  status: RequestStatus;
  created_by: { user: string };
  receiver: { user: string };
  topic: { record: string };
  expires_at: string | null;
  is_open: boolean;
  is_closed: boolean;
  is_expired: boolean;
  is_locked: boolean;
  last_reply: RequestEvent | null;
  last_activity_at: string;
  revision_id: number;
  created: string;
  updated: string;
  links: Record<string, unknown>;
  expanded?: { created_by?: UserView; receiver?: UserView; topic?: { id: string; title?: string } };
  sync?: SyncMark;
}

/** A file of a conversation (requests 9); `size` in bytes. */
export interface Attachment {
  id: string;
  key: string;
  size: number;
  mimetype: string;
  metadata: { original_filename: string };
}

export interface RequestEvent {
  id: string;
  type: "C" | "L" | "R";
  payload: { content?: string; format?: string; event?: string; files?: { file_id: string }[] };
  created_by: { user: string };
  created: string;
  updated: string;
  revision_id: number;
  parent_id: string | null;
  permissions?: { can_update_comment: boolean; can_delete_comment: boolean; can_reply_comment: boolean };
  links: Record<string, string>;
  children?: RequestEvent[];
  children_count?: number;
  expanded?: { created_by?: UserView; files?: Attachment[] };
  sync?: SyncMark;
}
