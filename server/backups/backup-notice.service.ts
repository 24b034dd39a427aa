import type { BackupRunRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { orderMail } from "../../shared/notifications/mail-order.service.ts";
import { superuserGroups } from "../../shared/users/user.policy.ts";
import { isDone, listAdministrators, listRuns } from "./backup-run.repository.ts";
import { hourMicros } from "./backup-schedule.ts";

/** While backups keep failing, administrators get a mail at this interval. */
const tellMicros = 24 * hourMicros;

/** Mails the administrators that a backup failed, unless they had such a mail a short time ago. */
export async function tellAdministrators(host: Host, run: BackupRunRow): Promise<void> {
  if (host.settings.smtp === undefined) return;
  const runs = await listRuns(host.db, host.now());
  const earlier = runs.filter(({ id, started }) => id !== run.id && started <= run.started);
  const lastGood = earlier.find(isDone)?.started ?? 0;
  const since = Math.max(lastGood, run.started - tellMicros);
  if (earlier.some(({ error, started }) => error !== null && started > since)) return;
  for (const userId of await listAdministrators(host.db, superuserGroups)) {
    await orderMail(host.db, host, { account: "backup-failed", userId, runId: run.id });
  }
  host.announceCommit();
}
