/** Unsent or disputed work on an object, as a replica's bodies carry it (hosts-and-sync 3). */
export interface SyncMark {
  state: "pending" | "sending" | "rejected" | "conflict";
  operations: { id: string; kind: string }[];
  message?: string;
}
