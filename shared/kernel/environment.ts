import { randomBytes } from "node:crypto";

/** Clock and randomness, injected so that the simulator can run hosts on virtual time from a seed. */
export interface Environment {
  /** Microseconds UTC; strictly increasing within one process until somebody sets the clock of the machine. */
  now(): number;
  /** Random bytes from a cryptographic source. */
  random(bytes: number): Uint8Array;
}

/** A larger difference to the machine's clock shows that it was set, or that the machine slept. */
const maxAheadMs = 1000;

/** The machine's clock and randomness. */
export function machineEnvironment(): Environment {
  let last = 0;
  // `Date` counts no microseconds. `performance` does, but goes on from the time at the start of the process.
  let originMs = performance.timeOrigin;
  return {
    now() {
      const originNowMs = Date.now() - performance.now();
      if (Math.abs(originNowMs - originMs) > maxAheadMs) [originMs, last] = [originNowMs, 0];
      const now = Math.floor((originMs + performance.now()) * 1000);
      last = now > last ? now : last + 1;
      return last;
    },
    random: (bytes) => randomBytes(bytes),
  };
}
