import { onTestFinished, vi } from "vitest";

const hourMs = 3_600_000;

/** Sets the machine's clock, until the end of the test. The file belongs in the list `stateful`. */
export function machineClock(): { set(hoursAhead: number): void } {
  const right = Date.now;
  let aheadMs = 0;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => right() + aheadMs);
  onTestFinished(() => spy.mockRestore());
  return {
    set: (hoursAhead) => {
      aheadMs = hoursAhead * hourMs;
    },
  };
}
