import type { Failure } from "../kernel/failure.ts";

const recorded = new WeakSet<Failure>();

/** Marks a refusal that `host.write` has recorded, so that the route does not record it again. */
export const markRecorded = (failure: Failure): void => {
  recorded.add(failure);
};

export const isRecorded = (failure: Failure): boolean => recorded.has(failure);
