/** One step of a motif: at one of two replicas, at what was last copied of one, or at the server as somebody. */
export type Motif = readonly (readonly [name: string, at: "a" | "b" | "copy" | "alice" | "bob" | "carol" | "dora"])[];

/** The same object lies before both. */
export const bothFetch: Motif = [
  ["let the other in", "a"],
  ["line: push", "a"],
  ["line: fetch all", "b"],
];
export const bothSend: Motif = [
  ["line: upload", "a"],
  ["line: push", "a"],
  ["line: upload", "b"],
  ["line: push", "b"],
  ["line: fetch all", "a"],
  ["line: fetch all", "b"],
];
export const submitted: Motif = [
  ["put review", "a"],
  ["submit review", "a"],
  ["line: push", "a"],
  ["line: pull", "a"],
];
