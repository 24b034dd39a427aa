/** Unsent or rejected work on an object, as shown in a replica's answers (hosts-and-sync 3). */
export interface SyncMark {
  state: "pending" | "sending" | "rejected" | "conflict";
  operations: { id: string; kind: string }[];
  message?: string;
  /** Values of a draft that a non-Carrel server did not store. They stay on this computer. */
  not_taken?: { field: string; messages: string[] }[];
}
