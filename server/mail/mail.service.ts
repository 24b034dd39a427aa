import type { Logger } from "pino";
import { transaction } from "../../shared/database/open.ts";
import type { JobRow } from "../../shared/database/schema.ts";
import { startJob } from "../../shared/kernel/job.ts";
import { oneProcessAtATime } from "../job-lock.ts";
import {
  claimMail,
  claimOthers,
  deleteJob,
  giveUpJob,
  hasDueMail,
  holdJob,
  keepSent,
  postponeJob,
} from "./mail.repository.ts";
import { type MailComposerParts, mailComposer } from "./mail-composer.service.ts";
import { paceOf } from "./mail-pace.service.ts";
import { type Mailer, Refused } from "./mailer.ts";

const microsPerMinute = 60_000_000;
const maxAttempts = 12;
/** Time limit for the mail under way at a stop, in case the SMTP server does not answer. */
const maxStopMs = 3000;

const claimAt = (now: number) => ({ now, until: now + 5 * microsPerMinute });

export interface MailServiceParts extends MailComposerParts {
  mailer: Mailer;
  log: Logger;
}

export interface MailService {
  /** Sends all due mail, one at a time. */
  sendDue(): Promise<void>;
  /** Stops after the mail under way, or after some seconds. */
  stop(): Promise<void>;
}

/** Sends mail from the table of jobs, in one process at a time. A call that causes mail never waits for it (requests 13). */
export function mailService({ mailer, log, ...parts }: MailServiceParts): MailService {
  const { host } = parts;
  const { db } = host;
  const composed = mailComposer(parts);

  async function fail(job: JobRow, error: unknown): Promise<void> {
    const [now, attempts] = [host.now(), job.attempts + 1];
    const last_error = error instanceof Error ? error.message : String(error);
    if (error instanceof Refused || attempts >= maxAttempts) {
      log.error({ job: job.id, reason: last_error }, "a mail was given up; see `carrel mail list`");
      await giveUpJob(db, job.id, { run_at: now, attempts, last_error });
      return;
    }
    log.warn({ err: error, job: job.id }, "a mail could not be sent");
    await postponeJob(db, job.id, { run_at: now + 2 ** attempts * microsPerMinute, attempts, last_error });
  }

  async function send(jobs: readonly JobRow[], stopping: AbortSignal): Promise<void> {
    try {
      const mail = await composed(jobs);
      if (mail) await mailer.send(mail);
      await transaction(db, async (tx) => {
        const now = host.now();
        for (const { id, recipient } of jobs) {
          if (id === mail?.id && recipient !== null) await keepSent(tx, id, now);
          else await deleteJob(tx, id);
        }
      });
    } catch (error) {
      // The database may be closed. The claim expires by itself.
      if (!stopping.aborted) for (const job of jobs) await fail(job, error);
    }
  }

  /** Sends a job. If its recipient got many mails, sends it later, together with the others that wait. */
  async function sendInPace(
    job: JobRow,
    { now, until }: { now: number; until: number },
    stopping: AbortSignal,
  ): Promise<void> {
    const { recipient } = job;
    const pace = recipient === null ? undefined : await paceOf(db, recipient, JSON.parse(job.payload), now);
    if (recipient === null || pace === undefined) return send([job], stopping);
    if (pace > now) {
      await holdJob(db, job.id, pace);
      return;
    }
    const others = await claimOthers(db, recipient, now, until);
    // Ids grow with time: the latest job first.
    await send(
      [job, ...others].sort((a, b) => (a.id < b.id ? 1 : -1)),
      stopping,
    );
  }

  // Two processes at once would send out of order, and each would leave out of its count what the other is sending.
  const sendAll = oneProcessAtATime(host, "mail", async (stopping) => {
    while (!stopping.aborted) {
      const claim = claimAt(host.now());
      const job = await claimMail(db, claim.now, claim.until);
      if (!job) return true;
      await sendInPace(job, claim, stopping);
    }
    return false;
  });

  const sending = startJob({
    name: "sending mail",
    everyMs: 30_000,
    log,
    async work(stopping) {
      // Another process does nothing about a mail that it causes while this one ends its run.
      while ((await hasDueMail(db, claimAt(host.now()))) && (await sendAll(stopping)));
    },
  });
  const stopListening = host.onCommitted(() => void sending.run());

  return {
    sendDue: sending.run,
    async stop() {
      stopListening();
      await Promise.race([sending.stop(), new Promise((resolve) => setTimeout(resolve, maxStopMs))]);
      mailer.close();
    },
  };
}
