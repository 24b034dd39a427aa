/**
 * Waits until a condition holds. Counts only time in which this process runs, because servers and replicas of a test
 * mostly run in it.
 * @param ms by default longer than any successful condition takes
 * @throws Error if the condition does not hold in that time.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = holds.toString(),
  ms = 60_000,
): Promise<void> {
  let napMs = 5;
  for (let leftMs = ms; !(await holds()); leftMs -= napMs) {
    if (leftMs <= 0) throw new Error(`did not come about within ${ms} ms: ${what}`);
    napMs = Math.min(2 * napMs, 40);
    await new Promise((resolve) => setTimeout(resolve, napMs));
  }
}
