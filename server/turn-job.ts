import type { Logger } from "pino";
import type { Host } from "../shared/kernel/host.ts";
import { type Job, startJob } from "./job.ts";
import { deleteTakenTurns } from "./sync/feed.repository.ts";

/** Deletes, on PostgreSQL, what commits have put into the feed. */
export const startTurnJob = ({ db }: Pick<Host, "db">, log: Logger): Job =>
  startJob({ name: "emptying the feed's turns", everyMs: 60_000, work: () => deleteTakenTurns(db), log });
