/** The steps of a motif: each at one of two replicas, at the newest copy of one, or at the server as a user. */
export type Motif = readonly (readonly [name: string, at: "a" | "b" | "copy" | "alice" | "bob" | "carol" | "dora"])[];

/** Both replicas fetch, so that both have the same object. */
export const bothFetch: Motif = [
  ["let the other in", "a"],
  ["sync: push", "a"],
  ["sync: fetch all", "b"],
];
export const bothSend: Motif = [
  ["sync: upload", "a"],
  ["sync: push", "a"],
  ["sync: upload", "b"],
  ["sync: push", "b"],
  ["sync: fetch all", "a"],
  ["sync: fetch all", "b"],
];
export const submitted: Motif = [
  ["put review", "a"],
  ["submit review", "a"],
  ["sync: push", "a"],
  ["sync: pull", "a"],
];
/** The other one's review is asked for; both know of the request. */
export const askedOther: Motif = [
  ...bothFetch,
  ["ask the other", "a"],
  ["submit review", "a"],
  ["sync: push", "a"],
  ["sync: fetch all", "a"],
  ["sync: fetch all", "b"],
];
