/** The first that applies (hosts-and-sync 8, Status states). */
export type SyncState = "local" | "paused" | "sign_in" | "offline" | "syncing" | "needs_you" | "up_to_date";

/** A file on its way; `bytes` of `size` are there. */
export interface Transfer {
  key: string;
  record: string;
  direction: "up" | "down";
  bytes: number;
  size: number;
}

/** How a replica stands with its server (hosts-and-sync 5 and 8); counts are true whatever the state. */
export interface SyncStatus {
  state: SyncState;
  server: string | null;
  user: { id: string; username: string } | null;
  online: boolean;
  paused: boolean;
  pending: number;
  sending: number;
  rejected: number;
  conflicts: number;
  transfers: Transfer[];
  last_success: string | null;
  last_error: string | null;
  /**
   * What nothing goes on without: an answer whether most of what is here may be removed (to resume is to agree), or an
   * update of this app or the server. `last_error` says it in words.
   */
  asks?: "removal" | "update";
  /** Something that the person should know, and need not do anything about. */
  notice?: string;
}
