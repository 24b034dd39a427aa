import { randomBytes } from "node:crypto";

/** Clock and randomness, injected so that the simulator can run hosts on virtual time from a seed. */
export interface Environment {
  /** Microseconds UTC; strictly increasing within one process. */
  now(): number;
  /** Random bytes from a cryptographic source. */
  random(bytes: number): Uint8Array;
}

/** The machine's clock and randomness. */
export function machineEnvironment(): Environment {
  let last = 0;
  return {
    now() {
      const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
      last = now > last ? now : last + 1;
      return last;
    },
    random: (bytes) => randomBytes(bytes),
  };
}
