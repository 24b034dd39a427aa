import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import type { SyncMark } from "../../api-client/record-types.ts";
import type { WorkState } from "../../components/state-word.tsx";

const states: Record<SyncMark["state"], WorkState> = {
  pending: "waiting",
  sending: "sending",
  rejected: "refused",
  conflict: "needs",
};

/** The sync state of an object, from its `sync` mark. */
export function workState(sync: SyncMark | undefined, status: SyncStatus | undefined): WorkState {
  if (status?.state === "local") return "local";
  if (!sync) return "held";
  // Offline, an object that was being sent waits again.
  return sync.state === "sending" && status?.online === false ? "waiting" : states[sync.state];
}
