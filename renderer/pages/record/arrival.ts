import { useEffect, useSyncExternalStore } from "react";

/**
 * Why this window shows a record in place of its draft: the user published it here, or the draft was published or
 * discarded while its page was open.
 */
export type Arrival = "published-here" | "published" | "discarded";

/** By the record. An address could not tell: the way to the page varies. */
const arrivals = new Map<string, Arrival>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The page of the draft may move before the answer to the user's own press arrives, or after it. */
export function markArrival(id: string, arrival: Arrival) {
  if (arrivals.get(id) === "published-here") return;
  arrivals.set(id, arrival);
  tell();
}

/** Why this window has just moved to the record; over once the user leaves its page. */
export function useArrival(id: string): Arrival | undefined {
  useEffect(
    () => () => {
      // The page may open before the answer arrives, and again with it.
      if (location.pathname !== `/records/${id}`) arrivals.delete(id);
    },
    [id],
  );
  return useSyncExternalStore(subscribe, () => arrivals.get(id));
}
