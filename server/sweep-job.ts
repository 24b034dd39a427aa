import type { Logger } from "pino";
import { deleteUnconfirmed } from "../shared/access-requests/access-request.repository.ts";
import { deleteLinksBeyond } from "../shared/accounts/account-link.repository.ts";
import type { Services } from "../shared/api.ts";
import { isClockSteady, serverPatience } from "../shared/database/steady-clock.ts";
import { deletePastBefore } from "../shared/drafts/draft-past.repository.ts";
import { deleteOldCalls } from "../shared/idempotency/idempotency.repository.ts";
import type { Host } from "../shared/kernel/host.ts";
import { type Job, startJob } from "../shared/kernel/job.ts";
import { around } from "../shared/kernel/timestamps.ts";
import { deleteFailuresBeyond } from "../shared/sign-in/login-failure.repository.ts";
import { deleteEndedSessions } from "../shared/sign-in/session.repository.ts";
import { deleteOldMail } from "./mail/mail.repository.ts";
import { deleteCallsBeyond, deleteEndedTokens, deleteLeasesBeyond, deleteRefusedResults } from "./sweep.repository.ts";

const hourMs = 3_600_000;
const hourMicros = hourMs * 1000;
const dayMicros = 86_400 * 1_000_000;
/** Failed sign-ins count for this long at most. */
const failureLifeMicros = dayMicros;
const endedTokenDays = 90;
const pastDays = 1;
const endedLinkDays = 30;
const refusedResultDays = 90;
/** Far more than a replica uses. Older leases belong to data folders that are gone. */
const maxLeases = 5000;
const maxCalls = 10_000;

/** One round: deletes old rows of every table that a single user could make grow without end. */
export async function sweepServer(host: Host, { uploads, audit }: Pick<Services, "uploads" | "audit">): Promise<void> {
  const now = host.now();
  await deleteEndedSessions(host.db, now);
  await deleteLinksBeyond(host.db, { ended: now - endedLinkDays * dayMicros, created: now + hourMicros });
  await deleteFailuresBeyond(host.db, around(now, failureLifeMicros));
  await deleteUnconfirmed(host.db, around(now, dayMicros));
  await deleteOldMail(host.db, now);
  await deleteOldCalls(host.db, now);
  await deletePastBefore(host.db, now - pastDays * dayMicros);
  await deleteCallsBeyond(host.db, maxCalls, now);
  await deleteEndedTokens(host.db, now - endedTokenDays * dayMicros);
  await deleteRefusedResults(host.db, now - refusedResultDays * dayMicros);
  await deleteLeasesBeyond(host.db, maxLeases, now);
  await audit.removeBefore(now - host.settings.audit_retention_days * dayMicros);
  await uploads.sweepRunning();
}

/** Sweeps every hour while the server runs, unless its clock may have been set ahead. */
export const startSweepJob = (host: Host, services: Pick<Services, "uploads" | "audit">, log: Logger): Job =>
  startJob({
    name: "the sweep",
    everyMs: hourMs,
    log,
    async work() {
      if (await isClockSteady(host, serverPatience)) await sweepServer(host, services);
    },
  });
