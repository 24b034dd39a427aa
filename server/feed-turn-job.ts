import type { Logger } from "pino";
import type { Host } from "../shared/kernel/host.ts";
import { type Job, startJob } from "../shared/kernel/job.ts";
import { deletePublishedRows } from "./sync/feed.repository.ts";

/** Deletes the rows of `feed_turn` that commits have copied into the feed (PostgreSQL only). */
export const startFeedTurnJob = ({ db }: Pick<Host, "db">, log: Logger): Job =>
  startJob({ name: "deleting published feed rows", everyMs: 60_000, work: () => deletePublishedRows(db), log });
