import { z } from "zod";

/** When the server writes backups by itself, and how many it keeps. */
export const backupSchedule = z.object({
  /** null: only when an administrator asks. */
  every_hours: z.int().min(1).max(8760).nullable(),
  keep: z.int().min(1).max(100),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

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

/** What may need an administrator, the most urgent first. */
export const attentionKinds = [
  "backup_failed",
  "disk_nearly_full",
  "backup_overdue",
  "mail_failed",
  "doi_failed",
  "quota_nearly_full",
  "no_backup",
  "backup_on_same_disk",
  "invitations_expired",
  "invitations_open",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** The kinds that are only good to know: the badge of the navigation does not count them. */
export const quietKinds: readonly AttentionKind[] = [
  "no_backup",
  "backup_on_same_disk",
  "invitations_expired",
  "invitations_open",
];
