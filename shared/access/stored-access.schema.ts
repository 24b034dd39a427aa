export type Visibility = "public" | "restricted";

export interface Embargo {
  active: boolean;
  /** Day `YYYY-MM-DD`: the record becomes public at its start (UTC). */
  until?: string;
  reason: string | null;
}

/** Who may see a record or draft, as stored (records 7.1). */
export interface StoredAccess {
  record: Visibility;
  files: Visibility;
  embargo: Embargo;
}
