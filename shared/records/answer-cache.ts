import { gzipSync } from "node:zlib";
import type { PreparedAnswer } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { isRecordId } from "../kernel/record-id.ts";
import { findLastChange } from "./answer-cache.repository.ts";

/** Caches answers, so that a frequently read record is presented once. */
export interface AnswerCache {
  /** The cached answer for this record and this caller with the same roles. */
  find(id: string, caller: Caller): Promise<PreparedAnswer | undefined>;
  /** Caches the answer that `make` returns, unless something was committed meanwhile. */
  keep(id: string, caller: Caller, make: () => Promise<MadeAnswer | undefined>): Promise<MadeAnswer | undefined>;
}

export interface MadeAnswer {
  body: Record<string, unknown>;
  etag: string;
}

interface KeptAnswer extends PreparedAnswer {
  roles: ReadonlySet<string>;
  /** The last change of the record before the answer was made, if other processes may change it. */
  change: number | undefined;
  /** In microseconds UTC. */
  made: number;
}

const maxAnswers = 2000;
/** Commands at the console and changes by time, such as the end of an embargo, become visible within this time. */
const longestMicros = 1_000_000;

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((role) => other.has(role));

/** An answer depends on the user and their roles. It also depends on link tokens, so calls with one are not cached. */
const mayKeep = (id: string, { linkTokens }: Caller): boolean => linkTokens.length === 0 && isRecordId(id);

/**
 * Caches answers on the server until anything is committed, so no dependency between objects can be forgotten. A replica
 * has one reader and caches nothing. If other processes write to the database, a cached answer is compared with the
 * position of the record's last change first, so that users read what they wrote through another process.
 *
 * Nested maps (record, then user) hold the answers. A key joined from both texts could match another caller's answer.
 */
export function answerCache(host: Host): AnswerCache {
  const answers = new Map<string, Map<string | null, KeptAnswer>>();
  let kept = 0;
  let commits = 0;

  function clear(): void {
    answers.clear();
    kept = 0;
  }

  host.onCommitted(() => {
    commits++;
    clear();
  });

  const lastChange = async (id: string): Promise<number | undefined> =>
    host.abilities.sharesDatabase ? ((await findLastChange(host.db, id))?.seq ?? 0) : undefined;

  function store(id: string, { userId, roles }: Caller, { body, etag }: MadeAnswer, change: number | undefined): void {
    const text = JSON.stringify(body);
    if (kept >= maxAnswers) clear();
    const ofRecord = answers.get(id) ?? new Map<string | null, KeptAnswer>();
    answers.set(id, ofRecord);
    if (!ofRecord.has(userId)) kept++;
    ofRecord.set(userId, {
      etag,
      text,
      sizeBytes: Buffer.byteLength(text),
      zipped: gzipSync(text, { level: 4 }),
      roles,
      change,
      made: host.now(),
    });
  }

  return {
    async find(id, caller) {
      if (!mayKeep(id, caller)) return undefined;
      const found = answers.get(id)?.get(caller.userId);
      if (!found || Math.abs(host.now() - found.made) >= longestMicros || !isSameSet(found.roles, caller.roles))
        return undefined;
      return found.change === (await lastChange(id)) ? found : undefined;
    },
    async keep(id, caller, make) {
      if (!host.abilities.cachesAnswers || !mayKeep(id, caller)) return make();
      const before = commits;
      const change = await lastChange(id);
      const made = await make();
      if (made && commits === before) store(id, caller, made, change);
      return made;
    },
  };
}
