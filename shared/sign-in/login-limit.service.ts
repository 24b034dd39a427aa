import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { deleteFailuresBefore, insertFailures, listFailures } from "./login-failure.repository.ts";

const windowMicros = 15 * 60 * 1_000_000;

interface Bound {
  subject: string;
  most: number;
}

export interface LoginLimits {
  /**
   * Tries a password under the limits: 5 failures in 15 minutes for an account name, 100 for an address. Attempts on
   * one name wait for each other, so that a burst is counted as it should be.
   * @param attempt gives undefined for a failure, which is counted.
   * @throws Failure 429 with `Retry-After`, whether or not the password is right.
   */
  under<T>(account: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Counts of failed sign-ins (requests 2.3). They stand in the database, so a restart forgets nothing. */
export function loginLimits(host: Host): LoginLimits {
  const turns = new Map<string, Promise<unknown>>();

  async function assertBelow(bounds: readonly Bound[]): Promise<void> {
    const now = host.now();
    for (const { subject, most } of bounds) {
      const failures = await listFailures(host.db, subject, now - windowMicros, most);
      const oldest = failures[most - 1];
      if (oldest === undefined) continue;
      const seconds = Math.max(1, Math.ceil((oldest + windowMicros - now) / 1_000_000));
      throw new Failure("too_many", "Too many failed attempts to sign in. Try again later.", {
        headers: { "Retry-After": String(seconds) },
      });
    }
  }

  async function tryOnce<T>(bounds: readonly Bound[], attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    await assertBelow(bounds);
    const outcome = await attempt();
    if (outcome === undefined) {
      const now = host.now();
      await deleteFailuresBefore(host.db, now - windowMicros);
      await insertFailures(
        host.db,
        bounds.map(({ subject }) => subject),
        now,
      );
    }
    return outcome;
  }

  return {
    async under(account, address, attempt) {
      const name = `account:${account.trim().toLowerCase()}`;
      const bounds = [
        { subject: name, most: 5 },
        { subject: `address:${address}`, most: 100 },
      ];
      await assertBelow(bounds);
      const before = turns.get(name) ?? Promise.resolve();
      const turn = before.then(() => tryOnce(bounds, attempt));
      const settled = turn.catch(() => undefined);
      turns.set(name, settled);
      try {
        return await turn;
      } finally {
        if (turns.get(name) === settled) turns.delete(name);
      }
    },
  };
}
