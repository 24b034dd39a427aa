import type { Json } from "./call.ts";

export interface Person {
  id: number;
  name: string;
  email: string;
}

export interface StoredFile {
  key: string;
  status: "pending" | "completed";
  /** The bytes of a completed file, or of a whole upload before its commit. */
  bytes: Buffer | undefined;
  checksum: string | null;
  /** When the checksum of a file in parts becomes known. */
  checksumAt?: number;
  size: number | null;
  transfer: string;
  parts?: { count: number; size: number; total: number; received: Map<number, Buffer> };
  metadata: Json;
  hidden: boolean;
  created: number;
  updated: number;
  id: string;
}

export interface Grant {
  subject: { type: "user" | "role"; id: string };
  permission: string;
  /** From when lists know of it (F17). */
  listedAt: number;
}

export interface SecretLink {
  id: string;
  token: string;
  permission: string;
  description: string;
  created: number;
  expires_at: string;
}

/** All versions of a work and what they share; theirs is called parent. */
export interface Family {
  id: string;
  owner: number;
  grants: Grant[];
  links: SecretLink[];
  communities: string[];
  reviewId?: string;
  settings: Json;
  nextIndex: number;
}

/** A draft or a record: both have the same content. */
export interface Content {
  id: string;
  familyId: string;
  index: number;
  revision: number;
  created: number;
  updated: number;
  metadata: Json;
  custom_fields: Json;
  access: { record: string; files: string; embargo: Json };
  pids: Record<string, Json>;
  filesEnabled: boolean;
  default_preview: string | null;
  order: string[];
  files: Map<string, StoredFile>;
}

export interface RecordRow extends Content {
  tombstone?: Json;
}

export interface Comment {
  id: string;
  requestId: string;
  parentId?: string;
  author: number | undefined;
  content: string;
  format: string;
  type: "C" | "L" | "D";
  event?: string;
  revision: number;
  created: number;
  updated: number;
  files?: Json[];
  /** Search could not be reached: no list ever shows the draft (F7). */
  isUnlisted: boolean;
}

export interface RequestRow {
  id: string;
  number: number;
  type: string;
  title: string;
  description: string;
  status: string;
  createdBy: number;
  receiver: { community?: string; user?: string };
  topic: string | undefined;
  created: number;
  updated: number;
  lastActivity: number;
  revision: number;
  isLocked: boolean;
  comments: Comment[];
}

export interface Community {
  id: string;
  slug: string;
  title: string;
  owner: number;
  members: Set<number>;
  policy: string;
  created: number;
}

/** Everything the site keeps. */
export class State {
  readonly people = new Map<number, Person>();
  readonly tokens = new Map<string, number>();
  readonly families = new Map<string, Family>();
  readonly drafts = new Map<string, Content>();
  readonly records = new Map<string, RecordRow>();
  /** Drafts of theirs that are gone: 404 both ways (F17). */
  readonly usedIds = new Set<string>();
  /** Revisions of deleted drafts of records, and when they were deleted: an edit begun within an hour counts on from them. */
  readonly endedDrafts = new Map<string, { revision: number; at: number }>();
  readonly requests = new Map<string, RequestRow>();
  readonly communities = new Map<string, Community>();
  readonly reservedDois = new Map<string, string>();
}

export const contentFrom = (from: Content, over: Partial<Content>): Content => ({
  ...structuredClone({ ...from, files: undefined }),
  files: new Map([...from.files].map(([key, file]) => [key, { ...file }])),
  ...over,
});
