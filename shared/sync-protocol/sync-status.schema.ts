/** The first state that applies (hosts-and-sync 8, Status states). */
export type SyncState = "local" | "paused" | "sign_in" | "offline" | "syncing" | "needs_you" | "up_to_date";

/** A file in transfer; `bytes` of `size` have arrived. */
export interface Transfer {
  key: string;
  record: string;
  direction: "up" | "down";
  bytes: number;
  size: number;
}

/** The non-Carrel server that a replica is connected to, by its public API. */
export interface UpstreamStatus {
  kind: "invenio" | "zenodo";
  /** As the app names it. */
  name: string;
  url: string;
  /** What it lets the user do beyond drafts and files. */
  offers: string[];
  /** When this was found out. */
  checked: string;
  /** A sandbox, which keeps nothing for good. */
  is_practice: boolean;
  /** When calls go on, after the server asked for fewer. */
  slowed_until: string | null;
  /** Drafts with values that it did not store. Each counts as a conflict. */
  not_taken: { id: string; title: string; count: number }[];
  /** Drafts whose publication had no answer: the app looks what became of them. */
  unsure: { id: string; title: string }[];
}

/** The sync status of a replica (hosts-and-sync 5 and 8). Counts are correct in every state. */
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
  /** Nothing has arrived from the server since it was connected: what it holds is not known here. */
  awaits_copy?: true;
  /**
   * What sync needs before it continues: a decision about a large removal (resuming agrees to it), or an update of this
   * app or the server. `last_error` has the message.
   */
  asks?: "removal" | "update" | "space";
  /** Information for the user that needs no action. */
  notice?: string;
  /** Absent with a Carrel server, which offers everything. */
  upstream?: UpstreamStatus;
}
