import { z } from "zod";

/** When the server writes backups by itself, and how many it keeps. */
export const backupSchedule = z.object({
  /** null: only when an administrator asks. */
  every_hours: z.int().min(1).max(8760).nullable(),
  keep: z.int().min(1).max(100),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

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
