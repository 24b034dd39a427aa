import { type BackupSchedule, backupSchedule } from "../../shared/administration/administration.schema.ts";
import type { BackupRunRow } from "../../shared/database/schema.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";

export const hourMicros = 3_600 * 1_000_000;
/** After a failure the schedule tries again this soon. */
const retryMicros = hourMicros;
const name = "backup-schedule";

/** The schedule that an administrator chose, else that of the settings. */
export async function readSchedule({ db, settings }: Pick<Host, "db" | "settings">): Promise<BackupSchedule> {
  const { every_hours = null, keep } = settings.backup;
  const stored = await findSetting(db, name);
  return stored === undefined ? { every_hours, keep } : backupSchedule.parse(JSON.parse(stored));
}

export const storeSchedule = ({ db }: Pick<Host, "db">, schedule: BackupSchedule) =>
  storeSetting(db, name, JSON.stringify(schedule));

/** When the schedule is due, in microseconds UTC; undefined without one. @param runs newest first, as of now. */
export function dueAt(
  [last]: readonly Pick<BackupRunRow, "started" | "error">[],
  { every_hours }: BackupSchedule,
  now: number,
): number | undefined {
  if (every_hours === null) return undefined;
  if (last === undefined || last.started > now) return 0;
  const interval = every_hours * hourMicros;
  return last.started + (last.error === null ? interval : Math.min(retryMicros, interval));
}
