import { setTimeout } from "node:timers/promises";
import { Failure } from "../kernel/failure.ts";
import { contention } from "./contention.ts";
import type { WriteLanes } from "./write-lanes.ts";

/**
 * Codes of an engine with several writers: the transaction could not be put in an order with others, waited for them in a
 * circle, or too long. SQLite has one writer and never reports them. Tests plant them there.
 */
const conflicts = new Set(["40001", "40P01", "55P03"]);

const takenKey = "23505";
const maxAttempts = 8;
const longestPauseMs = 1000;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** A key that another transaction took meanwhile: the second attempt sees its row. Then it is no conflict. */
const isConflict = (error: unknown, attempt: number): boolean =>
  conflicts.has(codeOf(error)) || (codeOf(error) === takenKey && attempt === 1);

/**
 * Repeats work that conflicts with other transactions, after a random pause that grows.
 * @param onConflict is called after each conflict.
 * @throws Failure 503 with `Retry-After` when the last attempt conflicts, too.
 */
export async function repeatedly<T>(work: (attempt: number) => Promise<T>, onConflict = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (codeOf(error) === "SQLITE_BUSY") contention.busy += 1;
      if (!isConflict(error, attempt)) throw error;
      onConflict();
      if (attempt === maxAttempts) {
        contention.refused += 1;
        throw new Failure("unavailable", "Too many calls change the same objects at once. Try again.", {
          headers: { "Retry-After": "1" },
        });
      }
      contention.repeats += 1;
      await setTimeout(Math.random() * Math.min(2 ** attempt, longestPauseMs));
    }
  }
}

/** As `repeatedly`. The lanes limit how many run at once: work keeps its lane until it ends. */
export const repeatedlyIn = <T>(lanes: WriteLanes, work: (attempt: number) => Promise<T>): Promise<T> =>
  lanes.run(() => repeatedly(work, () => lanes.narrow()));
