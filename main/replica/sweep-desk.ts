import { dropUnknownUploads } from "../../shared/blobs/sweep.ts";
import type { UploadService } from "../../shared/blobs/upload.service.ts";
import { deskPatience, isClockSteady } from "../../shared/database/steady-clock.ts";
import { deleteOldCalls } from "../../shared/idempotency/idempotency.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";

/**
 * Removes what nobody needs any more, before calls are answered. What is old only by a clock that may have been set ahead
 * stays: an upload that goes on, the answer to a call that is repeated.
 */
export async function sweepDesk(host: Host, uploads: Pick<UploadService, "sweep">): Promise<void> {
  await dropUnknownUploads(host);
  if (!(await isClockSteady(host, deskPatience))) return;
  await uploads.sweep();
  await deleteOldCalls(host.db, host.now());
}
