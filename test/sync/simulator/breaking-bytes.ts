import type { Faults } from "./faults.ts";

/** Bytes over a line that may break in the midst of them. @param mayDie ends the server there, at some times */
export async function* breakingBytes(bytes: Buffer, faults: Faults, mayDie: () => void): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (faults.strike("upload cut", 3)) throw new Error("the line broke");
  mayDie();
  yield bytes.subarray(half);
}
