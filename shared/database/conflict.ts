import { setTimeout } from "node:timers/promises";
import { Failure } from "../kernel/failure.ts";

/**
 * Codes of an engine with several writers: the transaction could not be put in an order with others, or waited for them
 * in a circle. SQLite has one writer and never reports them.
 */
const conflicts = new Set(["40001", "40P01"]);

const takenKey = "23505";
const mostAttempts = 8;
const longestPauseMs = 1000;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** A key that another transaction took meanwhile: the second attempt sees its row. Then it is no conflict. */
const isConflict = (error: unknown, attempt: number): boolean =>
  conflicts.has(codeOf(error)) || (codeOf(error) === takenKey && attempt === 1);

/**
 * Repeats work that conflicts with other transactions, after a random pause that grows.
 * @throws Failure 503 with `Retry-After` when the last attempt conflicts, too.
 */
export async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error, attempt)) throw error;
      if (attempt === mostAttempts) {
        throw new Failure("unavailable", "Too many calls change the same objects at once. Try again.", {
          headers: { "Retry-After": "1" },
        });
      }
      await setTimeout(Math.random() * Math.min(2 ** attempt, longestPauseMs));
    }
  }
}
