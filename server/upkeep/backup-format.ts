/** Name of the first member, which identifies the file. */
export const manifestName = "carrel-backup.json";
export const databaseName = "carrel.sqlite";
/** The database of a restore that has not ended. */
export const partialName = `${databaseName}.restoring`;
/** Blobs are members `blobs/<sha256>`. */
export const blobPrefix = "blobs/";

/** Increased when an older program could no longer restore the layout. */
export const backupFormat = 1;

export interface BackupManifest {
  format: number;
  /** Version of the program that wrote the backup. */
  version: string;
  /** ISO 8601. */
  created: string;
}
