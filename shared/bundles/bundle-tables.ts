import type { Schema } from "../database/schema.ts";
import type { ObjectKind } from "../kernel/object-ref.ts";

export interface BundleTable {
  table: keyof Schema;
  /** The column that holds the object's id. */
  key: string;
  /** Derived from other rows for the reader; the server does not store it. */
  isMade?: true;
}

/** The tables of each kind of object; referenced tables come first. */
export const bundleTables: Record<ObjectKind, readonly BundleTable[]> = {
  family: [
    { table: "parent", key: "id" },
    { table: "record", key: "parent_id" },
    { table: "draft", key: "parent_id" },
    { table: "draft_review", key: "parent_id", isMade: true },
    { table: "document", key: "parent_id" },
    { table: "pid", key: "parent_id" },
    { table: "alias", key: "parent_id" },
    { table: "file_entry", key: "parent_id" },
    { table: "access_link", key: "parent_id" },
    { table: "access_grant", key: "parent_id" },
    { table: "conflict", key: "parent_id" },
  ],
  request: [
    { table: "request", key: "id" },
    { table: "access_request", key: "request_id" },
    { table: "foreign_request", key: "request_id" },
    { table: "event", key: "request_id" },
    { table: "event_file", key: "request_id" },
  ],
  user: [
    { table: "user", key: "id" },
    { table: "membership", key: "user_id" },
  ],
  group: [{ table: "group", key: "name" }],
  notification: [{ table: "notification", key: "id" }],
};
