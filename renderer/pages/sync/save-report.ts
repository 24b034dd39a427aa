import { queryClient } from "../../api-client/query-client.ts";
import { conflictsQuery, operationsQuery, syncStatusQuery, trayQuery } from "../../api-client/sync.ts";
import { saveBlob } from "../../components/save-file.ts";

/** Saves pending, refused and disputed changes as a JSON report for support. */
export async function saveReport(): Promise<void> {
  const [status, operations, tray, conflicts] = await Promise.all([
    queryClient.fetchQuery(syncStatusQuery),
    queryClient.fetchQuery(operationsQuery),
    queryClient.fetchQuery(trayQuery),
    queryClient.fetchQuery(conflictsQuery),
  ]);
  const report = {
    written: new Date().toISOString(),
    status,
    operations: operations.hits.hits,
    tray: tray.hits.hits,
    conflicts: conflicts.hits.hits,
  };
  const text = JSON.stringify(report, null, 2);
  saveBlob(new Blob([text], { type: "application/json" }), `carrel-sync-${report.written.slice(0, 10)}.json`);
}
