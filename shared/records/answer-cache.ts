import { gzipSync } from "node:zlib";
import type { PreparedAnswer } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";

/** Answers kept between calls: what is asked most is written once. */
export interface AnswerCache {
  find(id: string, caller: Caller): PreparedAnswer | undefined;
  /**
   * Keeps what `make` gives, unless something was committed while it was made.
   */
  keep(id: string, caller: Caller, make: () => Promise<MadeAnswer | undefined>): Promise<MadeAnswer | undefined>;
}

export interface MadeAnswer {
  body: Record<string, unknown>;
  etag: string;
}

const mostAnswers = 2000;
/** What another process commits, and what time alone changes, is seen that late at most. */
const longestMicros = 1_000_000;

/** The person and her groups decide what she sees; a link's token too, so calls with one are not kept. */
const keyOf = (id: string, { userId, roles }: Caller): string =>
  userId === null ? id : `${id}|${userId}|${[...roles].sort().join(",")}`;

/**
 * Keeps answers on the server until anything at all is committed: the database stays the only truth, and no rule about
 * what depends on what can be forgotten. On a replica, which has one reader, nothing is kept.
 */
export function answerCache(host: Host): AnswerCache {
  const answers = new Map<string, PreparedAnswer & { until: number }>();
  let commits = 0;
  host.onCommitted(() => {
    commits++;
    answers.clear();
  });

  function prepare(key: string, { body, etag }: MadeAnswer): void {
    const text = JSON.stringify(body);
    const sizeBytes = Buffer.byteLength(text);
    if (answers.size >= mostAnswers) answers.clear();
    const until = host.now() + longestMicros;
    answers.set(key, { etag, text, sizeBytes, zipped: gzipSync(text, { level: 4 }), until });
  }

  return {
    find(id, caller) {
      const kept = caller.linkTokens.length > 0 ? undefined : answers.get(keyOf(id, caller));
      return kept && kept.until > host.now() ? kept : undefined;
    },
    async keep(id, caller, make) {
      const before = commits;
      const made = await make();
      const mayKeep = host.role === "server" && caller.linkTokens.length === 0;
      if (made && mayKeep && commits === before) prepare(keyOf(id, caller), made);
      return made;
    },
  };
}
