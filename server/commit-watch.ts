import type { Logger } from "pino";
import type { Db } from "../shared/database/open.ts";
import type { CommitHints } from "../shared/kernel/committed.ts";
import { type Job, startJob } from "../shared/kernel/job.ts";
import type { ObjectKind, ObjectRef } from "../shared/kernel/object-ref.ts";
import type { OpenRows } from "./open-rows.ts";
import type { ProcessLink } from "./process-link.ts";
import { listEntriesAfter, readHead } from "./sync/feed.repository.ts";

const everyMs = 250;
const rowsAtOnce = 2000;

interface WatchOptions {
  db: Db;
  hints: CommitHints;
  link: ProcessLink;
  log: Logger;
}

/**
 * Announces commits of other processes here as those of this one are announced, with the objects and the users whom they
 * concern. Reads the feed every 250 ms, and at once when another process says that it has committed.
 */
async function startCommitWatch({ db, hints, link, log }: WatchOptions): Promise<Pick<Job, "stop">> {
  let after = { seq: await readHead(db), user_id: "\u{10ffff}", kind: "", object_id: "" };
  let isForeign = false;

  function announce(touched: ObjectRef[], people: ReadonlySet<string>): void {
    isForeign = true;
    try {
      hints.announce(touched, people);
    } finally {
      isForeign = false;
    }
  }

  async function look(): Promise<void> {
    for (;;) {
      const rows = await listEntriesAfter(db, after, rowsAtOnce);
      const last = rows.at(-1);
      if (!last) return;
      after = last;
      const touched = new Map(
        rows.map(({ kind, object_id }) => [`${kind}:${object_id}`, { kind: kind as ObjectKind, id: object_id }]),
      );
      announce([...touched.values()], new Set(rows.map(({ user_id }) => user_id)));
      if (rows.length < rowsAtOnce) return;
    }
  }

  const job = startJob({ name: "the watch over commits", everyMs, work: look, log });
  link.onMessage("commit", () => void job.run());
  link.onGap(() => void job.run());
  const stopTelling = hints.onCommitted(() => {
    if (!isForeign) link.send("commit", null);
  });
  return {
    stop() {
      stopTelling();
      return job.stop();
    },
  };
}

/**
 * Connects to the other processes of a PostgreSQL database or of a shared folder; undefined for a process alone.
 * @param undo gets what ends it
 */
export async function linkProcesses(
  undo: (() => Promise<void> | void)[],
  { db, link }: Pick<OpenRows, "db" | "link">,
  hints: CommitHints,
  log: Logger,
): Promise<ProcessLink | undefined> {
  const opened = link?.();
  if (opened) undo.unshift((await startCommitWatch({ db, hints, link: opened, log })).stop, opened.stop);
  return opened;
}
