import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import type { SyncMark } from "../../api-client/record-types.ts";
import type { WorkState } from "../../components/state-word.tsx";

const states: Record<SyncMark["state"], WorkState> = {
  pending: "waiting",
  sending: "sending",
  rejected: "refused",
  conflict: "needs",
};

/** Where an object stands, told by its `sync` mark; without one it is as on the server, if there is a server. */
export function workState(sync: SyncMark | undefined, status: SyncStatus | undefined): WorkState {
  if (status?.state === "local") return "local";
  if (!sync) return "held";
  // What was under way when the network went waits again.
  return sync.state === "sending" && status?.online === false ? "waiting" : states[sync.state];
}
