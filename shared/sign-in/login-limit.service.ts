import { type Db, transaction } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { normalForm } from "../kernel/normal-form.ts";
import { around } from "../kernel/timestamps.ts";
import {
  deleteFailureAt,
  deleteFailuresBeyond,
  deleteFailuresLike,
  deleteFailuresOf,
  insertFailures,
  listFailures,
} from "./login-failure.repository.ts";
import { LoginQueue } from "./login-queue.ts";

const quarterMicros = 15 * 60 * 1_000_000;
export const dayMicros = 86_400 * 1_000_000;

interface Bound {
  subject: string;
  most: number;
  windowMicros: number;
}

/** A sign-in attempt. */
export interface Attempt {
  /** What is counted: one of the subjects below. */
  subject: string;
  /** `clientNetwork` of the call. */
  network: string;
  /** Failures of the subject in 15 minutes; 5 by default. */
  most?: number;
  /** Further limits, over a day at most. */
  more?: readonly Bound[];
}

export interface LoginLimits {
  /**
   * Verifies a password within the limits: 5 failures in 15 minutes for an account name or a known browser, 100 for a
   * network. A success resets the failures of its account name or browser.
   * The attempt counts as a failure until it succeeds, so that other processes count it meanwhile.
   * @param verify returns undefined for a failure.
   * @throws Failure 429 with `Retry-After`, whether or not the password is right.
   */
  under<T>(attempt: Attempt, verify: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Resets the failures of subjects. */
  unlock(subjects: readonly string[]): Promise<void>;
  /** Resets the failures of all codes of a user, wherever they were sent from. */
  unlockFactor(userId: string): Promise<void>;
}

/** @param account the name as sent. */
export const accountSubject = (account: string): string =>
  `account:${normalForm(account, "NFKC").trim().toLowerCase()}`;
/** @param digest of the cookie of a browser in which the account signed in before. Such a browser has its own limit. */
export const deviceSubject = (digest: string): string => `device:${digest}`;
/** Codes of a second factor. No name that a stranger sends makes this subject. @param from all of the user's without it. */
export const factorSubject = (userId: string, from: readonly string[] = []): string =>
  JSON.stringify(["factor", userId, ...from]);

/** Browsers of a network that come back from a provider. */
export const arrivalSubject = (network: string): string => `arrival:${network}`;

const subjectsOf = (bounds: readonly Bound[]): string[] => [...new Set(bounds.map(({ subject }) => subject))];

/** Counts failed sign-ins in the database (requests 2.3), so that they survive a restart. */
export function loginLimits(host: Host): LoginLimits {
  const queue = new LoginQueue();

  async function assertBelow(db: Db, bounds: readonly Bound[], now: number): Promise<void> {
    for (const { subject, most, windowMicros } of bounds) {
      const failures = await listFailures(db, subject, around(now, windowMicros), most);
      const oldest = failures[most - 1];
      if (oldest === undefined) continue;
      const seconds = Math.max(1, Math.ceil((oldest + windowMicros - now) / 1_000_000));
      throw new Failure("too_many", "Too many failed attempts to sign in. Try again later.", {
        headers: { "Retry-After": String(seconds) },
      });
    }
  }

  /** Counts the attempt as a failure before its password is verified. @returns its instant. @throws Failure 429 */
  async function reserve(bounds: readonly Bound[]): Promise<number> {
    return transaction(host.db, async (tx) => {
      const now = host.now();
      await assertBelow(tx, bounds, now);
      await deleteFailuresBeyond(tx, around(now, dayMicros));
      await insertFailures(tx, subjectsOf(bounds), now);
      return now;
    });
  }

  return {
    async under({ subject, network, most = 5, more = [] }, verify) {
      const bounds = [
        { subject, most, windowMicros: quarterMicros },
        { subject: `address:${network}`, most: 100, windowMicros: quarterMicros },
        ...more,
      ];
      // One attempt per network and per account at a time, so that nobody occupies the hashing.
      return queue.run(network, subject, async () => {
        const at = await reserve(bounds);
        let isCounted = false;
        try {
          const outcome = await verify();
          isCounted = outcome === undefined;
          if (!isCounted) await deleteFailuresOf(host.db, [subject]);
          return outcome;
        } finally {
          if (!isCounted) for (const counted of subjectsOf(bounds)) await deleteFailureAt(host.db, counted, at);
        }
      });
    },
    async unlock(subjects) {
      await deleteFailuresOf(host.db, subjects);
    },
    async unlockFactor(userId) {
      await deleteFailuresLike(host.db, `${factorSubject(userId).slice(0, -1)}%`);
    },
  };
}
