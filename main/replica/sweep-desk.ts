import type { Logger } from "pino";
import { dropUnknownUploads } from "../../shared/blobs/sweep.ts";
import type { UploadService } from "../../shared/blobs/upload.service.ts";
import { deskPatience, isClockSteady } from "../../shared/database/steady-clock.ts";
import { deleteOldCalls } from "../../shared/idempotency/idempotency.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Job, startJob } from "../../shared/kernel/job.ts";

const hourMs = 3_600_000;

/**
 * Removes old uploads that nobody ended, and old answers to calls. Removes nothing while the clock may have been set
 * ahead: the upload may go on, and the call may be repeated.
 */
async function deleteOld(host: Host, uploads: Pick<UploadService, "sweep">): Promise<void> {
  if (!(await isClockSteady(host, deskPatience))) return;
  await uploads.sweep();
  await deleteOldCalls(host.db, host.now());
}

/** Removes what nobody needs any more: now, before calls are answered, and every hour until the job is stopped. */
export async function startDeskSweep(
  host: Host,
  uploads: Pick<UploadService, "sweep">,
  log: Pick<Logger, "error">,
): Promise<Job> {
  await dropUnknownUploads(host);
  await deleteOld(host, uploads);
  return startJob({ name: "deleting what is old", everyMs: hourMs, work: () => deleteOld(host, uploads), log });
}
