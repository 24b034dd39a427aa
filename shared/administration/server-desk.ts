import type { Caller } from "../kernel/caller.ts";
import type { BackupSchedule } from "./administration.schema.ts";

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

/** One attempt to write a backup. Times are microseconds UTC. */
export interface BackupRun {
  id: string;
  started: number;
  ended: number | null;
  /** Who asked for it; null: the schedule. */
  user_id: string | null;
  file: string;
  bytes: number | null;
  blobs: number | null;
  missing: number | null;
  error: string | null;
  /** Whether the file is still there. */
  isKept: boolean;
}

export interface BackupState {
  /** Newest first. */
  runs: BackupRun[];
  running: { id: string; written: number; total: number } | undefined;
  lastSuccess: BackupRun | undefined;
  /** The last attempt, if it failed. */
  failure: BackupRun | undefined;
  folder: string;
  /** Whether a broken disk would take data and backups together. */
  isSameDisk: boolean;
  schedule: BackupSchedule;
  /** Whether the schedule asks for a backup that is long due. */
  isOverdue: boolean;
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
}

/** What only the process of a server can tell or do. A replica has none and passes the calls on. */
export interface ServerDesk {
  disk(): Promise<Disk>;
  mail: MailQueue;
  dois: Queue;
  backups: Backups;
}
