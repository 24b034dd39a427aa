import type { Db } from "../../shared/database/open.ts";
import type { JobRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import type { MailOrder } from "../../shared/notifications/notification.service.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { givenUp, listMail, retryJobs } from "./mail.repository.ts";

function stateOf(job: JobRow): string {
  if (job.kind === givenUp) return "given_up";
  return job.last_error === null ? "waiting" : "failing";
}

/** Unsent mail and its state, for the operator. */
export async function listMailStates(db: Db, users: Pick<UserService, "find">): Promise<Record<string, unknown>[]> {
  const states: Record<string, unknown>[] = [];
  for (const job of await listMail(db)) {
    const { userId, trigger, requestId } = JSON.parse(job.payload) as MailOrder;
    const { id, last_error, attempts, run_at } = job;
    const state = stateOf(job);
    states.push({
      ...{ id, state, user: userId, to: (await users.find(db, userId))?.email ?? null, trigger, request: requestId },
      ...(last_error === null ? {} : { reason: last_error, attempts }),
      ...(state === "failing" ? { next_attempt: isoTime(run_at) } : {}),
    });
  }
  return states;
}

/** Makes failed and given-up mail due now: all, or one. @returns how many. */
export const retryMail = (db: Db, id: string | undefined): Promise<number> => retryJobs(db, id);
