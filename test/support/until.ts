/**
 * Waits until something holds. Time is counted in naps of this process, in which servers and replicas of a test mostly
 * run as well: when the machine holds all of them up, none passes.
 *
 * @param ms by default as long as only what will never hold takes
 * @throws Error when it does not hold after that time.
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
