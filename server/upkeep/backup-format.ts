/** Name of the first member: what this file is. */
export const manifestName = "carrel-backup.json";
export const databaseName = "carrel.sqlite";
/** Blobs are members `blobs/<sha256>`. */
export const blobPrefix = "blobs/";

/** Raised when the layout changes so that an older program could not restore it. */
export const backupFormat = 1;

export interface BackupManifest {
  format: number;
  /** Version of the program that wrote it. */
  version: string;
  /** ISO 8601. */
  created: string;
}
