import { randomUUID } from "node:crypto";
import type { Db } from "../database/open.ts";
import { insertJob } from "./notification.repository.ts";

/** Orders a mail in the transaction of the change that it tells of. @param now microseconds. */
export const orderMail = (tx: Db, mail: object, now: number) =>
  insertJob(tx, {
    ...{ id: randomUUID(), kind: "mail", payload: JSON.stringify(mail), run_at: now },
    ...{ attempts: 0, claimed_until: null, last_error: null },
  });
