import { gzipSync } from "node:zlib";
import type { PreparedAnswer } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { isRecordId } from "../kernel/record-id.ts";

/** Keeps answers between calls, so that a frequently read record is presented once. */
export interface AnswerCache {
  /** The answer kept for this record and this caller, who must have the same roles as then. */
  find(id: string, caller: Caller): PreparedAnswer | undefined;
  /** Keeps the answer that `make` returns, unless something was committed meanwhile. */
  keep(id: string, caller: Caller, make: () => Promise<MadeAnswer | undefined>): Promise<MadeAnswer | undefined>;
}

export interface MadeAnswer {
  body: Record<string, unknown>;
  etag: string;
}

interface KeptAnswer extends PreparedAnswer {
  roles: ReadonlySet<string>;
  /** Microseconds UTC. */
  until: number;
}

const mostAnswers = 2000;
/** Commits of another process, and changes by time alone, become visible after this long at most. */
const longestMicros = 1_000_000;

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((role) => other.has(role));

/** The user and their roles decide what they see. A link's token does too, so calls with one are not kept. */
const mayKeep = (id: string, { linkTokens }: Caller): boolean => linkTokens.length === 0 && isRecordId(id);

/**
 * Keeps answers on the server until anything at all is committed: the database stays the only truth, and no rule about
 * what depends on what can be forgotten. A replica has one reader and keeps nothing.
 *
 * Answers lie in maps within maps (record, then user): text joined to one key could name the answer of another caller.
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

  function store(id: string, { userId, roles }: Caller, { body, etag }: MadeAnswer): void {
    const text = JSON.stringify(body);
    if (kept >= mostAnswers) clear();
    const ofRecord = answers.get(id) ?? new Map<string | null, KeptAnswer>();
    answers.set(id, ofRecord);
    if (!ofRecord.has(userId)) kept++;
    ofRecord.set(userId, {
      etag,
      text,
      sizeBytes: Buffer.byteLength(text),
      zipped: gzipSync(text, { level: 4 }),
      roles,
      until: host.now() + longestMicros,
    });
  }

  return {
    find(id, caller) {
      if (!mayKeep(id, caller)) return undefined;
      const found = answers.get(id)?.get(caller.userId);
      return found && found.until > host.now() && isSameSet(found.roles, caller.roles) ? found : undefined;
    },
    async keep(id, caller, make) {
      const before = commits;
      const made = await make();
      if (made && host.abilities.cachesAnswers && mayKeep(id, caller) && commits === before) store(id, caller, made);
      return made;
    },
  };
}
