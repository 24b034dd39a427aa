import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Db } from "../shared/database/open.ts";
import { startJob } from "../shared/kernel/job.ts";
import type { ProcessLink } from "./process-link.ts";
import { findLastMessage, insertMessages, listMessages } from "./process-message.repository.ts";

const readEveryMs = 250;
/** Messages of this time are stored together: each storing is a commit. */
const gatherMs = 20;
const maxBytes = 7_900;

/**
 * Links the processes on one folder by a table, which each reads four times a second. Commits are not sent, because the
 * commit watch reads the feed as often.
 */
export function folderLink(db: Db, log: Logger): ProcessLink {
  const own = randomUUID();
  const listeners = new Map<string, ((message: unknown) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let after: number | undefined;
  let waiting: string[] = [];

  async function read(): Promise<void> {
    after ??= await findLastMessage(db);
    const rows = await listMessages(db, after);
    if (rows[0] && rows[0].seq > after + 1) for (const listener of gapListeners) listener();
    for (const { seq, sender, body } of rows) {
      after = seq;
      const [subject, message] = JSON.parse(body) as [string, unknown];
      if (sender !== own) for (const listener of listeners.get(subject) ?? []) listener(message);
    }
  }

  const reading = startJob({ name: "messages of other processes", everyMs: readEveryMs, work: read, log });
  const sending = startJob({
    name: "messages to other processes",
    everyMs: 60_000,
    log,
    async work() {
      const messages = waiting;
      waiting = [];
      if (messages.length > 0) await insertMessages(db, own, messages);
    },
  });
  void reading.run();
  return {
    send(subject, message) {
      const text = JSON.stringify([subject, message]);
      if (subject === "commit" || Buffer.byteLength(text) > maxBytes || waiting.includes(text)) return;
      if (waiting.length === 0) setTimeout(() => void sending.run(), gatherMs).unref();
      waiting.push(text);
    },
    onMessage: (subject, listener) => void listeners.set(subject, [...(listeners.get(subject) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    async stop() {
      await reading.stop();
      await sending.stop();
    },
  };
}
