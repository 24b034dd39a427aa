import { isoTime } from "../kernel/timestamps.ts";
import type { BackupRun, BackupState } from "./administration.schema.ts";

const microsPerHour = 3_600 * 1_000_000;

function presentRun(run: BackupRun): Record<string, unknown> {
  const state = run.ended === null ? "running" : run.error === null ? "done" : "failed";
  return {
    id: run.id,
    state,
    started: isoTime(run.started),
    ended: run.ended === null ? null : isoTime(run.ended),
    started_by: run.user_id,
    file: run.file,
    size: run.bytes,
    blobs: run.blobs,
    missing: run.missing,
    error: run.error,
    is_kept: run.isKept,
  };
}

/** The backups of a server for administrators. @param now microseconds UTC. */
export function presentBackups(state: BackupState, now: number): Record<string, unknown> {
  const { running, schedule, lastSuccess, failure } = state;
  const last = state.runs[0]?.started;
  const next =
    schedule.every_hours === null
      ? undefined
      : Math.max(now, Math.min(last ?? now, now) + schedule.every_hours * microsPerHour);
  return {
    hits: { hits: state.runs.map(presentRun), total: state.runs.length },
    running: running ? { id: running.id, written_bytes: running.written, total_bytes: running.total } : null,
    last_success: lastSuccess ? presentRun(lastSuccess) : null,
    failure: failure ? presentRun(failure) : null,
    folder: state.folder,
    is_same_disk: state.isSameDisk,
    schedule,
    next: next === undefined ? null : isoTime(next),
    is_overdue: state.isOverdue,
  };
}
