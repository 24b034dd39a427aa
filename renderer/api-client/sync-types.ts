import type { RecordBody } from "./record-types.ts";
import type { RequestStatus } from "./request-types.ts";

export interface ObjectRef {
  kind: string;
  id: string;
  title?: string;
  /** Of a comment: where it stands. */
  request?: string;
}

export interface Operation {
  id: string;
  kind: string;
  object: ObjectRef;
  title: string;
  created: string;
  attempts: number;
  next_attempt: string | null;
  state: string;
  bytes: number | null;
  reason: string | null;
}

export interface TrayEntry {
  id: string;
  kind: string;
  object: ObjectRef;
  created: string;
  refused: string;
  reason: string;
  /** What was asked; its title says it in words. Of a draft with the content, of a comment with its text. */
  operation: {
    title: string;
    content?: Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids">;
    body?: { payload?: { content?: string } };
  };
  /** The body of the object as the server has it, null when it is gone. */
  server: (Partial<Omit<RecordBody, "status">> & { status?: RequestStatus }) | null;
}

/** Work that arrived on the server; `times` changes of the same kind on one thing are one. */
export interface Done {
  id: string;
  kind: string;
  object: ObjectRef;
  title: string;
  delivered: string;
  times: number;
}

export interface Conflict {
  id: string;
  record: string;
  path: string;
  mine: unknown;
  theirs: unknown;
  /** User id; null: not known here. */
  theirs_by: string | null;
  created: string;
}

/** Bytes on this computer: what only it has, and copies of what the server holds too. */
export interface StorageFigures {
  records: number;
  unsent: number;
  cached: number;
  total: number;
  /** The folder of the library. */
  location: string;
}

/** A draft or record and the bytes of its files: all, those here, and those that only this computer has. */
export interface RecordRoom {
  id: string;
  kind: "draft" | "record";
  title: string;
  files: number;
  bytes: number;
  here: number;
  unsent: number;
}

export interface Notification {
  id: string;
  kind: "submitted" | "accepted" | "declined" | "cancelled" | "commented" | "replied";
  request: string;
  comment: string | null;
  /** User id. */
  actor: string;
  title: string;
  created: string;
  read: boolean;
}
