import type { z } from "zod";
import type { conflict, operation, storage, trayEntry } from "../../shared/openapi/answers/replica.schema.ts";
import type { notification } from "../../shared/openapi/answers/review.schema.ts";
import type { RecordBody } from "./record-types.ts";
import type { RequestStatus } from "./request-types.ts";

export type Operation = z.infer<typeof operation>;
export type ObjectRef = Operation["object"] & { title?: string };

export type TrayEntry = Omit<z.infer<typeof trayEntry>, "operation" | "server"> & {
  /**
   * The refused operation with a readable title; with a draft's content, a comment's text, or the name of a file and the
   * description that it got.
   * `left_over` are values that the content has no place for.
   */
  operation: {
    title: string;
    key?: string;
    metadata?: Record<string, unknown>;
    left_over?: Pick<Conflict, "path" | "mine">[];
    content?: Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids">;
    body?: { payload?: { content?: string } };
  };
  /** The object's body on the server; null if it is gone. */
  server: (Partial<Omit<RecordBody, "status">> & { status?: RequestStatus }) | null;
};

/** Delivered work. `times` changes of one kind on one object count as one. */
export interface Done {
  id: string;
  kind: string;
  object: ObjectRef;
  title: string;
  delivered: string;
  times: number;
}

export type Conflict = z.infer<typeof conflict>;

/** Storage use: files only here, and copies of files on the server. */
export type StorageFigures = z.infer<typeof storage>;

/** A draft or record and the size of its files: all, those here, and those only here. */
export interface RecordStorage {
  id: string;
  kind: "draft" | "record";
  title: string;
  files: number;
  bytes: number;
  here: number;
  unsent: number;
}

export type Notification = z.infer<typeof notification>;
