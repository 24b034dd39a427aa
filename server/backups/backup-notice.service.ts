import type { BackupRunRow } from "../../shared/database/schema.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { orderMail } from "../../shared/notifications/mail-order.service.ts";
import { superuserGroups } from "../../shared/users/user.policy.ts";
import { isDone, listAdministrators, listRuns } from "./backup-run.repository.ts";
import { hourMicros } from "./backup-schedule.ts";

/** While backups keep failing, administrators get a mail at this interval. */
const noticeMicros = 24 * hourMicros;
/** The setting with the start of the last run that administrators got a mail about, in microseconds UTC. */
const name = "backup-notice";

/** Mails the administrators that a backup failed: the first failure after a success, then once a day. */
export async function notifyAdministrators(host: Host, { id, started }: BackupRunRow): Promise<void> {
  const { db } = host;
  if (host.settings.smtp === undefined) return;
  const runs = await listRuns(db, host.now());
  const lastGood = runs.find((run) => isDone(run) && run.started <= started)?.started ?? 0;
  const last = Number((await findSetting(db, name)) ?? 0);
  // A later time comes from a clock that was ahead.
  if (last > Math.max(lastGood, started - noticeMicros) && last <= started) return;
  await storeSetting(db, name, String(started));
  for (const userId of await listAdministrators(db, superuserGroups)) {
    await orderMail(db, host, { account: "backup-failed", userId, runId: id });
  }
  host.announceCommit();
}
