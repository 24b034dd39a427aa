import { useEffect, useSyncExternalStore } from "react";

/** Records that this window has just published. An address could not tell: the way to the page varies. */
const published = new Set<string>();
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

export function markJustPublished(id: string) {
  published.add(id);
  tell();
}

/** Whether this window has just published the record; over once the user leaves its page. */
export function useJustPublished(id: string): boolean {
  useEffect(
    () => () => {
      // The page may open before the answer arrives, and again with it.
      if (location.pathname !== `/records/${id}`) published.delete(id);
    },
    [id],
  );
  return useSyncExternalStore(subscribe, () => published.has(id));
}
