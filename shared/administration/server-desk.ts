import type { Caller } from "../kernel/caller.ts";
import type { BackupSchedule, BackupState } from "./administration.schema.ts";

/** How many of something are in a state. */
export type Counts = Readonly<Record<string, number>>;

/** Work in the background that may fail: unsent mail, registrations of DOIs. */
export interface Queue {
  /** Whether the operator configured the service. */
  readonly isConfigured: boolean;
  counts(): Promise<Counts>;
  /** What is not done yet, failures first; at most some hundred. */
  list(): Promise<Record<string, unknown>[]>;
  /** Makes failures due now: all, or one. @returns how many. */
  retry(id: string | undefined): Promise<number>;
}

export interface MailQueue extends Queue {
  /** Deletes unsent mail. @returns whether there was one. */
  discard(id: string): Promise<boolean>;
}

export interface Backups {
  state(): Promise<BackupState>;
  /** Begins a backup in the background. @throws Failure 409 while one is written. */
  begin(caller: Caller): Promise<void>;
  setSchedule(caller: Caller, schedule: BackupSchedule): Promise<void>;
}

export interface Disk {
  free_bytes: number;
  total_bytes: number;
  /** Whether the files of users are on this disk, not in a bucket. */
  holds_files: boolean;
}

/** What only the process of a server can tell or do. A replica has none and passes the calls on. */
export interface ServerDesk {
  disk(): Promise<Disk>;
  mail: MailQueue;
  dois: Queue;
  backups: Backups;
}
